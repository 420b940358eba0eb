"""A match on the screen, its pause and its result."""
