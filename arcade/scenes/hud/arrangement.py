"""Arrangement: the areas of a match on the canvas: bars, picture, AI insight, keys and moves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import pygame

from arcade.engine.ui.layout import Column, Row
from arcade.engine.ui.theme import Size, Theme
from arcade.engine.ui.widget import Widget


class Room(Widget):
    """Room of so many pixels for what is drawn there."""

    def __init__(self, width: int = 0, height: int = 0, *, grow: float = 0.0) -> None:
        super().__init__(grow=grow)
        self._size = width, height

    def natural(self, theme: Theme, width: int) -> Size:
        return self._size

    def least(self, theme: Theme) -> int:
        return self._size[0]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The areas, in pixels of the canvas; without height or width where there is nothing."""

    top: pygame.Rect
    picture: pygame.Rect
    around: pygame.Rect  # the picture with the columns of AI insight
    moves: pygame.Rect
    keys: pygame.Rect  # of the players, below the picture
    foot: pygame.Rect


@lru_cache(8)
def arrange(
    theme: Theme, area: tuple[int, int, int, int], *, top: int, foot: int, keys: int, moves: int, insight: int,
    insight_sides: frozenset[int],
) -> Arrangement:  # fmt: skip
    """Divide `area`; the lengths are pixels, `insight_sides` has 0 for a column at the left, 1 for the right."""
    bar, line, end, list_ = Room(height=top), Room(height=keys), Room(height=foot), Room(moves)
    columns = [Room(insight if side in insight_sides else 0) for side in (0, 1)]
    picture = Room(grow=1)
    around = Row([columns[0], picture, columns[1]], gap=0, align="stretch", stacks=False, grow=1)
    middle = Row([around, list_], gap=0, align="stretch", stacks=False, grow=1)
    Column([bar, middle, line, end], gap=0).arrange(theme, pygame.Rect(area))
    return Arrangement(bar.rect, picture.rect, around.rect, list_.rect, line.rect, end.rect)
