"""The ladder's pages: who is how strong, how that came to be, and who beats whom."""
