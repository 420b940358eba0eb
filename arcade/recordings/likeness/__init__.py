"""How human a snapshot is: its play beside that of the person, or AI, whom it was cloned from.

`compare` has the numbers, `print_likeness` the table, `draw_likeness` the picture.
"""

from arcade.recordings.likeness.compare import compare
from arcade.recordings.likeness.figures import Likeness
from arcade.recordings.likeness.text import print_likeness

__all__ = ["Likeness", "compare", "print_likeness"]
