"""The table: everyone's rating or score, and how sure it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from agents.ladder.ratings.batch import Estimate
from agents.ladder.ratings.standings import Standing
from agents.statistics import Mean
from arcade.engine.ui.axes import Span, short_number
from arcade.engine.ui.table import Bar, Cell, Column, DataTable
from arcade.engine.ui.widgets import Widget
from arcade.scenes.ladder.pages import AREA, FEW_WORDS, LadderPage
from arcade.session.ladder_book import LadderSheet

VERSUS = (
    Column("", 0.35, figures=True), Column("Player", 2.4), Column("Kind", 1.05),
    Column("OpenSkill", 1.3, figures=True), Column("Elo over all matches", 4.2), Column("Elo", 0.6, figures=True),
    Column("Games", 0.8, figures=True), Column("Won", 0.6, figures=True), Column("Drawn", 0.75, figures=True),
    Column("Lost", 0.6, figures=True),
)  # fmt: skip
COOPERATIVE = (
    Column("", 0.35, figures=True), Column("Player", 2.3), Column("Kind", 1.0), Column("Score alone", 3.4),
    Column("Games", 0.7, figures=True), Column("Score with others", 3.4), Column("Games", 0.7, figures=True),
)  # fmt: skip
HINT = "Ratings with their 95 % intervals; who is surely strong stands first"
HINT_SCORES = "Mean score of a match with its 95 % interval; the best alone first"
ROOM = 150.0
"""Points of Elo beside the strongest and the weakest that the scale has; an interval may be cut off there."""


class TablePage(LadderPage):
    """Accept or a click on a row shows that player against the one it met most."""

    title = "Table"

    def __init__(self, meet: Callable[[str, str], None]) -> None:
        super().__init__(meet)
        self._table = DataTable(AREA, VERSUS, empty=FEW_WORDS, press=self._press)

    def set_sheet(self, sheet: LadderSheet | None) -> None:
        super().set_sheet(sheet)
        cooperative = sheet is not None and sheet.standings.facts.cooperative
        self._table.columns = COOPERATIVE if cooperative else VERSUS
        self._table.hint = HINT_SCORES if cooperative else HINT
        table = sheet.standings.table if sheet is not None else ()
        self._table.set_rows(_scores(table) if cooperative else _ratings(table))

    def widgets(self) -> list[Widget]:
        return [self._table]

    def draw(self, canvas: pygame.Surface) -> None:
        self._table.words = self._table.row_words()  # enlarged, a row does not fit into the window

    def _press(self, row: int) -> None:
        if self.sheet is not None and len(self.sheet.names) > 1 and (name := self.sheet.player(row)):
            self.meet(name, self.sheet.partner(name))


def _ratings(table: Sequence[Standing]) -> list[list[Cell]]:
    rated = [(one, one.rating) for one in table if one.rating is not None]
    elos = _span([(one.batch.elo - ROOM, one.batch.elo + ROOM) for one in table if one.batch is not None])
    rows: list[list[Cell]] = []
    for place, (one, rating) in enumerate(rated, 1):
        batch = one.batch
        rows.append([
            f"{place}", one.name, one.kind, f"{rating.mu:.1f} ± {rating.high - rating.mu:.1f}",
            _elo(elos, batch) if batch is not None else "",
            f"{rating.elo:.0f}", f"{rating.games:,}", f"{rating.wins:,}", f"{rating.draws:,}", f"{rating.losses:,}",
        ])  # fmt: skip
    return rows


def _scores(table: Sequence[Standing]) -> list[list[Cell]]:
    means = [mean for one in table if one.score for mean in (one.score.alone, one.score.mixed) if mean is not None]
    span = _span([(_end(mean.low, mean), _end(mean.high, mean)) for mean in means])
    rows: list[list[Cell]] = []
    for place, one in enumerate(table, 1):
        alone, mixed = (one.score.alone, one.score.mixed) if one.score is not None else (None, None)
        rows.append([
            f"{place}", one.name, one.kind, _mean(span, alone), _count(alone), _mean(span, mixed), _count(mixed)
        ])  # fmt: skip
    return rows


def _mean(span: Span, mean: Mean | None) -> Cell:
    if mean is None:
        return "no match"
    if mean.low is None or mean.high is None:
        return f"{short_number(mean.mean)} in one match"
    words = f"{short_number(mean.mean)}  ({short_number(mean.low)} to {short_number(mean.high)})"
    return Bar(span.share(mean.mean), span.share(mean.low), span.share(mean.high), words, dot=True)


def _count(mean: Mean | None) -> str:
    return f"{mean.count:,}" if mean is not None else "0"


def _end(end: float | None, mean: Mean) -> float:
    return mean.mean if end is None else end


def _span(ends: Sequence[tuple[float, float]]) -> Span:
    """What a column's bars share."""
    return Span.around(min((low for low, _ in ends), default=0.0), max((high for _, high in ends), default=1.0))


def _elo(span: Span, estimate: Estimate) -> Bar:
    words = f"{estimate.elo:.0f}  ({estimate.low:.0f} to {estimate.high:.0f})"
    return Bar(span.share(estimate.elo), span.share(estimate.low), span.share(estimate.high), words, dot=True)
