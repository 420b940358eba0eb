"""RunPage: one page of a run's screen.  PoolPage: its opponent pool.  MatchmakingPage: which opponents are drawn."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from agents.wire.trainer_events import WEIGHTINGS, PoolMember
from arcade.engine.ui import theme
from arcade.engine.ui.axes import short_number
from arcade.engine.ui.table import Bar, Cell, Column, DataTable
from arcade.engine.ui.widgets import Choice, Slider, Widget
from arcade.scenes.screen import TabPage
from arcade.session.training.run_link import RunLink

AREA = pygame.Rect(40, 170, 1200, 496)
"""The area of a page, between the buttons and the foot."""


class RunPage(TabPage):
    """Shown and hidden any number of times."""

    def __init__(self, link: RunLink) -> None:
        self.link = link

    def hide(self) -> None:
        """Free what the page needs only while it is shown."""

    def update(self, now: float) -> bool:
        """Update a shown page; True where `widgets` changed."""
        return False

    def rest(self, now: float) -> None:
        """Do a little work between two frames while shown."""


COLUMNS = (
    Column("Opponent", 2.6),
    Column("Kind", 1.0),
    Column("Rating", 1.4, figures=True),
    Column("Wins against it", 3.2),
    Column("Games", 0.8, figures=True),
    Column("Picked", 0.8, figures=True),
    Column("Frozen at", 1.0, figures=True),
)

ORDERS: dict[str, Callable[[PoolMember], tuple[bool, float]]] = {
    "rating": lambda m: (m.rating is not None, m.rating or 0.0),
    "hardest": lambda m: (m.win_rate is not None, -(m.win_rate or 0.0)),
    "newest": lambda m: (m.frozen_at is not None, float(m.frozen_at or 0)),
    "most played": lambda m: (True, float(m.games)),
}


class PoolPage(RunPage):
    """A scrolling table; where several policies learn, one pool at a time."""

    title = "Pool"

    def __init__(self, link: RunLink) -> None:
        super().__init__(link)
        top = AREA.top + 58
        self._table = DataTable(
            pygame.Rect(AREA.left, top, AREA.w, AREA.bottom - top), COLUMNS, empty="No opponents yet",
            hint="Ratings with deviation; win rates with 95 % interval",
        )  # fmt: skip
        self._order = Choice((AREA.left, AREA.top, 420, 48), "Order", list(ORDERS), change=self._fill, hint="Sort by")
        self._policy = Choice(
            (AREA.left + 440, AREA.top, 520, 48), "Pool of", ("",), change=self._fill,
            hint="Each policy has opponents of its own",
        )  # fmt: skip
        self._seen = -1

    def widgets(self) -> list[Widget]:
        return [self._order, *([self._policy] if len(self._policy.options) > 1 else []), self._table]

    def update(self, now: float) -> bool:
        pools = self.link.pools
        if pools.version == self._seen:
            return False
        self._seen = pools.version
        before, self._policy.options = self._policy.options, list(pools.of) or [""]
        self._policy.index = min(self._policy.index, len(self._policy.options) - 1)
        self._fill()
        return before != self._policy.options

    def _fill(self, index: int = 0) -> None:
        members = self.link.pools.of.get(self._policy.value, ())
        ordered = sorted(members, key=ORDERS[self._order.value], reverse=True)
        self._table.set_rows([_row(member) for member in ordered])


def _row(member: PoolMember) -> list[Cell]:
    rating = "" if member.rating is None else f"{member.rating:.1f}"
    if rating and member.sigma is not None:
        rating += f" ± {member.sigma:.1f}"
    return [
        member.name,
        member.kind,
        rating,
        _wins(member),
        f"{member.games:,}",
        "" if member.weight is None else f"{member.weight:.1%}" if 0 <= member.weight <= 1 else "",
        "" if member.frozen_at is None else short_number(member.frozen_at),
    ]


def _wins(member: PoolMember) -> Cell:
    if member.win_rate is None or (not member.games and member.low is not None):
        return "not played yet"
    low, high = (member.win_rate if end is None else end for end in (member.low, member.high))
    return Bar(member.win_rate, min(low, high), max(low, high), f"{member.win_rate:.0%}  ({low:.0%} to {high:.0%})")


SEND_AFTER = 0.4
"""Seconds without another change until it is sent, so that dragging a slider is one request."""

WORDS = {
    "play_against_latest_model_ratio": (
        "Against itself", "Share of episodes with the learning policy in every seat",
    ),
    "newest_ratio": ("Against the newest", "Share of the newest snapshot in the episodes against snapshots"),
    "fixed_ratio": ("Against fixed opponents", "Share of episodes against scripted players, files, engines …"),
}  # fmt: skip
WEIGHTING_HINT = "Draw older snapshots uniformly, prefer even matches (variance), or strong opponents (hard)"


class MatchmakingPage(RunPage):
    """Shows the settings in force; changes are sent after a short pause, and refused ones revert."""

    title = "Matchmaking"

    def __init__(self, link: RunLink) -> None:
        super().__init__(link)
        self._changed: dict[str, float | str] = {}  # unsent
        self._at: float | None = None  # time of the last change
        self._touched = False
        self._shown: tuple[object, ...] = ()

    def widgets(self) -> list[Widget]:
        matchmaking = self.link.status.matchmaking
        rows = [
            pygame.Rect(AREA.left, AREA.top + 50 + place * 72, 900, 58) for place in range(len(matchmaking.ratios) + 1)
        ]
        sliders: list[Widget] = [
            Slider(
                rect, WORDS[name][0], value=value, step=0.05, hint=WORDS[name][1],
                change=lambda value, name=name: self._change(name, value),  # type: ignore[misc]
            )
            for rect, (name, value) in zip(rows, matchmaking.ratios, strict=False)
        ]  # fmt: skip
        if matchmaking.weighting:
            index = WEIGHTINGS.index(matchmaking.weighting)
            sliders.append(
                Choice(
                    rows[-1], "Older snapshots", WEIGHTINGS, index=index, hint=WEIGHTING_HINT,
                    change=lambda index: self._change("weighting", WEIGHTINGS[index]),
                )
            )  # fmt: skip
        for widget in sliders:
            widget.enabled = self.link.live
        return sliders

    def update(self, now: float) -> bool:
        if self._touched:
            self._touched, self._at = False, now
        if self._at is not None and now - self._at >= SEND_AFTER:
            self._send()
        matchmaking = self.link.status.matchmaking
        shown = (matchmaking.ratios, matchmaking.weighting, self.link.live)
        if self._changed or self._at is not None or shown == self._shown:
            return False
        self._shown = shown
        return True

    def hide(self) -> None:
        self._send()

    def draw(self, canvas: pygame.Surface) -> None:
        if self.link.status.matchmaking.model_fields_set:
            words = "Changes apply from the next episodes on"
        elif self.link.live:
            words = "This trainer does not publish its matchmaking"
        else:
            words = "Shown while a trainer answers"
        theme.draw_text(canvas, words, (AREA.left, AREA.top + 6), colour=theme.MUTED)

    def _change(self, name: str, value: float | str) -> None:
        self._changed[name] = value
        self._touched = True

    def _send(self) -> None:
        changed, self._changed, self._at = self._changed, {}, None
        if changed and self.link.live and self.link.client is not None:
            self.link.client.request("matchmaking", changed)
            self._shown = ()  # show the settings in force again, in case it is refused
