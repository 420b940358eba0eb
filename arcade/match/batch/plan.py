"""A plan of many matches: the players, the rules, and the fixtures to play.  Plain data, sent to any executor."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from agents.seats.choice import SeatChoice
from agents.seats.controller import AgentID
from agents.snapshots.snapshot import Snapshot
from arcade.games.spec import GameSpec
from arcade.match.play.result import MatchResult
from arcade.match.stage.rules import PLAIN, StageRules

VECTORISED_KINDS = ("snapshot", "scripted", "random")
"""Kinds of seats that decide for many matches at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture:
    """One match to play."""

    number: int  # 0, 1, … in the plan
    seed: int
    players: tuple[int, ...]  # by number in the plan, one for each agent of the game, in their order


@dataclass(frozen=True, kw_only=True)
class Player:
    """A player of a plan, who may take several seats of one match."""

    choice: SeatChoice
    snapshot: Snapshot | None = None  # sent along; None: a snapshot is looked up where the match is played

    @property
    def is_vectorised(self) -> bool:
        """Whether it decides for many matches at once."""
        return self.choice.kind in VECTORISED_KINDS and not self.choice.options


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLimits:
    """Seconds that a player has before its match counts as failed by it."""

    move_seconds: float  # for one answer
    match_seconds: float  # for a whole match, by the player who thought longest


@dataclass(frozen=True, kw_only=True)
class MatchPlan:
    """All that an executor needs to play any fixture: sent between processes, and to machines without our files."""

    spec: GameSpec
    players: tuple[Player, ...] = ()
    snapshots: Path | None = None  # the user's folder of snapshots; None: the one of ARCADE_HOME
    max_ticks: int | None = None  # of a match; None: until the game ends
    rules: StageRules = PLAIN
    vectorise: bool = False  # whether matches are stepped together where all of their players allow it
    limits: TimeLimits | None = None  # with them, each match has controllers of its own, and a failure names its player
    folder: str = field(default_factory=os.getcwd)  # where Python modules of players are looked for

    def is_vectorised(self, fixture: Fixture) -> bool:
        """Whether the fixture can be stepped together with others."""
        return self.vectorise and not self.rules.any and all(self.players[n].is_vectorised for n in fixture.players)

    def seat_seeds(self, fixture: Fixture) -> list[int]:
        """The seed of each agent's randomness, the same as in a match in the window."""
        return seat_seeds(fixture.seed, len(self.spec.agents))


def seat_seeds(seed: int, seats: int) -> list[int]:
    """A seed for each seat of a match."""
    return [int(one) for one in np.random.SeedSequence(seed).generate_state(seats)]


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
