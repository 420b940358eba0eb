"""The opponent pool as a table: members, ratings, and the learning policy's win rates."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from agents.wire.trainer_events import PoolMember
from arcade.engine.ui.axes import short_number
from arcade.engine.ui.table import Bar, Cell, Column, DataTable
from arcade.engine.ui.widgets import Choice, Widget
from arcade.scenes.training.pages import AREA, RunPage
from arcade.session.training.run_link import RunLink

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
    if member.win_rate is None or not member.games:
        return "not played yet"
    low, high = (member.win_rate if end is None else end for end in (member.low, member.high))
    return Bar(member.win_rate, min(low, high), max(low, high), f"{member.win_rate:.0%}  ({low:.0%} to {high:.0%})")
