"""Likeness: compares a clone's play with that of the player it was cloned from.

`compare` has the numbers, `draw_likeness` the picture.
"""

from arcade.recordings.likeness.compare import compare
from arcade.recordings.likeness.figures import Likeness

__all__ = ["Likeness", "compare"]
