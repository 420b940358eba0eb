"""The ladder: every result, and the ratings that follow from them."""
