"""How strong the difficulty levels are, as measured by `python -m tests.benchmarks.strengths --save`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from arcade.assets import asset

NAME = "strengths.json"


@dataclass(frozen=True)
class Figure:
    """A mean and its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class LevelStrength:
    """One level of a game, or of a role where seats need different skills."""

    level: str
    role: str  # "" where all seats are alike
    versus_random: Figure  # against random moves, or compared with them
    versus_below: Figure  # the same with the level below; easy's is random moves


@dataclass(frozen=True)
class Strength:
    """The levels of a game."""

    measure: str  # "win rate", or "return gained" where a win says little: together, or with different roles
    matches: int  # for each figure
    max_ticks: int | None  # of a match
    levels: tuple[LevelStrength, ...]
    levels_ordered: bool  # whether each level beats the one below for sure
    date: str
    command: str
    machine: str

    @property
    def expert_vs_random(self) -> Figure:
        """The last level's figure against random moves."""
        return self.levels[-1].versus_random

    def at(self, level: str) -> tuple[LevelStrength, ...]:
        """The rows of a level, one a role."""
        return tuple(row for row in self.levels if row.level == level)


@cache
def measured() -> Mapping[str, Strength]:
    """Return the shipped measurements, by game id; games that were not measured are missing."""
    found = json.loads(asset(NAME).read_text(encoding="utf-8"))["games"]
    return {game: _strength(row) for game, row in found.items()}


def _strength(row: Mapping[str, Any]) -> Strength:
    levels = tuple(
        LevelStrength(
            level=one["level"], role=one["role"],
            versus_random=Figure(**one["versus_random"]), versus_below=Figure(**one["versus_below"]),
        )
        for one in row["levels"]
    )  # fmt: skip
    facts = ("measure", "matches", "max_ticks", "levels_ordered", "date", "command", "machine")
    return Strength(levels=levels, **{name: row[name] for name in facts})
