"""What the window must notice of every tick, also of those between two frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agents.seats.controller import AgentID
from arcade.match.play.match import Match

if TYPE_CHECKING:
    from agents.seats.controller import Action, AgentID
    from arcade.match.play.recorder import MatchStart, Occupant, Recorder
    from arcade.match.play.result import MatchResult, SeatChange
    from arcade.match.stage.tick import Tick


REPEATED_POINTS = 8
"""Points in as many ticks in a row after which a reward is no event any more: a game that pays every tick."""


class MatchMonitor:
    """A match's recorder that counts what is heard and shown, and hands all on to `inner`, a replay's writer."""

    def __init__(self, inner: Recorder | None = None) -> None:
        self.inner = inner
        self.points = 0  # ticks with a reward so far: where a rally ends
        self.ticks = 0
        self.shown_score: tuple[Any, ...] = ()  # the game's own, where it tells one
        self.last_actions: Mapping[AgentID, Action] = {}  # as they were executed
        self._events: list[str] = []
        self._streak = 0

    @property
    def warning(self) -> str:
        """What of the match is not recorded, and why; "" while all is."""
        trouble = self.inner.trouble if self.inner else ""
        return f"The recording {trouble}" if trouble else ""

    def start(self, match: MatchStart) -> None:
        if self.inner:
            self.inner.start(match)

    def tick(self, tick: Tick, actions: dict[AgentID, Action], seconds: float) -> None:
        if self.inner:
            self.inner.tick(tick, actions, seconds)
        self.ticks += 1
        self.last_actions = {**actions, **tick.executed}
        if any(tick.rewards.values()):
            self.points += 1
            self._streak += 1
            if self._streak < REPEATED_POINTS:
                self._events.append("point")
        else:
            self._streak = 0
        self._read(tick)

    def changed(self, change: SeatChange, occupant: Occupant) -> None:
        if self.inner:
            self.inner.changed(change, occupant)

    def answered(self, occupant: Occupant) -> None:
        if self.inner:
            self.inner.answered(occupant)

    def rewound(self, tick: Tick, seconds: float) -> None:
        if self.inner:
            self.inner.rewound(tick, seconds)
        self.shown_score = score_of(tick) or self.shown_score

    def finish(self, result: MatchResult) -> None:
        if self.inner:
            self.inner.finish(result)

    def take_events(self) -> list[str]:
        """What happened since the last call, in order: "point", "hit" …"""
        events, self._events = self._events, []
        return events

    def _read(self, tick: Tick) -> None:
        self.shown_score = score_of(tick) or self.shown_score
        event = _first_info(tick).get("event")
        if isinstance(event, str) and event:
            self._events.append(event)


def score_of(tick: Tick) -> tuple[Any, ...]:
    """The game's own score, where it tells one in its infos; else ()."""
    score = _first_info(tick).get("score")
    return tuple(score) if isinstance(score, tuple | list) else ()


def _first_info(tick: Tick) -> Mapping[str, Any]:
    return next(iter(tick.infos.values()), {})


PATIENCE = 1.0
"""Seconds of nothing but late ticks after which a seat counts as absent."""


class Absences:
    """Follows a match's rows of late ticks; `update` says who went and who came back since the last call."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._rows = dict(match.late_streak)
        self._since: dict[AgentID, float] = {}  # when the unbroken row of late ticks was first seen
        self.absent: set[AgentID] = set()

    def update(self, now: float) -> tuple[list[AgentID], list[AgentID]]:
        """(went, came back) as of `now`, seconds on any clock that does not go back."""
        for agent, row in self._match.late_streak.items():
            if row < self._rows[agent] or not row:
                self._since.pop(agent, None)  # it answered in time since the last look
            self._rows[agent] = row
            if row:
                self._since.setdefault(agent, now)
        went = [a for a, since in self._since.items() if now - since > PATIENCE and a not in self.absent]
        back = [agent for agent in self.absent if agent not in self._since]
        self.absent.update(went)
        self.absent.difference_update(back)
        return went, back
