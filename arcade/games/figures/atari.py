"""Figures of the Atari games, found in the emulator's screen by colour, and their colours.

A place is the part of a sprite's area with the most pixels of its colour, so scores, shots and court lines in the same
colour do not matter.  A figure that the game does not draw in every frame is missing from the others.  The colours and
areas were read off the screen, one seat moving at a time; a test repeats that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arcade.games.figures import Place, Places, share

if TYPE_CHECKING:  # the catalogue reads the colours
    import numpy as np
    from numpy.typing import NDArray

Box = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels of the emulator, the last two exclusive."""

Colour = tuple[int, int, int]

NTSC: Mapping[int, Colour] = {
    0: (0, 0, 0), 12: (214, 214, 214), 14: (236, 236, 236), 24: (187, 187, 53), 28: (232, 232, 74),
    40: (195, 144, 61), 42: (210, 164, 74), 44: (223, 183, 85), 54: (198, 108, 58), 56: (213, 130, 74),
    70: (200, 72, 72), 76: (240, 128, 128), 88: (198, 89, 179), 98: (104, 25, 154), 108: (197, 124, 238),
    118: (104, 72, 198), 132: (45, 50, 184), 140: (117, 128, 240), 154: (101, 160, 225), 164: (45, 109, 152),
    180: (45, 129, 105), 190: (132, 252, 212), 196: (50, 132, 50), 200: (92, 186, 92), 202: (111, 210, 111),
    212: (82, 126, 45), 230: (136, 146, 62), 246: (162, 134, 56), 252: (232, 204, 99),
}  # fmt: skip
"""Red, green, blue of the sprites' colours, by the console's numbers."""

PAL: Mapping[int, Colour] = {
    42: (223, 192, 111), 58: (179, 215, 111), 90: (111, 217, 158), 98: (137, 26, 53), 106: (220, 111, 158),
    154: (104, 186, 220), 178: (25, 63, 137),
}  # fmt: skip
"""The same of the games in `_EUROPEAN`."""


@dataclass(frozen=True)
class Sprite:
    """One seat's figure: its colour, by number, and where it can be."""

    colour: int
    area: Box
    size: tuple[int, int] = (8, 16)  # width and height in pixels, at most
    without: tuple[Box, ...] = ()  # parts of the picture with something else in that colour
    a_row: tuple[int, int] = (1, 160)  # least and most pixels of that colour in a row of the figure

    def find(self, screen: NDArray[np.uint8]) -> Box | None:
        """Return left, top, width and height of the figure on the `screen` (rows, columns) of colour numbers."""
        left, top, right, bottom = self.area
        found = screen[top:bottom, left:right] == self.colour
        for x0, y0, x1, y1 in self.without:
            found[max(0, y0 - top) : max(0, y1 - top), max(0, x0 - left) : max(0, x1 - left)] = False
        rows = found.sum(axis=1)
        fits = (rows >= self.a_row[0]) & (rows <= self.a_row[1])
        first_row = _densest(rows * fits, self.size[1])
        band = found[first_row : first_row + self.size[1]] & fits[first_row : first_row + self.size[1], None]
        first = _densest(band.sum(axis=0), self.size[0])
        ys, xs = band[:, first : first + self.size[0]].nonzero()
        if not len(xs):
            return None
        x, y = left + first + int(xs.min()), top + first_row + int(ys.min())
        return x, y, int(xs.max() - xs.min()) + 1, int(ys.max() - ys.min()) + 1


def _densest(counts: NDArray[Any], length: int) -> int:
    """Return the start of the stretch of that length with the largest sum."""
    if length >= len(counts):
        return 0
    sums = counts.cumsum()
    windows = sums[length - 1 :].copy()
    windows[1:] -= sums[:-length]
    return int(windows.argmax())


def _court(bottom: int = 194) -> Box:
    """The court of Pong's relatives, without the scores."""
    return 0, 34, 160, bottom


_FLAT, _UPRIGHT = (16, 4), (4, 16)
_ENTOMBED = Sprite(108, (0, 16, 160, 180)), Sprite(28, (0, 16, 160, 180))
_SCREEN: Box = (0, 18, 160, 250)

SPRITES: Mapping[str, tuple[Sprite, ...]] = {
    "basketball_pong_v3": (Sprite(200, _court(), _FLAT), Sprite(44, _court(), _FLAT)),
    "boxing_v2": (Sprite(12, (33, 36, 133, 180), (24, 48)), Sprite(0, (33, 36, 133, 180), (24, 48))),
    "combat_plane_v2": (Sprite(42, _SCREEN), Sprite(90, _SCREEN)),
    "combat_tank_v2": (Sprite(58, _SCREEN), Sprite(106, _SCREEN)),
    "double_dunk_v3": (
        Sprite(180, (10, 70, 150, 178), (12, 28)), Sprite(14, (10, 70, 150, 178), (12, 28)),
    ),
    "entombed_competitive_v3": _ENTOMBED,
    "entombed_cooperative_v3": _ENTOMBED,
    "flag_capture_v2": (Sprite(230, _SCREEN), Sprite(70, _SCREEN)),
    "foozpong_v3": tuple(
        Sprite(colour, (left, 34, left + 4, 194), _UPRIGHT)
        for colour, left in ((118, 134), (24, 22), (118, 70), (24, 86))
    ),
    "ice_hockey_v2": (Sprite(132, (32, 60, 128, 186), (12, 12)), Sprite(252, (32, 42, 128, 150), (12, 12))),
    "joust_v3": (Sprite(42, (0, 0, 160, 164), (8, 14)), Sprite(88, (0, 0, 160, 164), (8, 14))),
    "mario_bros_v3": (Sprite(118, (0, 16, 160, 174), (10, 24)), Sprite(202, (0, 16, 160, 174), (10, 24))),
    "maze_craze_v3": (
        Sprite(98, (0, 60, 160, 220), (4, 9), a_row=(1, 3)), Sprite(178, (0, 60, 160, 220), (4, 9), a_row=(1, 3)),
    ),
    "othello_v3": (Sprite(190, (0, 0, 160, 16), (16, 12)), Sprite(0, (16, 0, 160, 16), (16, 12))),  # the scores
    "pong_v3": (Sprite(200, _court(), _UPRIGHT), Sprite(56, _court(), _UPRIGHT)),
    "quadrapong_v4": (
        Sprite(118, (0, 174, 160, 188), _FLAT), Sprite(24, (0, 36, 160, 48), _FLAT),
        Sprite(118, (136, 34, 146, 174), _UPRIGHT), Sprite(24, (12, 48, 22, 194), _UPRIGHT),
    ),
    "space_invaders_v2": (
        Sprite(196, (0, 183, 160, 195)), Sprite(246, (0, 183, 160, 195), without=((80, 183, 100, 195),)),
    ),
    "space_war_v2": (Sprite(90, (0, 44, 160, 250)), Sprite(154, (0, 44, 160, 250))),
    "surround_v2": (Sprite(132, (0, 30, 160, 210)), Sprite(200, (0, 30, 160, 210))),
    "tennis_v3": (Sprite(76, (0, 12, 160, 196), (16, 24)), Sprite(140, (0, 12, 160, 186), (16, 24))),
    "video_checkers_v4": (Sprite(54, (20, 128, 160, 196), (140, 68)), Sprite(12, (20, 16, 160, 84), (140, 68))),
    "volleyball_pong_v3": (
        Sprite(154, _court(), _FLAT, a_row=(9, 24)), Sprite(44, _court(), _FLAT, a_row=(9, 24)),
        Sprite(154, _court(), (8, 4), a_row=(1, 8)), Sprite(44, _court(), (8, 4), a_row=(1, 8)),
    ),
    "warlords_v3": (
        Sprite(40, (0, 17, 80, 105), (12, 12), ((0, 0, 48, 48),)),
        Sprite(164, (80, 17, 160, 105), (12, 12), ((112, 0, 160, 48),)),
        Sprite(212, (0, 105, 80, 179), (12, 12), ((0, 150, 48, 210),)),
        Sprite(98, (80, 105, 160, 179), (12, 12), ((112, 150, 160, 210),)),
    ),
    "wizard_of_wor_v3": (
        Sprite(40, (128, 140, 150, 164)), Sprite(140, (8, 140, 24, 164)),
    ),
}  # fmt: skip
"""The figures of each game, in seat order.

Foozpong moves a seat's paddles together, so one column stands for all.  Double Dunk and Ice Hockey show one of a seat's
two players.  Othello has no figures, and Video Checkers a cursor for both: the score and the pieces stand for the seat.
Wizard of Wor: the place at the start of a life.
"""


_EUROPEAN = ("combat_plane_v2", "combat_tank_v2", "maze_craze_v3", "space_war_v2")


def colours(game: str) -> tuple[Colour, ...]:
    """Return the colour of each seat's figure."""
    shown = PAL if game in _EUROPEAN else NTSC
    return tuple(shown[sprite.colour] for sprite in SPRITES[game])


def locate(env: Any) -> Places:
    """Return the box around each seat's figure."""
    raw = env.unwrapped
    size = raw.ale.getScreenDims()
    screen = raw.ale.getScreen().reshape(size[1], size[0])
    sprites = SPRITES[raw.metadata["name"]]
    found = {agent: sprite.find(screen) for agent, sprite in zip(raw.possible_agents, sprites, strict=True)}
    return {agent: _place(box, size) for agent, box in found.items() if box is not None}


def _place(box: Box, size: tuple[int, int]) -> Place:
    return share(*box, of=size)
