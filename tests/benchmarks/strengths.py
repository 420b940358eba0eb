"""How strong the difficulty levels are, in every game that has them as shipped.

``python -m tests.benchmarks.strengths [GAME …]`` prints for each game, by level, `versus_random`: in games of several
teams the win rate over all sides, a shared first place counted as a share, when one team has the level and the others
play at random; in cooperative games the gain in the mean return over random play.  `versus_below` is the same against
the level below.
Each is {value, low, high} with a 95 % interval; `ordered` is whether every level is better than the one below for sure.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import arcade
from agents.seats.controller import LEVELS
from agents.snapshots.store import open_store
from agents.statistics import mean_of
from arcade.games import GameSpec, find_game

MATCHES = 100
MAX_TICKS = {"atari": 6000}
"""By family of games; an Atari game is played for some minutes."""
SHORT = 600
SEED = 1


def main(words: list[str]) -> None:
    with tempfile.TemporaryDirectory() as home:
        os.environ["ARCADE_HOME"] = home
        names = words or [game.id for game in arcade.games() if game.has_levels or open_store().list(game.id)]
        print(json.dumps({name: strengths(find_game(name)) for name in names}))


def strengths(spec: GameSpec) -> dict[str, Any]:
    """The figures of one game."""
    measure = together if len(spec.teams) == 1 else against
    rows = {level: {"versus_random": measure(spec, level, "random")} for level in LEVELS}
    for below, level in pairwise(LEVELS):
        rows[level]["versus_below"] = measure(spec, level, f"level:{below}")
    even = 0.0 if len(spec.teams) == 1 else 1 / len(spec.teams)
    return {**rows, "ordered": all(rows[level]["versus_below"]["low"] > even for level in LEVELS[1:])}


def together(spec: GameSpec, level: str, other: str) -> dict[str, Any]:
    """How much more a cooperative game returns when all seats have the level than with another player, seed by seed."""
    own, others = (
        [sum(match["returns"].values()) / spec.seats for match in matches(spec, dict.fromkeys(spec.agents, word))]
        for word in (f"level:{level}", other)
    )
    gains = [one - another for one, another in zip(own, others, strict=True)]
    return {**figure_of(gains), "return": sum(own) / len(own), "other_return": sum(others) / len(others)}


def against(spec: GameSpec, level: str, other: str) -> dict[str, Any]:
    """The win rate of a team with the level against another player in all other seats."""
    points: list[float] = []
    for team in spec.teams:
        lineup = {agent: f"level:{level}" if agent in team else other for agent in spec.agents}
        points += (points_of(match, team, spec.teams) for match in matches(spec, lineup))
    return figure_of(points)


def points_of(match: dict[str, Any], team: tuple[Any, ...], teams: tuple[tuple[Any, ...], ...]) -> float:
    """The team's share of the first place: 1 for a win, 0.5 for a draw of two teams, 0 behind another."""
    places = [min(match["placements"][str(agent)] for agent in one) for one in teams]
    return (places[teams.index(team)] == min(places)) / places.count(min(places))


def matches(spec: GameSpec, lineup: dict[Any, str]) -> Iterator[dict[str, Any]]:
    ticks = MAX_TICKS.get(spec.family, SHORT)
    data = arcade.evaluate(spec.id, lineup, episodes=MATCHES, seed=SEED, max_ticks=ticks, swap=False, workers=1)
    yield from data["matches"]


def figure_of(values: list[float]) -> dict[str, Any]:
    figure = mean_of(values)
    assert figure is not None
    return {"value": figure.mean, "low": figure.low, "high": figure.high}


if __name__ == "__main__":
    main(sys.argv[1:])
