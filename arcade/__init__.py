"""Where and how games are played: the catalogue, matches, the window and its scenes."""

from __future__ import annotations

import arcade.seats  # noqa: F401  # its kinds of seats are in the table from here on

__version__ = "0.1.0"
