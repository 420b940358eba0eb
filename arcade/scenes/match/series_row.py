"""The row that chooses the length of a series."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from arcade.engine.ui.widgets import Choice
from arcade.session.match.series import LENGTHS


def series_row(rect: pygame.Rect, best_of: int, change: Callable[[int], None]) -> Choice:
    """The row that chooses how long a series is; `change` gets the new length."""
    return Choice(
        rect,
        "Series",
        ["one match" if length == 1 else f"best of {length}" for length in LENGTHS],
        index=LENGTHS.index(best_of),
        change=lambda index: change(LENGTHS[index]),
        hint="Matches that count together, also with sides swapped",
    )
