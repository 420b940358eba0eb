"""Patterns of three by three points that are worth a move in the middle, for games of Go at random."""

from __future__ import annotations

from functools import cache, reduce
from itertools import product

PATTERNS = (
    "XOX ... ???", "XO. ... ?.?", "XO? X.. ?.?", ".O. X.. ...",  # hane
    "XO? O.o ?o?", "XO? O.X ???", "?X? O.O ooo",  # cut
    "X.? O.? ---", "OX? X.O ---", "?X? x.O ---", "?OX X.O ---",  # at the border
)  # fmt: skip
"""Row by row (Gelly, Wang, Munos and Teytaud 2006, Modification of UCT with Patterns in Monte-Carlo Go): X and O are
stones of the two sides, x and o all but these, `.` is empty, `?` anything on or off the board, `-` off the board."""

CIRCLE = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))
"""Rows down and columns right of the eight points around one, in the order of a key's digits."""

BORDER = 2
"""What is off the board, where a stone is the number of its player, 0 or 1, and -1 is empty."""

ALL_ONES = int("11111111", 4)
"""Added to the sum of the points times powers of 4 this gives a key, whose digits are one more than the points."""

_MARKS = {".": "0", "X": "1", "O": "2", "-": "3", "x": "023", "o": "013", "?": "0123"}
_SWAPPED = str.maketrans("XOxo", "OXox")


@cache
def known_patterns() -> bytes:
    """For each key of the points around an empty one, whether they make one of `PATTERNS`, in any view.

    A key's digits, of base 4, are one more than what is on the points.
    """
    known = bytearray(4**8)
    for pattern in (*PATTERNS, *(one.translate(_SWAPPED) for one in PATTERNS)):
        top, middle, bottom = pattern.split()
        circle = top + middle[2] + bottom[::-1] + middle[0]
        for turn in range(0, 8, 2):
            turned = circle[turn:] + circle[:turn]
            for view in (turned, turned[0] + turned[:0:-1]):
                for digits in product(*(_MARKS[mark] for mark in view)):
                    known[reduce(lambda key, digit: 4 * key + int(digit), digits, 0)] = 1
    return bytes(known)
