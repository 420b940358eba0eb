"""LadderPage: base of the pages of the ladder.  TablePage: a view as a table.  GridPage: all pairs, as a heat map."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pygame

from agents.ladder.ratings.pairs import PairTable, WinMatrix
from agents.ladder.ratings.views import Interval, Kind, Line, View
from agents.ladder.ratings.views.view import Cell, Column
from arcade.engine.ui import table as ui
from arcade.engine.ui import theme
from arcade.engine.ui.axes import Span, short_number
from arcade.engine.ui.old_heat_map import Heat, HeatMap
from arcade.engine.ui.widgets import Widget
from arcade.scenes.screen import TabPage
from arcade.session.ladder_book import LadderSheet

AREA = pygame.Rect(40, 186, 1200, 480)
"""The area of a page, between the buttons and the foot."""

FEW_WORDS = "Nothing to show yet: no match between two players is finished"


class LadderPage(TabPage):
    """One view of a game's standings."""

    def __init__(self, meet: Callable[[str, str], None]) -> None:
        """`meet` shows two players' matches against each other."""
        self.meet = meet
        self.sheet: LadderSheet | None = None

    def fits(self, sheet: LadderSheet | None) -> bool:
        """Whether the page applies to the game."""
        return True

    def set_sheet(self, sheet: LadderSheet | None) -> None:
        """Show these standings; None: there are none."""
        self.sheet = sheet


class TablePage(LadderPage):
    """Accept or a click on a row shows its player against its most frequent opponent."""

    def __init__(self, meet: Callable[[str, str], None], *views: View) -> None:
        """The first of `views` that fits the game is shown."""
        super().__init__(meet)
        self._views = views
        self._lines: list[Line] = []
        self.title = views[0].title
        self._table = ui.DataTable(AREA, (), empty=FEW_WORDS, press=self._press)

    def fits(self, sheet: LadderSheet | None) -> bool:
        return sheet is None or any(view.most != 0 and view.fits(sheet.standings) for view in self._views)

    def set_sheet(self, sheet: LadderSheet | None) -> None:
        super().set_sheet(sheet)
        view = next((one for one in self._views if sheet is not None and one.fits(sheet.standings)), self._views[0])
        self._lines = sheet.lines.get(view.name, []) if sheet is not None else []
        self._table.columns = ui_columns(view.columns)
        self._table.hint = view.caption
        self._table.set_rows(ui_rows(view.columns, self._lines))

    def widgets(self) -> list[Widget]:
        return [self._table]

    def _press(self, row: int) -> None:
        if self.sheet is None or len(self.sheet.names) < 2:
            return
        known = [self._lines[row].get(field) for field in ("name", "label")]
        name = next((name for name in known if name in self.sheet.names), None)
        if name is not None:
            self.meet(name, self.sheet.partner(name))


def ui_columns(columns: Sequence[Column]) -> tuple[ui.Column, ...]:
    """Return the columns of a view for a DataTable."""
    return tuple(
        ui.Column(column.title, column.width, figures=column.kind is Kind.FIGURE and not column.scale)
        for column in columns
    )


def ui_rows(columns: Sequence[Column], lines: Sequence[Line]) -> list[list[ui.Cell]]:
    """Return the lines of a view as rows of a DataTable."""
    cells = [[column.cell(line) for column in columns] for line in lines]
    spans = {column.scale: _span(column.scale, columns, cells) for column in columns if column.scale}
    return [
        [
            _bar(spans[column.scale], cell) if column.scale else str(cell)
            for column, cell in zip(columns, row, strict=True)
        ]
        for row in cells
    ]


def _span(scale: str, columns: Sequence[Column], cells: Sequence[Sequence[Cell]]) -> Span:
    """Return the axis that the columns of a scale share."""
    ends: list[float] = []
    for row in cells:
        for column, cell in zip(columns, row, strict=True):
            if column.scale == scale and isinstance(cell, Interval):
                around = (cell.value - column.margin, cell.value + column.margin)
                whole = [end for end in (cell.value, cell.low, cell.high) if end is not None]
                ends += around if column.margin else whole
    return Span.around(min(ends, default=0.0), max(ends, default=1.0))


def _bar(span: Span, cell: Cell) -> ui.Cell:
    if not isinstance(cell, Interval) or cell.low is None or cell.high is None:
        return str(cell)
    return ui.Bar(span.share(cell.value), span.share(cell.low), span.share(cell.high), cell.as_range, dot=True)


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
