"""Recorder: receives all that happens in a match, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from agents.seats.controller import Action, AgentID, Controller
from arcade.games.spec import GameSpec
from arcade.match.play.result import MatchResult, SeatChange
from arcade.match.stage.tick import Tick


@dataclass(frozen=True, kw_only=True)
class Occupant:
    """The controller of a seat, as plain data."""

    agent: AgentID
    since: int  # its first decision led from this tick to the next
    kind: str  # of its seat word: keyboard, snapshot, remote …
    label: str
    person: str  # the name that a person agreed to be recorded under, "" otherwise
    is_human: bool
    report: Mapping[str, Any]  # as `Controller.report`

    @classmethod
    def of(cls, agent: AgentID, controller: Controller, since: int = 0) -> Occupant:
        return cls(
            agent=agent, since=since, kind=controller.kind, label=controller.label, person=controller.person,
            is_human=controller.is_human, report=controller.report(),
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class MatchStart:
    """The facts of a match before its first tick."""

    spec: GameSpec
    seed: int
    settings: Mapping[str, Any]
    seats: tuple[Occupant, ...]


class Recorder(Protocol):
    """Receives all events of a match in order: `tick` once for the reset and once for each step.

    Times are seconds since the match began, pauses included.
    """

    @property
    def trouble(self) -> str:
        """The gaps of the recording and their reason, in words behind "the recording"; "" without any."""
        return ""

    def start(self, match: MatchStart) -> None: ...

    def tick(self, tick: Tick, actions: dict[AgentID, Action], seconds: float) -> None: ...

    def changed(self, change: SeatChange, occupant: Occupant) -> None:
        """From `change.tick` on another controller, or another policy of it, decides for the seat."""

    def answered(self, occupant: Occupant) -> None:
        """The controller answered for the first time; only then is a remote's name known."""

    def rewound(self, tick: Tick, seconds: float) -> None:
        """Play resumes from `tick`; later ones are void."""

    def finish(self, result: MatchResult) -> None: ...
