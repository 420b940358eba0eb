"""MatchPlan: many matches as fixtures in chunks; Executor: the contract of executors that play them."""

from __future__ import annotations

import math
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agents.closing import Closing
from agents.seats.controller import AgentID, SeatChoice
from agents.seats.kinds import find_kind
from agents.snapshots.store import Snapshot, SnapshotStore, open_store
from arcade.games.spec import GameSpec
from arcade.match.play.opening import Opening
from arcade.match.play.result import MatchResult
from arcade.match.stage.rules import PLAIN, StageRules

NATIVE_ENVS, STAGE_ENVS = 256, 32
"""Matches stepped together in a game with a vectorised engine of its own, and in single envs."""

NO_OPENING = -1

_SMALLEST = 24  # vectorised matches of a chunk: fewer make the batches too small
_WIDTHS = 2  # vectorised envs' worth of matches a chunk at most: the loss at a kill, and the interval of results


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture:
    """One match to play."""

    number: int  # 0, 1, … in the plan
    seed: int
    players: tuple[int, ...]  # by number in the plan, one for each agent of the game, in their order
    opening: int = NO_OPENING  # by number in the plan


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
    sent: Mapping[str, Snapshot] = field(default_factory=dict)  # snapshots sent with the plan, by their word
    snapshots: Path | None = None  # the folder of all others; None: the one of ARCADE_HOME
    max_ticks: int | None = None  # of a match; None: until the game ends
    rules: StageRules = PLAIN
    vectorise: bool = False  # whether matches are stepped together where all of their players allow it
    openings: tuple[Opening, ...] = ()  # of a board game
    limits: TimeLimits | None = None  # with them, each match has controllers of its own, and a failure names its player
    folder: str = field(default_factory=os.getcwd)  # where Python modules of players are looked for

    @property
    def num_envs(self) -> int:
        """The number of matches that are stepped together."""
        return NATIVE_ENVS if self.spec.batch else STAGE_ENVS

    def is_vectorised(self, fixture: Fixture) -> bool:
        """Whether the fixture can be stepped together with others."""
        own = (self.players[number] for number in fixture.players)
        return self.vectorise and not self.rules.any and all(map(decides_together, own))

    def opening_of(self, fixture: Fixture) -> Opening | None:
        """The first moves of a match."""
        return None if fixture.opening == NO_OPENING else self.openings[fixture.opening]

    def open_store(self) -> SnapshotStore:
        """The snapshots of the players."""
        return open_store(self.snapshots, held=self.sent)


def decides_together(choice: SeatChoice) -> bool:
    """Whether a player decides for many matches at once."""
    return find_kind(choice.kind).is_vectorised and not choice.options


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """The outcome of a fixture."""

    fixture: Fixture
    result: MatchResult | None = None  # None where the match failed
    error: str = ""  # why it failed, "" otherwise
    culprit: AgentID | None = None  # the seat whose player failed; None: the game, or unknown without time limits
    ticks: int = 0  # until it failed


@dataclass(frozen=True, slots=True)
class Chunk:
    """Matches for one process."""

    fixtures: tuple[Fixture, ...]
    is_vectorised: bool


def chunks_of(plan: MatchPlan, fixtures: Sequence[Fixture], *, workers: int, single: int = 1) -> list[Chunk]:
    """Split fixtures among workers: vectorised ones evenly, others at most `single` a chunk."""
    together = tuple(fixture for fixture in fixtures if plan.is_vectorised(fixture))
    alone = tuple(fixture for fixture in fixtures if not plan.is_vectorised(fixture))
    count = max(math.ceil(len(together) / (_WIDTHS * plan.num_envs)), min(workers, len(together) // _SMALLEST), 1)
    size = max(1, min(single, math.ceil(len(alone) / (2 * workers))))
    chunks = [Chunk(together[i::count], True) for i in range(count)] if together else []
    return chunks + [Chunk(alone[i : i + size], False) for i in range(0, len(alone), size)]


def is_small(plan: MatchPlan, fixtures: Sequence[Fixture]) -> bool:
    """Whether one process plays the fixtures in a few seconds."""
    return len(fixtures) <= plan.num_envs // 2 and all(map(plan.is_vectorised, fixtures))


class Executor(Closing, ABC):
    """Plays fixtures of one plan.  The outcomes are the same whatever the executor."""

    def __init__(self, plan: MatchPlan) -> None:
        self.plan = plan

    @abstractmethod
    def play(self, fixtures: Sequence[Fixture]) -> Iterator[Played]:
        """Yield the outcome of each fixture as it ends, in any order."""
