"""Third-party games, from installed packages or named as MODULE:FUNCTION."""
