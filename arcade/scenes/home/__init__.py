"""Title screen, attract mode and game selection."""
