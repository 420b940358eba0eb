"""Timeline: the events of a recorded match, and its scores at any tick."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from agents.seats.controller import Action, AgentID
from arcade.games.scores import RETURNS, Points
from arcade.games.spec import GameSpec
from arcade.language import N_, _, ngettext
from arcade.match.playback.replay import Replay
from arcade.match.stage.tick import Tick

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
    text: str  # for people; "" for a point of a game that counts by itself: the score at that tick says it


class Timeline:
    """Reads all of the replay once, so that queries are cheap."""

    def __init__(self, replay: Replay, spec: GameSpec, *, name: Callable[[str], str] = str) -> None:
        """`name` returns what people read for the label of a player."""
        self.spec, self._replay, self._name = spec, replay, name
        self.ticks = len(replay.actions)
        self._rewarded = {agent: array("q") for agent in spec.agents}  # ticks with a reward: few of many
        self._sums = {agent: array("d", [0.0]) for agent in spec.agents}  # of rewards, before and at each of them
        for tick, rewards in enumerate(replay.rewards):
            for agent, reward in rewards.items():
                if reward and agent in self._sums:
                    self._rewarded[agent].append(tick)
                    self._sums[agent].append(self._sums[agent][-1] + reward)
        marks = [*self._points(), *self._changes(), *self._ends()]
        self.marks = tuple(sorted(marks, key=lambda mark: (mark.tick, mark.kind)))
        self._ticks_of_marks = [mark.tick for mark in self.marks]

    def scores(self, tick: int) -> dict[AgentID, float]:
        """Each seat's sum of rewards up to that tick."""
        return {agent: self._sums[agent][bisect_right(ticks, tick)] for agent, ticks in self._rewarded.items()}

    def score(self, tick: Tick) -> Points:
        """Each team's score at that tick as the game counts it, see `GameSpec.score`."""
        return self.spec.score.of_teams(tick.score, self.scores(tick.index), self.spec.teams)

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
        """The seat's last executed action by that tick, the action sent instead (None: the same), and its tick.

        The tick is the one that the action led to; (None, None, 0) where the seat did nothing lately.
        """
        for index in range(min(tick, self.ticks), max(0, tick - BACK), -1):
            done = self._replay.actions[index - 1].get(agent)
            if done is not None:
                return done, self._replay.sent.get(index, {}).get(agent), index
        return None, None, 0

    def _points(self) -> list[Mark]:
        rewarded = {tick for ticks in self._rewarded.values() for tick in ticks}
        if len(rewarded) > DENSE * (self.ticks + 1):
            return []
        starts = [tick for tick in rewarded if tick - 1 not in rewarded and self._is_point(self._replay.rewards[tick])]
        return [Mark(tick, "point", self._point_text(self._replay.rewards[tick])) for tick in starts]

    def _is_point(self, rewards: Mapping[AgentID, float]) -> bool:
        """Whether a seat gains by it: a penalty, such as for a serve that comes late, is no point of a game."""
        return self.spec.score is RETURNS or any(reward > 0 for reward in rewards.values())

    def _point_text(self, rewards: Mapping[AgentID, float]) -> str:
        spec = self.spec
        if spec.score.source is not None:
            return ""
        if not spec.score.counts:
            winners = [spec.seat_title(agent) for agent in spec.agents if rewards.get(agent, 0) > 0]
            return ngettext("{seats} wins", "{seats} win", len(winners)).format(seats=_short(winners))
        return _short([f"{spec.seat_title(agent)} {rewards[agent]:+g}" for agent in spec.agents if rewards.get(agent)])

    def _changes(self) -> list[Mark]:
        return [
            Mark(change["tick"], _kind_of(change), _change_text(change, self.spec, self._name))
            for change in self._replay.changes
            if isinstance(change.get("tick"), int)
        ]

    def _ends(self) -> list[Mark]:
        """Ends of seats before the end of the match."""
        return [
            Mark(
                tick,
                "end",
                ngettext("{seats} is out", "{seats} are out", len(seats)).format(
                    seats=", ".join(map(self.spec.seat_title, seats))
                ),
            )
            for tick, seats in self._replay.ends.items()
            if tick < self.ticks
        ]


def _short(parts: Sequence[str]) -> str:
    return ", ".join(parts[:3]) + (" …" if len(parts) > 3 else "")


def _kind_of(change: dict[str, object]) -> MarkKind:
    return "takeover" if change.get("why") in ("takeover", "give back") else "seat"


_CHANGES = {
    "takeover": N_("{player} takes over {seat}"), "give back": N_("{player} has {seat} back"),
    "join": N_("{player} joins as {seat}"), "leave": N_("{player} takes over {seat}"),
}  # fmt: skip


def _change_text(change: dict[str, object], spec: GameSpec, name: Callable[[str], str]) -> str:
    seat, player = spec.seat_title(str(change.get("agent", ""))), name(str(change.get("label", "")))
    return _(_CHANGES.get(str(change.get("why")), N_("{player} takes {seat}"))).format(player=player, seat=seat)
