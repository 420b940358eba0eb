"""One run: its loop, folder, checkpoints, screen and wire."""
