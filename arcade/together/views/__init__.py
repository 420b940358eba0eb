"""Views: what the host of a match sends to machines that do not run the game, and how they check and show it."""
