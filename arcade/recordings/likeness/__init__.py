"""How human a snapshot is: its play beside that of the person, or AI, whom it was cloned from.

`compare` has the numbers, `draw_likeness` the picture.
"""

from arcade.recordings.likeness.compare import compare
from arcade.recordings.likeness.figures import Likeness

__all__ = ["Likeness", "compare"]
