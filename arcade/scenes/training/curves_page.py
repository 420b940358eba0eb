"""CurvesPage: charts of a run's metrics, redrawn only for new points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pygame

from agents.wire.trainer_events import PoolMember
from arcade.engine.ui import theme
from arcade.engine.ui.axes import share, short_number
from arcade.engine.ui.old_charts import LINES, Line, LineChart
from arcade.engine.ui.widgets import Widget
from arcade.scenes.training.pages import AREA, RunPage
from arcade.session.training.client import AGAINST
from arcade.session.training.run_link import RunLink

MEMBERS = 5
"""The strongest members of the pool, whose win rates are drawn."""


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart; it shows the first of `names` that the trainer publishes."""

    title: str
    names: tuple[str, ...]
    columns: int = 1  # of the four
    show: Callable[[float], str] = short_number
    low: float | None = None
    high: float | None = None


CHARTS = (
    Chart("Win rate", ("win_rate",), columns=2, show=share, low=0.0, high=1.0),
    Chart("Return", ("return", "episode_return", "score")),
    Chart("Steps a second", ("steps_per_second",), low=0.0),
    Chart("Entropy", ("entropy",)),
    Chart("KL divergence", ("kl", "mean_kl", "mean_kl_loss")),
    Chart("Policy loss", ("policy_loss",)),
    Chart("Value loss", ("vf_loss", "value_loss", "qf_loss")),
)


class CurvesPage(RunPage):
    """Four columns and two rows; a press enlarges a chart, another press returns."""

    title = "Curves"

    def __init__(self, link: RunLink) -> None:
        super().__init__(link)
        self._charts = [
            LineChart(rect, one.title, show=one.show, low=one.low, high=one.high, press=self._press, hint="Enlarge")
            for one, rect in zip(CHARTS, _places(), strict=True)
        ]
        self._rects = [widget.rect.copy() for widget in self._charts]
        self._alone: LineChart | None = None
        self._changed = False
        self._seen = (-1, -1)
        self._stale: list[tuple[Chart, LineChart]] = []  # charts to redraw
        self._colours: dict[str, int] = {}  # of the drawn members, so that each keeps its colour

    def widgets(self) -> list[Widget]:
        return list(self._charts) if self._alone is None else [self._alone]

    def update(self, now: float) -> bool:
        seen = (self.link.curves.version, self.link.pools.version)
        if not self._stale and seen != self._seen:
            self._seen, self._stale = seen, list(zip(CHARTS, self._charts, strict=True))
        if self._stale:  # one per frame: all at once would take too long
            chart, widget = self._stale.pop(0)
            widget.set_lines(self._lines(chart), title=self._title(chart))
        changed, self._changed = self._changed, False
        return changed

    def _press(self, widget: LineChart) -> None:
        """Enlarge a chart, or show all again."""
        self._alone = widget if self._alone is None else None
        for chart, rect in zip(self._charts, self._rects, strict=True):
            chart.rect = AREA.copy() if chart is self._alone else rect.copy()
        self._changed = True

    def _title(self, chart: Chart) -> str:
        """The chart's title, or the name of a figure shown instead of the first."""
        name = self.link.curves.first(*chart.names)
        return chart.title if name in (chart.names[0], "") else name.replace("_", " ").capitalize()

    def _lines(self, chart: Chart) -> list[Line]:
        found = self.link.curves.of(*chart.names)
        many = len(found) > 1 or (chart is CHARTS[0] and bool(self._members()))
        lines = [
            Line(policy or ("all" if many else ""), points, place % LINES, bold=chart is CHARTS[0])
            for place, (policy, points) in enumerate(found.items())
        ]
        return lines + self._member_lines(len(lines)) if chart is CHARTS[0] else lines

    def _members(self) -> list[PoolMember]:
        """The strongest members of all pools by rating, else those with most games."""
        members = [member for pool in self.link.pools.of.values() for member in pool]
        played = {member.name: member for member in members if member.games and member.win_rate is not None}

        def strength(member: PoolMember) -> tuple[bool, float, int]:
            return member.rating is not None, member.rating or 0.0, member.games

        return sorted(played.values(), key=strength, reverse=True)[:MEMBERS]

    def _member_lines(self, taken: int) -> list[Line]:
        members, curves = self._members(), self.link.curves.of(AGAINST)
        names = [member.name for member in members]
        kept = {name: place for name, place in self._colours.items() if name in names and place >= taken}
        free = [place for place in range(taken, taken + LINES) if place not in kept.values()]
        self._colours = {name: kept[name] if name in kept else free.pop(0) for name in names}
        return [Line(name, curves[name], self._colours[name] % LINES) for name in names if curves.get(name)]


def _places() -> list[pygame.Rect]:
    """A rectangle for each chart, row by row."""
    width, height = (AREA.w - 3 * theme.GAP) // 4, (AREA.h - theme.GAP) // 2
    rects, column, row = [], 0, 0
    for chart in CHARTS:
        if column + chart.columns > 4:
            column, row = 0, row + 1
        left = AREA.left + column * (width + theme.GAP)
        wide = chart.columns * width + (chart.columns - 1) * theme.GAP
        rects.append(pygame.Rect(left, AREA.top + row * (height + theme.GAP), wide, height))
        column += chart.columns
    return rects
