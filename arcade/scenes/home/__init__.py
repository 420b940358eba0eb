"""The title, its demonstration matches, and the list of games."""
