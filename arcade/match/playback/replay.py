"""Replay: a recorded match in memory, enough to play it again exactly."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.errors import UserError
from agents.seats.controller import Action, AgentID, Controller, Turn
from agents.wire.encoding import pack, unpack
from arcade.games import GameError, find_game
from arcade.games.spec import GameSpec
from arcade.match.play.result import RecordingSource
from arcade.match.stage.tick import Tick, tick_digest


class ReplayError(UserError):
    """A file that is not a replay, or a replay of a game that is not available here."""


class ReplayVersionError(ReplayError):
    """A replay of another version of the format."""

    is_newer = False


@dataclass
class Replay:
    """A replay without its observations and without ticks that a rewind made void.

    Tick 0 is the reset; `actions[t]` led from tick t to tick t + 1.
    """

    path: Path
    head: dict[str, Any]
    actions: list[dict[AgentID, Action]] = field(default_factory=list)  # executed, of tick 1, 2, …
    digests: list[int] = field(default_factory=list)  # of tick 0, 1, …
    sent: dict[int, dict[AgentID, Action]] = field(default_factory=dict)  # tick → actions sent but not executed
    acting: list[tuple[AgentID, ...]] = field(default_factory=list)  # of tick 0, 1, …: the seats that act next
    rewards: list[dict[AgentID, float]] = field(default_factory=list)  # of tick 0, 1, …; those that are not 0
    masks: list[dict[AgentID, NDArray[np.int8]]] = field(default_factory=list)  # of tick 0, 1, …; where there are any
    ends: dict[int, dict[AgentID, str]] = field(default_factory=dict)  # tick → agent → "terminated" or "truncated"
    times: list[float] = field(default_factory=list)  # of tick 0, 1, …: seconds since the start, pauses included
    sources: list[RecordingSource] = field(default_factory=list)  # in order of their ticks; complete at the first query
    observed: tuple[AgentID, ...] = ()  # seats with observations in the file
    changes: list[dict[str, Any]] = field(default_factory=list)  # each a SeatChange as JSON
    result: dict[str, Any] | None = None  # None where the recording was cut off
    damage: str = ""  # why reading stopped before the end, "" otherwise

    def is_same(self, tick: Tick, *, by_rewards: bool = False) -> bool:
        """Whether `tick` is as recorded; `by_rewards` ignores observations, which may look different when drawn."""
        if by_rewards:
            earned = {agent: float(reward) for agent, reward in tick.rewards.items() if reward}
            return self.rewards[tick.index] == earned
        return tick_digest(tick) == self.digests[tick.index]

    @property
    def seed(self) -> int:
        return int(self.head["seed"])

    @property
    def lineup(self) -> dict[str, str]:
        """Each seat's label, from the result or else the header."""
        lineup = (self.result or self.head).get("lineup")
        return {str(agent): str(label) for agent, label in lineup.items()} if isinstance(lineup, dict) else {}

    def source_at(self, agent: AgentID, tick: int) -> RecordingSource:
        """The source of the action of `agent` that led from `tick` to the next.

        Without a source in the file only the label is known.
        """
        of_seat = self._by_seat.get(str(agent))
        if not of_seat:
            return RecordingSource(tick=0, agent=str(agent), kind="", label=self.lineup.get(str(agent), ""))
        return of_seat[max(0, bisect_right(of_seat, tick, key=lambda source: source.tick) - 1)]

    @cached_property
    def _by_seat(self) -> dict[str, list[RecordingSource]]:
        found: dict[str, list[RecordingSource]] = {}
        for source in self.sources:
            found.setdefault(source.agent, []).append(source)
        return found

    def spec(self) -> GameSpec:
        """The game as it was made; raises ReplayError where it is not available here."""
        spec = self._find()
        if self.start:
            spec = replace(spec, start=self.start)
        if self.for_people:
            return spec.for_people()
        return spec.for_matches() if self._made_as(spec.for_matches()) else spec

    @property
    def start(self) -> str:
        """The position that the match began with, "" for the game's own."""
        settings = self.head.get("settings")
        start = settings.get("start", "") if isinstance(settings, dict) else ""
        return start if isinstance(start, str) else ""

    @property
    def for_people(self) -> bool:
        """Whether the game was made as people play it, not as policies do."""
        spec = self._find()
        made_for_people = spec.for_people()
        return made_for_people.kwargs != spec.for_matches().kwargs and self._made_as(made_for_people)

    def _made_as(self, spec: GameSpec) -> bool:
        return bool(self.head.get("kwargs") == unpack(pack(dict(spec.kwargs))))

    def _find(self) -> GameSpec:
        try:
            return find_game(self.head["game"])
        except GameError as error:
            raise ReplayError(f"{self.path.name}: {error}", code=error.code) from error


class ReplayController(Controller):
    """Repeats the actions that a seat had in a recording."""

    kind = "replay"
    rated = False

    def __init__(self, replay: Replay, agent: AgentID) -> None:
        self.label = replay.lineup.get(str(agent), "replay")
        self._agent = agent
        self._actions = replay.actions
        self._tick = 0

    def observe(self, turn: Turn) -> None:
        self._tick = turn.tick

    def act(self) -> Action | None:
        return self._actions[self._tick].get(self._agent) if self._tick < len(self._actions) else None
