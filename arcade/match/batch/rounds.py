"""Rounds: matches that need nothing of each other, so that any process may play any of them, in any order."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from agents.errors import UserError
from agents.seats.choice import SeatChoice
from agents.seats.controller import AgentID
from arcade.games.spec import GameSpec
from arcade.match.play.lineup import close_mapping, make_mapping, open_store
from arcade.match.play.match import Match
from arcade.match.play.result import MatchResult
from arcade.match.play.seats import PolicyMapping
from arcade.match.play.sides import opposite_seats
from arcade.match.stage.local import LocalStage
from arcade.match.stage.rules import PLAIN, StageRules


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One match of an evaluation."""

    episode: int  # 0, 1, …
    seed: int
    swapped: bool = False  # everybody sits in the opposite seat of the one that the lineup gives them


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What came of a round."""

    round: Round
    result: MatchResult | None  # None where it failed
    error: str = ""  # why it failed, "" otherwise


@dataclass(frozen=True, kw_only=True)
class Table:
    """All that a process must know to play rounds; goes from one process to another."""

    spec: GameSpec
    lineup: Mapping[AgentID, SeatChoice]
    snapshots: Path  # the user's folder of them
    max_ticks: int | None = None  # a match; None: until the game ends
    rules: StageRules = PLAIN


class RoundPlayer:
    """Plays the rounds of a table in this process, on one stage and with controllers that are made once.

    Both are made anew behind a round that failed, since nobody knows what it left behind.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._store = open_store(table.snapshots)
        self._stage: LocalStage | None = None
        self._players: PolicyMapping = {}
        self._open = ExitStack()

    def prepare(self) -> LocalStage:
        """Make the stage and the controllers, where they are not there yet.  Raises UserError where it cannot."""
        if self._stage is None:
            with ExitStack() as stack:
                stage = stack.enter_context(LocalStage(self._table.spec, rules=self._table.rules))
                self._players = make_mapping(stage, self._table.lineup, store=self._store)
                stack.callback(close_mapping, self._players)
                self._stage, self._open = stage, stack.pop_all()
        return self._stage

    def play(self, round: Round) -> Played:
        """One match from reset to end; what a user could mend stands in its `error`."""
        try:
            stage = self.prepare()
            match = Match(
                stage,
                self._seated(swapped=round.swapped),
                seed=round.seed,
                max_ticks=self._table.max_ticks,
                settings={"speed": None},
            )
            result = match.run()
        except UserError as error:
            return self._failed(round, str(error))
        return self._failed(round, result.error) if result.error else Played(round=round, result=result)

    def _seated(self, *, swapped: bool) -> PolicyMapping:
        if not swapped:
            return dict(self._players)
        opposite = opposite_seats(self._table.spec)
        return {opposite[agent]: player for agent, player in self._players.items()}

    def _failed(self, round: Round, error: str) -> Played:
        self.close()
        return Played(round=round, result=None, error=error)

    def close(self) -> None:
        """Free stage and controllers; a later round makes them anew."""
        self._stage = None
        self._open.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
