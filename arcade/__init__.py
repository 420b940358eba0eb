"""Where and how games are played: the catalogue, matches, the window and its scenes."""

__version__ = "0.1.0"
