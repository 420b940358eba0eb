"""LadderPage: base of the pages of the ladder.  TablePage: a view as a table.  GridPage: all pairs, as a heat map."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from agents.ladder.ratings.pairs import PairTable, WinMatrix
from agents.ladder.ratings.views import Interval, Kind, Line, View
from agents.ladder.ratings.views.view import Cell, Column
from arcade.engine.ui import tables as ui
from arcade.engine.ui import theme as themes
from arcade.engine.ui.axes import Span, short_number
from arcade.engine.ui.heat_map import Heat, HeatMap
from arcade.engine.ui.layout import Column as Stacked
from arcade.engine.ui.texts import Paragraph
from arcade.engine.ui.widget import Widget
from arcade.language import N_, _, local_number, ngettext, percent
from arcade.scenes.screen import TabPage
from arcade.session.ladder_book import LadderSheet
from arcade.session.ladder_texts import matches_text, shown_cell, shown_lines, statistics_text

FEW_WORDS = N_("Nothing to show yet: no match between two players is finished")
LETTER, BAR, NAME = 10.0, 280.0, 150.0
"""Units of a letter, of a drawn cell, and of a name at least."""


ORDER = N_(
    "The order counts what is certain: a player with a high but uncertain rating (a large ±) stands lower until more "
    "matches are played."
)
OTHER_MEASURES = N_(
    "Other measures of the same matches, for comparison; the rating that counts is that of the page Ratings."
)


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

    def shown(self, name: str) -> str:
        """Return what people read for a player."""
        return self.sheet.shown.get(name, name) if self.sheet is not None else name


class TablePage(LadderPage):
    """Accept or a click on a row shows its player against its most frequent opponent."""

    def __init__(self, meet: Callable[[str, str], None], *views: View, title: str = "", plain: bool = False) -> None:
        """The first of `views` that fits the game is shown; `plain`: without the statistics of the game."""
        super().__init__(meet)
        self._views, self._plain = views, plain
        self._lines: list[Line] = []
        self.title = title or views[0].title
        self.table = ui.DataTable((), press=self._press, key=self.title)

    def fits(self, sheet: LadderSheet | None) -> bool:
        return sheet is None or any(view.most != 0 and view.fits(sheet.standings) for view in self._views)

    def set_sheet(self, sheet: LadderSheet | None) -> None:
        super().set_sheet(sheet)
        self._fill()

    def body(self) -> Widget:
        self._fill()
        if self.sheet is None:
            return self.table
        facts = (matches_text if self._plain else statistics_text)(self.sheet.standings)
        has_sides = not self.sheet.standings.facts.cooperative
        explained = _(ORDER if self._plain else OTHER_MEASURES) if has_sides else ""
        texts = filter(None, (explained, facts))
        return Stacked([self.table, *(Paragraph(text, size=themes.SMALL, colour="muted") for text in texts)], grow=1)

    def _fill(self) -> None:
        sheet = self.sheet
        view = next((one for one in self._views if sheet is not None and one.fits(sheet.standings)), self._views[0])
        self._lines = sheet.lines.get(view.name, []) if sheet is not None else []
        columns = [column for column in view.columns if not self._plain or column.kind is not Kind.WORD]
        rows = ui_rows(columns, shown_lines(view, self._lines, sheet.shown if sheet is not None else {}))
        self.table.columns, self.table.hint, self.table.empty = ui_columns(columns, rows), _(view.caption), _(FEW_WORDS)
        self.table.set_rows(rows)

    def _press(self, row: int) -> None:
        if self.sheet is None or len(self.sheet.names) < 2:
            return
        known = [self._lines[row].get(field) for field in ("name", "label")]
        name = next((name for name in known if name in self.sheet.names), None)
        if name is not None:
            self.meet(name, self.sheet.partner(name))


def ui_columns(columns: Sequence[Column], rows: Sequence[Sequence[ui.Cell]]) -> tuple[ui.Column, ...]:
    """Return the columns of a view for a DataTable, with room for their texts."""
    return tuple(
        ui.Column(
            _(column.title), column.width, figures=column.kind is Kind.FIGURE and not column.scale,
            least=_least(column, [row[place] for row in rows]),
        )
        for place, column in enumerate(columns)
    )  # fmt: skip


def _least(column: Column, cells: Sequence[ui.Cell]) -> float:
    """Return the units below which a column is left out."""
    if column.scale:
        return BAR
    letters = max(len(_(column.title)), *(len(cell) for cell in cells if isinstance(cell, str)), 2)
    return min(NAME, LETTER * letters) if column.kind is Kind.NAME else LETTER * letters


def ui_rows(columns: Sequence[Column], lines: Sequence[Line]) -> list[list[ui.Cell]]:
    """Return the lines of a view as rows of a DataTable."""
    cells = [[shown_cell(column.cell(line)) for column in columns] for line in lines]
    spans = {column.scale: _span(column.scale, columns, cells) for column in columns if column.scale}
    return [
        [
            _bar(spans[column.scale], cell) if column.scale else _cell_text(cell, column)
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


def _cell_text(cell: Cell, column: Column) -> str:
    """Return a cell in the language in use; names stay as they are."""
    return local_number(_range(str(cell))) if column.kind is Kind.FIGURE else str(cell)


def _range(text: str) -> str:
    """Return "40% to 60%" in the language in use."""
    low, to, high = text.partition(" to ")
    return _("{low} to {high}").format(low=low, high=high) if to else text


def _bar(span: Span, cell: Cell) -> ui.Cell:
    if not isinstance(cell, Interval) or cell.low is None or cell.high is None:
        return local_number(str(cell))
    words = local_number(_range(cell.as_range))
    return ui.Bar(span.share(cell.value), span.share(cell.low), span.share(cell.high), words, dot=True)


class GridPage(LadderPage):
    """The row player's win rate against the column player; in cooperative games their mean score."""

    title = N_("All pairs")

    def __init__(self, meet: Callable[[str, str], None]) -> None:
        super().__init__(meet)
        self._map = HeatMap((), lambda *_cell: None, press=self._press, words=self._words, key="map")

    def body(self) -> Widget:
        sheet = self.sheet
        self._map.empty = _(FEW_WORDS)
        if sheet is None:
            self._map.set_cells((), lambda *_cell: None)
            return self._map
        self._map.hint = (
            _("Row with column: mean scores of their matches together") if not sheet.standings.matrix
            else _("Blue: the row wins more of the column; orange: it loses more")
        )  # fmt: skip
        self._map.set_cells([self.shown(name) for name in sheet.names], heats(sheet.standings.pairs))
        return Stacked([self._map, Paragraph(lambda: self._words(self._map.row, self._map.column))], grow=1)

    def _words(self, row: int, column: int) -> str:
        if self.sheet is None or not self.sheet.names:
            return ""
        return cell_words(self.sheet.standings.pairs, row, column, self.shown)

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
            Heat(percent(value), 2 * value - 1)
            if isinstance(table, WinMatrix)
            else Heat(short_number(value), (value - low) / width)
        )

    return heat


def cell_words(table: PairTable, row: int, column: int, shown: Callable[[str], str]) -> str:
    """Return the text of one cell; `shown` is what people read for a player."""
    name, other, games = shown(table.names[row]), shown(table.names[column]), int(table.games[row, column])
    if not games:
        if row == column:
            return _("{player}: a player never plays itself").format(player=name)
        return _("{player} and {other} have not met").format(player=name, other=other)
    value, low, high = (float(array[row, column]) for array in (table.values, table.low, table.high))
    count = ngettext("{count} match", "{count} matches", games).format(count=local_number(f"{games:,}"))
    if isinstance(table, WinMatrix):
        return _("{player} wins {rate} ({low} to {high}) of {matches} against {other}, draws as half").format(
            player=name,
            rate=percent(value),
            low=percent(low),
            high=percent(high),
            matches=count,
            other=other,
        )
    who = (_("{player} alone") if row == column else _("{player} with {other}")).format(player=name, other=other)
    score = short_number(value)
    if not math.isnan(low):
        score = _("{score} ({low} to {high})").format(score=score, low=short_number(low), high=short_number(high))
    return _("{players}: {score} in {matches}").format(players=who, score=score, matches=count)
