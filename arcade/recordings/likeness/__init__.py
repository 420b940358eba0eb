"""How human a snapshot is: its play beside that of the person (or machine) whom it was cloned from.

`measure` has the numbers, `print_likeness` the table, `draw_likeness` the picture.
"""

from arcade.recordings.likeness.figures import Likeness
from arcade.recordings.likeness.measure import Comparison, measure
from arcade.recordings.likeness.text import print_likeness

__all__ = ["Comparison", "Likeness", "measure", "print_likeness"]
