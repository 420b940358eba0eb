"""CurvesPage: charts of a run's metrics, painted again only for new points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agents.wire.trainer_events import PoolMember
from arcade import language
from arcade.engine.ui.axes import share, short_number
from arcade.engine.ui.charts import LINES, Line, LineChart
from arcade.engine.ui.layout import Column, Grid, Row
from arcade.engine.ui.widget import Widget
from arcade.language import N_, _
from arcade.scenes.training.pages import RunPage
from arcade.session.services import Services
from arcade.session.training.client import AGAINST
from arcade.session.training.run_link import RunLink
from arcade.session.training.words import STEPS

MEMBERS = 5
"""The strongest members of the pool, whose win rates are drawn."""
HIGH, LOW = 380.0, 184.0
"""Units of the height of the first and an enlarged chart, and of the others."""


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart; it shows the first of `names` that the trainer publishes."""

    title: str
    names: tuple[str, ...]
    hint: str  # what it means, the term of the field in brackets
    show: Callable[[float], str] = short_number
    low: float | None = None
    high: float | None = None


CHARTS = (
    Chart(
        N_("Wins against earlier versions"), ("win_rate",), show=share, low=0.0, high=1.0,
        hint=N_("How often it beats its earlier versions, draws counting half; the thin lines are the strongest ones"),
    ),
    Chart(
        N_("Reward"), ("return", "episode_return", "score"),
        hint=N_("The points that it collects in a game, on average (return)"),
    ),
    Chart(
        N_("Steps a second"), ("steps_per_second",), low=0.0, hint=N_("Steps of the game that are played a second")
    ),
    Chart(
        N_("Variety"), ("entropy",),
        hint=N_("How much it still tries out: it falls as the AI becomes sure of its choices (entropy)"),
    ),
    Chart(
        N_("Change per update"), ("clip_fraction", "kl", "mean_kl", "mean_kl_loss"),
        hint=N_("How far an update moves its play: small and steady is good (KL divergence, or clip fraction)"),
    ),
    Chart(
        N_("Error of its choices"), ("policy_loss",),
        hint=N_("What an update lowers so that good actions become likelier; no measure of strength (policy loss)"),
    ),
    Chart(
        N_("Error of its forecasts"), ("vf_loss", "value_loss", "qf_loss"),
        hint=N_("How wrong it is about how a game will go (value loss, or Q loss)"),
    ),
)  # fmt: skip


OTHERS = {"score": N_("Score"), "clip_fraction": N_("Clipped choices")}
"""Titles of figures that are not the ones a chart is named after."""


class CurvesPage(RunPage):
    """The win rate large, the others beside it; a press enlarges a chart, another press returns."""

    title, hint = N_("Progress"), N_("How strong it has become, and how its training goes")

    def __init__(self, link: RunLink, services: Services) -> None:
        super().__init__(link, services)
        self.charts = [
            LineChart(
                one.title, show=one.show, low=one.low, high=one.high, press=self._press, key=one.title, unit=STEPS
            )
            for one in CHARTS
        ]  # fmt: skip
        self._alone: LineChart | None = None
        self._language = language.version
        self._changed = False
        self._seen: object = None
        self._stale: list[tuple[Chart, LineChart]] = []  # charts to fill
        self._colours: dict[str, int] = {}  # of the drawn members, so that each keeps its colour

    def body(self) -> Widget:
        for one, chart in zip(CHARTS, self.charts, strict=True):
            chart.label = self._title(one)
            if self._language != language.version:
                chart.set_lines(self._lines(one))
        self._language = language.version
        for one, chart in zip(CHARTS, self.charts, strict=True):
            chart.height = HIGH if chart in (self._alone, self.charts[0]) else LOW
            chart.hint = (
                _("{what}. Press to show all charts") if chart is self._alone else _("{what}. Press to enlarge")
            )
            chart.hint = chart.hint.format(what=_(one.hint))
            chart.width, chart.grow = (440, 2.0) if chart is self.charts[0] else (190, 1.0)
        if self._alone is not None:
            return Column([self._alone], grow=1)
        first, *others = self.charts
        return Row([first, Grid(others, cell=190, most=3, grow=3)], align="stretch", grow=1)

    def update(self, now: float) -> bool:
        seen = (self.link.curves.version, self.link.pools.version)
        if not self._stale and seen != self._seen:
            self._seen, self._stale = seen, list(zip(CHARTS, self.charts, strict=True))
        if self._stale:  # one per frame: all at once would take too long
            chart, widget = self._stale.pop(0)
            widget.set_lines(self._lines(chart), title=self._title(chart))
        changed, self._changed = self._changed, False
        return changed

    def _press(self, widget: LineChart) -> None:
        """Enlarge a chart, or show all again."""
        self._alone = widget if self._alone is None else None
        self._changed = True

    def _title(self, chart: Chart) -> str:
        """The chart's title, or that of another figure shown instead."""
        return _(OTHERS.get(self.link.curves.first(*chart.names), chart.title))

    def _lines(self, chart: Chart) -> list[Line]:
        found = self.link.curves.of(*chart.names)
        many = len(found) > 1 or (chart is CHARTS[0] and bool(self._members()))
        lines = [
            Line(policy or (_("all") if many else ""), points, place % LINES, bold=chart is CHARTS[0])
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
        kinds = {member.name: member.kind for member in members}
        kept = {name: place for name, place in self._colours.items() if name in kinds and place >= taken}
        free = [place for place in range(taken, taken + LINES) if place not in kept.values()]
        self._colours = {name: kept[name] if name in kept else free.pop(0) for name in kinds}
        return [
            Line(self.shown(name, kind), curves[name], self._colours[name] % LINES)
            for name, kind in kinds.items()
            if curves.get(name)
        ]
