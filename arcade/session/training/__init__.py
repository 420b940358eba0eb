"""Training runs: their trainers, metrics, games and settings."""
