"""Training runs as the window knows them."""
