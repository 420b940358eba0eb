"""The commands of ``arcade`` and their output."""
