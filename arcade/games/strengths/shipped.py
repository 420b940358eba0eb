"""How strong the difficulty levels are, as measured by `python -m tests.benchmarks.strengths --save`."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from agents.ladder.ratings.online import SCALE
from agents.seats.controller import LEVELS
from arcade.assets import asset

if TYPE_CHECKING:
    from arcade.games.spec import GameSpec

NAME, TOGETHER = "strengths.json", "partners.json"
BOTH = " + "
"""Between the roles of a team."""

_LEAST, _USUAL, _MOST = 0.7, 0.75, 0.95  # win rates of a level against the one below


@dataclass(frozen=True)
class Figure:
    """A mean and its 95% interval."""

    value: float
    low: float
    high: float
    matches: int | None = None  # that it was measured in; None where only the game's `matches` is known


@dataclass(frozen=True, kw_only=True)
class Normalised(Figure):
    """The score of experts together, in a cooperative game: 0 for random moves, 1 for the best known result."""

    best: float  # return of one agent
    source: str  # of the best result


@dataclass(frozen=True, kw_only=True)
class ExpertVsRandom(Figure):
    """The expert against random moves: in the weakest role, or all experts of a team that is alike together."""

    measure: str  # "win rate", "return gained", or "normalised score" in cooperative games with a best known result
    role: str = ""  # the weakest one
    roles: Mapping[str, Figure] = field(default_factory=dict)  # each one; {} for a normalised score


@dataclass(frozen=True, kw_only=True)
class Reference(Figure):
    """The expert's win rate against a known opponent."""

    name: str  # of the opponent
    unbeaten: float | None = None  # share of the matches that the expert won or drew; None in older measurements


@dataclass(frozen=True)
class LevelStrength:
    """One level of a game, or of a role where seats need different skills."""

    level: str
    role: str  # "" for all seats of a team, or of the game; "bob + alice" for a team of unlike roles
    versus_random: Figure  # against random moves, or compared with them
    versus_below: Figure  # the same with the level below; easy's is random moves

    @property
    def title(self) -> str:
        """ "hard", or with its role "hard, chaser"."""
        return f"{self.level}, {self.role}" if self.role else self.level

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles of its seats."""
        return tuple(self.role.split(BOTH))


@dataclass(frozen=True)
class Strength:
    """The levels of a game."""

    measure: str  # "win rate", or "return gained" where a win says little: together, or with different roles
    matches: int  # for each figure, at most
    max_ticks: int | None  # of a match
    levels: tuple[LevelStrength, ...]
    levels_ordered: bool  # whether each level beats the one below for sure
    date: str
    command: str
    machine: str
    normalised: Normalised | None = None  # only in cooperative games
    reference: tuple[Reference, ...] = ()  # against each known opponent of the game

    @property
    def expert_vs_random(self) -> ExpertVsRandom:
        """The last level's figure against random moves."""
        if self.normalised:
            return ExpertVsRandom(**_numbers(self.normalised), measure="normalised score")
        roles = {row.role: row.versus_random for row in self.at(LEVELS[-1])}
        role = "" if "" in roles else min(roles, key=lambda name: roles[name].low)
        return ExpertVsRandom(**_numbers(roles[role]), measure=self.measure, role=role, roles=roles)

    def at(self, level: str) -> tuple[LevelStrength, ...]:
        """The rows of a level, one a role."""
        return tuple(row for row in self.levels if row.level == level)


def heights(game: str) -> Mapping[str, float]:
    """Return the strength of each level above random moves, in the unit of a rating's mu.

    Win rates are taken between 0.7 and 0.95, since a ladder of people needs distinct levels and knows no certainty;
    where returns were measured, or nothing, the levels are a usual step apart.  Random moves are far below the easiest
    level, for a person who loses to that one.
    """
    found, above, total = measured().get(game), {}, 0.0
    for level in LEVELS:
        rates = [row.versus_below.value for row in found.at(level)] if found and found.measure == "win rate" else []
        rate = min(max(sum(rates) / len(rates), _LEAST), _MOST) if rates else _USUAL
        rate = _MOST if level == LEVELS[0] else rate
        total += SCALE * math.log(rate / (1 - rate))
        above[level] = total
    return above


def scores_together(spec: GameSpec) -> Mapping[str, float]:
    """Return the mean return of a seat by the level that all seats have, in a cooperative game as people play it.

    By `python -m tests.benchmarks.partners --save`, else by the measured strengths where people play the same game;
    {} where neither is known.
    """
    if found := _together().get(spec.id):
        return found
    row = measured().get(spec.id)
    if spec.people_kwargs or row is None or row.normalised is None or row.normalised.value <= 0:
        return {}
    gained = {one.level: one.versus_random.value for one in row.levels if not one.role}  # by whole teams
    random = row.normalised.best - gained[LEVELS[-1]] / row.normalised.value
    return {level: random + more for level, more in gained.items()}


@cache
def _together() -> Mapping[str, Mapping[str, float]]:
    found: dict[str, dict[str, float]] = json.loads(asset(TOGETHER).read_text(encoding="utf-8"))
    return found


@cache
def measured() -> Mapping[str, Strength]:
    """Return the shipped measurements, by game id; games that were not measured are missing."""
    found = json.loads(asset(NAME).read_text(encoding="utf-8"))["games"]
    return {game: strength_of(row) for game, row in found.items()}


def strength_of(row: Mapping[str, Any]) -> Strength:
    """Return the levels of a game from its row of the file."""
    levels = tuple(
        LevelStrength(
            level=one["level"], role=one["role"],
            versus_random=Figure(**one["versus_random"]), versus_below=Figure(**one["versus_below"]),
        )
        for one in row["levels"]
    )  # fmt: skip
    facts = ("measure", "matches", "max_ticks", "levels_ordered", "date", "command", "machine")
    found = row.get("normalised")
    known = row.get("reference") or []
    known = [known] if isinstance(known, Mapping) else known  # an older measurement has one at most
    return Strength(
        levels=levels, **{name: row[name] for name in facts}, normalised=Normalised(**found) if found else None,
        reference=tuple(Reference(**one) for one in known),
    )  # fmt: skip


def _numbers(figure: Figure) -> dict[str, Any]:
    return {name: getattr(figure, name) for name in ("value", "low", "high", "matches")}
