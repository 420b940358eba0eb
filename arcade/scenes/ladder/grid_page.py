"""GridPage: all pairs of players, as a heat map."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pygame

from agents.ladder.ratings.pairs import PairTable, WinMatrix
from arcade.engine.ui import theme
from arcade.engine.ui.axes import short_number
from arcade.engine.ui.heat_map import Heat, HeatMap
from arcade.engine.ui.widgets import Widget
from arcade.scenes.ladder.pages import AREA, FEW_WORDS, LadderPage
from arcade.session.ladder_book import LadderSheet

FOOT = 40  # pixels for the text of the chosen cell


class GridPage(LadderPage):
    """The row player's win rate against the column player; in cooperative games their mean score."""

    title = "All pairs"

    def __init__(self, meet: Callable[[str, str], None]) -> None:
        super().__init__(meet)
        self._map = HeatMap((AREA.left, AREA.top, AREA.w, AREA.h - FOOT), empty=FEW_WORDS, press=self._press)

    def set_sheet(self, sheet: LadderSheet | None) -> None:
        super().set_sheet(sheet)
        self._map.hint = (
            "Row with column: mean scores of their matches together" if sheet is not None and not sheet.standings.matrix
            else "Blue: the row wins more of the column; orange: it loses more"
        )  # fmt: skip
        if sheet is None:
            self._map.set_cells((), lambda *_: None)
        else:
            self._map.set_cells(sheet.names, heats(sheet.standings.pairs))

    def widgets(self) -> list[Widget]:
        return [self._map]

    def draw(self, canvas: pygame.Surface) -> None:
        if self.sheet is not None and self.sheet.names:
            at = (AREA.left + 4, AREA.bottom - FOOT // 2 + 4)
            self._map.label = words = cell_words(self.sheet.standings.pairs, self._map.row, self._map.column)
            theme.draw_text(canvas, words, at, colour=theme.INK, anchor="midleft", width=AREA.w - 8)

    def _press(self, row: int, column: int) -> None:
        if self.sheet is not None and row != column:
            self.meet(self.sheet.names[row], self.sheet.names[column])


def heats(table: PairTable) -> Callable[[int, int], Heat | None]:
    """Return the function that makes the cells of the map."""
    met = table.values[np.isfinite(table.values)]
    low, width = (float(met.min()), float(np.ptp(met)) or 1.0) if len(met) else (0.0, 1.0)

    def heat(row: int, column: int) -> Heat | None:
        value = float(table.values[row, column])
        if math.isnan(value):
            return None
        return (
            Heat(f"{value:.0%}", 2 * value - 1)
            if isinstance(table, WinMatrix)
            else Heat(short_number(value), (value - low) / width)
        )

    return heat


def cell_words(table: PairTable, row: int, column: int) -> str:
    """Return the text of one cell."""
    name, other, games = table.names[row], table.names[column], int(table.games[row, column])
    if not games:
        return f"{name}: a player never plays itself" if row == column else f"{name} and {other} have not met"
    count = f"{games:,} match{'es' if games > 1 else ''}"
    value, low, high = (float(array[row, column]) for array in (table.values, table.low, table.high))
    if isinstance(table, WinMatrix):
        return f"{name} wins {value:.0%} ({low:.0%} to {high:.0%}) of {count} against {other}, draws as half"
    sure = "" if math.isnan(low) else f" ({short_number(low)} to {short_number(high)})"
    who = f"{name} alone" if row == column else f"{name} with {other}"
    return f"{who}: {short_number(value)}{sure} in {count}"
