"""Recorder: who is told of all that happens in a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from agents.seats.controller import Action, AgentID
from arcade.match.play.result import MatchResult, SeatChange
from arcade.match.stage.tick import Tick

if TYPE_CHECKING:
    from arcade.match.play.match import Match


class Recorder(Protocol):
    """Is told everything that happened, in order; `tick` comes once for the reset and once for each step."""

    @property
    def trouble(self) -> str:
        """What of the match is not kept, and why, in words behind "the recording"; "" while all is."""
        return ""

    def start(self, match: Match) -> None: ...

    def tick(self, tick: Tick, actions: dict[AgentID, Action]) -> None: ...

    def changed(self, change: SeatChange) -> None:
        """A seat changed hands; from `change.tick` on somebody else decides."""

    def answered(self, agent: AgentID) -> None:
        """Whoever sits there answered for the first time; a remote tells its name only then."""

    def rewound(self, index: int) -> None:
        """Play goes on from tick `index`; what came after it is void."""

    def finish(self, result: MatchResult) -> None: ...
