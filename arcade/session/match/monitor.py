"""MatchMonitor: observes every tick of a match for the window; Absences: seats without timely actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from agents.seats.controller import AgentID
from arcade.match.play.result import Recorder
from arcade.session.recordings.gap_texts import gap_text

if TYPE_CHECKING:
    from agents.seats.controller import Action
    from arcade.match.play.match import Match
    from arcade.match.recording.replay_writer import ReplayWriter
    from arcade.match.stage.tick import Tick

PATIENCE = 1.0
"""Seconds of late ticks alone after which a seat counts as absent."""

REPEATED_POINTS = 8
"""Consecutive ticks with a reward after which it is no event: the game rewards every tick."""


class MatchEvent(NamedTuple):
    """One event of a tick, for sounds and vibration."""

    kind: str  # "point", "hit" or another one of the game's own
    gained: tuple[AgentID, ...] = ()  # whom it was good for; of a hit: the seats that hit
    lost: tuple[AgentID, ...] = ()


class MatchMonitor(Recorder):
    """Collects sounds, beside the writer of the recording, if there is one."""

    def __init__(self, writer: ReplayWriter | None = None) -> None:
        self.writer = writer
        self.points = 0  # ticks with a reward so far; each ends a rally
        self.penalties = 0  # rewarded ticks in a row without a gain for any seat
        self.penalised: tuple[AgentID, ...] = ()  # the seats that lost by the last of them
        self.last_actions: Mapping[AgentID, Action] = {}  # as executed
        self.hits: Counter[AgentID] = Counter()  # of each seat, in games that report them
        self._events: list[MatchEvent] = []
        self._streak = 0

    @property
    def warning(self) -> str:
        """Why a part of the match is not recorded, for the player, or ""."""
        return gap_text(self.writer.gap) if self.writer else ""

    def tick(self, tick: Tick, actions: dict[AgentID, Action], seconds: float) -> None:
        self.last_actions = {**actions, **tick.executed}
        if any(tick.rewards.values()):
            self.points += 1
            self._streak += 1
            point = _point(tick)
            self.penalties, self.penalised = (0, ()) if point.gained else (self.penalties + 1, point.lost)
            if self._streak < REPEATED_POINTS:
                self._events.append(point)
        else:
            self._streak = 0
        self._read(tick)

    def take_events(self) -> list[MatchEvent]:
        """Return the events since the last call, in order."""
        events, self._events = self._events, []
        return events

    def _read(self, tick: Tick) -> None:
        info = _first_info(tick)
        event = info.get("event")
        if isinstance(event, str) and event and event != "point":  # points are seen by their rewards
            by = tuple(info.get("by", ()))
            self._events.append(MatchEvent(event, by))
            self.hits.update(by if event == "hit" else ())


class Monitored(Protocol):
    """A match that has begun, and its monitor."""

    @property
    def match(self) -> Match: ...

    @property
    def watch(self) -> MatchMonitor: ...


def _point(tick: Tick) -> MatchEvent:
    gained = tuple(agent for agent, reward in tick.rewards.items() if reward > 0)
    return MatchEvent("point", gained, tuple(agent for agent, reward in tick.rewards.items() if reward < 0))


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
