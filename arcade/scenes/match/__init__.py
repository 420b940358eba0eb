"""The match screen, its pause menu and its results."""
