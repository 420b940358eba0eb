"""MatchMonitor: observes every tick of a match for the window; Absences: seats without timely actions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.seats.controller import Action, AgentID
from arcade.match.play.match import Match
from arcade.match.play.result import MatchResult, MatchStart, Occupant, Recorder, SeatChange
from arcade.match.stage.tick import Tick

PATIENCE = 1.0
"""Seconds of late ticks alone after which a seat counts as absent."""

REPEATED_POINTS = 8
"""Consecutive ticks with a reward after which it is no event: the game rewards every tick."""


class MatchMonitor:
    """Collects sounds and scores, and passes all events on to `inner`, the writer of the recording."""

    def __init__(self, inner: Recorder | None = None) -> None:
        self.inner = inner
        self.points = 0  # ticks with a reward so far; each ends a rally
        self.ticks = 0
        self.shown_score: tuple[Any, ...] = ()  # the game's own, if it has one
        self.last_actions: Mapping[AgentID, Action] = {}  # as executed
        self._events: list[str] = []
        self._streak = 0

    @property
    def warning(self) -> str:
        """Why a part of the match is not recorded, or ""."""
        return f"The recording {self.inner.trouble}" if self.inner and self.inner.trouble else ""

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
        """Return the events since the last call, in order: "point", "hit" …"""
        events, self._events = self._events, []
        return events

    def _read(self, tick: Tick) -> None:
        self.shown_score = score_of(tick) or self.shown_score
        event = _first_info(tick).get("event")
        if isinstance(event, str) and event:
            self._events.append(event)


def score_of(tick: Tick) -> tuple[Any, ...]:
    """Return the game's own score from its infos, or ()."""
    score = _first_info(tick).get("score")
    return tuple(score) if isinstance(score, tuple | list) else ()


def _first_info(tick: Tick) -> Mapping[str, Any]:
    return next(iter(tick.infos.values()), {})


class Absences:
    """Finds seats whose actions have all been late for a while."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._streaks = dict(match.late_streak)
        self._since: dict[AgentID, float] = {}  # when the present streak of late ticks was first seen
        self.absent: set[AgentID] = set()

    def update(self, now: float) -> tuple[list[AgentID], list[AgentID]]:
        """Return the seats that became absent, and that came back, since the last call; `now` is in seconds."""
        for agent, streak in self._match.late_streak.items():
            if streak < self._streaks[agent] or not streak:
                self._since.pop(agent, None)  # it acted in time since the last call
            self._streaks[agent] = streak
            if streak:
                self._since.setdefault(agent, now)
        went = [a for a, since in self._since.items() if now - since > PATIENCE and a not in self.absent]
        back = [agent for agent in self.absent if agent not in self._since]
        self.absent.update(went)
        self.absent.difference_update(back)
        return went, back
