"""The ladder: a store of match results, and the ratings computed from them."""
