"""Timeline: the events of a recorded match, and its scores at any tick."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from agents.seats.controller import Action, AgentID
from arcade.games.spec import GameSpec
from arcade.match.playback.replay import Replay

MarkKind = Literal["point", "takeover", "seat", "end"]

DENSE = 0.2
"""Share of rewarded ticks from which on rewards are no events."""

BACK = 256
"""Ticks that are searched for a seat's last action."""


@dataclass(frozen=True, slots=True)
class Mark:
    """An event on the timeline."""

    tick: int
    kind: MarkKind
    words: str  # what happened, for people


@dataclass(slots=True)
class _Earned:
    """The rewards of one seat: few of many ticks have any."""

    ticks: array[int] = field(default_factory=lambda: array("q"))
    sums: array[float] = field(default_factory=lambda: array("d"))  # up to each of them

    def add(self, tick: int, reward: float) -> None:
        self.ticks.append(tick)
        self.sums.append((self.sums[-1] if self.sums else 0.0) + reward)

    def at(self, tick: int) -> float:
        """The sum up to that tick."""
        place = bisect_right(self.ticks, tick)
        return self.sums[place - 1] if place else 0.0


class Timeline:
    """Reads all of the replay once, so that questions are cheap."""

    def __init__(self, replay: Replay, spec: GameSpec) -> None:
        self.spec, self._replay = spec, replay
        self.ticks = len(replay.actions)
        self._earned = {agent: _Earned() for agent in spec.agents}
        for tick, rewards in enumerate(replay.rewards):
            for agent, reward in rewards.items():
                if reward and agent in self._earned:
                    self._earned[agent].add(tick, reward)
        marks = [*self._points(), *self._changes(), *self._ends()]
        self.marks = tuple(sorted(marks, key=lambda mark: (mark.tick, mark.kind)))
        self._ticks_of_marks = [mark.tick for mark in self.marks]

    def scores(self, tick: int) -> dict[AgentID, float]:
        """Each seat's sum of rewards up to that tick."""
        return {agent: earned.at(tick) for agent, earned in self._earned.items()}

    def next(self, tick: int) -> Mark | None:
        """The first mark behind that tick."""
        at = bisect_right(self._ticks_of_marks, tick)
        return self.marks[at] if at < len(self.marks) else None

    def previous(self, tick: int) -> Mark | None:
        """The last mark before that tick."""
        at = bisect_left(self._ticks_of_marks, tick)
        return self.marks[at - 1] if at else None

    def at(self, tick: int) -> tuple[Mark, ...]:
        """The marks of that very tick."""
        return self.marks[bisect_left(self._ticks_of_marks, tick) : bisect_right(self._ticks_of_marks, tick)]

    def action(self, agent: AgentID, tick: int) -> tuple[Action | None, Action | None, int]:
        """The seat's last action by that tick, the action it had sent instead (None: the same), and the tick of it.

        The time is the tick that came of it; (None, None, 0) where it did nothing lately.
        """
        for index in range(min(tick, self.ticks), max(0, tick - BACK), -1):
            done = self._replay.actions[index - 1].get(agent)
            if done is not None:
                return done, self._replay.sent.get(index, {}).get(agent), index
        return None, None, 0

    def _points(self) -> list[Mark]:
        rewarded = {tick for earned in self._earned.values() for tick in earned.ticks}
        if len(rewarded) > DENSE * (self.ticks + 1):
            return []
        starts = [tick for tick in rewarded if tick - 1 not in rewarded]
        return [Mark(tick, "point", self._point_words(self._replay.rewards[tick])) for tick in starts]

    def _point_words(self, paid: Mapping[AgentID, float]) -> str:
        told = [f"{agent} {paid[agent]:+g}" for agent in self.spec.agents if paid.get(agent)]
        return ", ".join(told[:3]) + (" …" if len(told) > 3 else "")

    def _changes(self) -> list[Mark]:
        return [
            Mark(change["tick"], _kind_of(change), _change_words(change))
            for change in self._replay.changes
            if isinstance(change.get("tick"), int)
        ]

    def _ends(self) -> list[Mark]:
        """Ends of seats before the end of the match."""
        return [
            Mark(tick, "end", ", ".join(map(str, seats)) + (" is out" if len(seats) == 1 else " are out"))
            for tick, seats in self._replay.ends.items()
            if tick < self.ticks
        ]


def _kind_of(change: dict[str, object]) -> MarkKind:
    return "takeover" if change.get("why") in ("takeover", "give back") else "seat"


def _change_words(change: dict[str, object]) -> str:
    agent, label = change.get("agent", ""), change.get("label", "")
    told = {
        "takeover": f"{label} takes {agent} over",
        "give back": f"{label} has {agent} back",
        "join": f"{label} joins as {agent}",
        "leave": f"{label} plays {agent} on",
    }
    return told.get(str(change.get("why")), f"{label} takes {agent}")
