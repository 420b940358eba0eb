"""A plan of many matches: the players, the rules, and the fixtures to play.  Plain data, sent to any executor."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agents.seats.choice import SeatChoice
from agents.seats.controller import AgentID
from agents.seats.kinds import find_kind
from agents.snapshots.search import open_store
from agents.snapshots.store import Snapshot, SnapshotStore
from arcade.games.spec import GameSpec
from arcade.match.play.result import MatchResult
from arcade.match.stage.rules import PLAIN, StageRules


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture:
    """One match to play."""

    number: int  # 0, 1, … in the plan
    seed: int
    players: tuple[int, ...]  # by number in the plan, one for each agent of the game, in their order


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLimits:
    """Seconds that a player has before its match counts as failed by it."""

    move_seconds: float  # for one answer
    match_seconds: float  # for a whole match, by the player who thought longest


@dataclass(frozen=True, kw_only=True)
class MatchPlan:
    """All that an executor needs to play any fixture: sent between processes, and to machines without our files."""

    spec: GameSpec
    players: tuple[SeatChoice, ...] = ()  # one may take several seats of a match
    sent: Mapping[str, Snapshot] = field(default_factory=dict)  # snapshots that travel with the plan, by their word
    snapshots: Path | None = None  # the user's folder of all others; None: the one of ARCADE_HOME
    max_ticks: int | None = None  # of a match; None: until the game ends
    rules: StageRules = PLAIN
    vectorise: bool = False  # whether matches are stepped together where all of their players allow it
    limits: TimeLimits | None = None  # with them, each match has controllers of its own, and a failure names its player
    folder: str = field(default_factory=os.getcwd)  # where Python modules of players are looked for

    def is_vectorised(self, fixture: Fixture) -> bool:
        """Whether the fixture can be stepped together with others."""
        own = (self.players[number] for number in fixture.players)
        return self.vectorise and not self.rules.any and all(map(decides_together, own))

    def open_store(self) -> SnapshotStore:
        """The snapshots of the players."""
        return open_store(self.snapshots, held=self.sent)


def decides_together(choice: SeatChoice) -> bool:
    """Whether a player decides for many matches at once."""
    return find_kind(choice.kind).is_vectorised and not choice.options


def count_up(seed: int, players: Sequence[int], *, matches: int) -> list[Fixture]:
    """Matches of one lineup, the seed of each one more than that of the one before."""
    return [Fixture(number=n, seed=(seed + n) % 2**32, players=tuple(players)) for n in range(matches)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """The outcome of a fixture."""

    fixture: Fixture
    result: MatchResult | None = None  # None where the match failed
    error: str = ""  # why it failed, "" otherwise
    culprit: AgentID | None = None  # the seat whose player failed; None: the game, or unknown without time limits
    ticks: int = 0  # until it failed
