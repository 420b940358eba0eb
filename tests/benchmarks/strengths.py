"""How strong the difficulty levels are, in every game that has them as shipped.

``python -m tests.benchmarks.strengths [GAME …] [--matches N] [--save]`` prints for each game, by level (and role, where
seats need different skills), `versus_random` and `versus_below`, each {value, low, high} with a 95 % interval:

- "win rate" in games between alike teams: over all sides, a shared first place counted as a share, when one team has
  the level and the others play at random, or at the level below;
- "return gained" in cooperative games, and in games of different roles, where the stronger role wins in any case: by
  how much the team's mean return grows when it alone changes from random moves, or the level below, to the level.

`levels_ordered` is whether every level is better than the one below for sure.  --save merges the figures into
assets/strengths.json, which `arcade strengths` shows.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import numpy as np

import arcade
from agents.files import replace_file
from agents.seats.controller import LEVELS
from agents.snapshots.store import open_store
from agents.statistics import mean_of, wilson
from arcade.assets import asset
from arcade.games import GameSpec, find_game
from arcade.games.strengths import NAME

MATCHES = 100
SEED = 1
TICKS: dict[str, int | None] = {
    "atari": 6000, "atari/othello_v3": 12000, "atari/video_checkers_v4": 12000,  # cursors are slow
    "butterfly": 900, "house": 3000, "mpe": None, "sisl": None, "classic": None,
}  # fmt: skip
"""Ticks of a match, by game, else by family; None plays to the game's own end."""


def main(words: list[str]) -> None:
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--matches", type=int, default=MATCHES, help="matches for each figure and team")
    parser.add_argument("--save", action="store_true", help="merge into assets/strengths.json")
    asked = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as home:
        os.environ["ARCADE_HOME"] = home
        names = asked.games or [game.id for game in arcade.games() if game.has_levels or open_store().list(game.id)]
        found = {}
        for spec in map(find_game, names):
            found[spec.id] = strengths(spec, asked.matches)
            if asked.save:
                save(spec.id, found[spec.id])
    print(json.dumps(found))


def save(game: str, row: dict[str, Any]) -> None:
    path = asset(NAME)
    games = json.loads(path.read_text(encoding="utf-8"))["games"] if path.exists() else {}
    kept = {"games": dict(sorted({**games, game: row}.items()))}
    replace_file(path, (json.dumps(kept, indent=1) + "\n").encode())


def strengths(spec: GameSpec, count: int) -> dict[str, Any]:
    """The figures of one game."""
    by_wins = len(spec.teams) > 1 and not spec.roles
    measure = win_rates if by_wins else gains
    rows: list[dict[str, Any]] = []
    for below, level in pairwise(("random", *LEVELS)):
        other = below if below == "random" else f"level:{below}"
        beside = measure(spec, level, other, count)
        chance = beside if below == "random" else measure(spec, level, "random", count)
        rows += [
            {"level": level, "role": role, "versus_random": chance[role], "versus_below": beside[role]}
            for role in beside
        ]
    even = 1 / len(spec.teams) if by_wins else 0.0
    return {
        "measure": "win rate" if by_wins else "return gained",
        "matches": count * (len(spec.teams) if by_wins else 1),
        "max_ticks": ticks_of(spec),
        "levels": rows,
        "levels_ordered": all(row["versus_below"]["low"] > even for row in rows if row["level"] != LEVELS[0]),
        "date": datetime.now(UTC).date().isoformat(),
        "command": f"python -m tests.benchmarks.strengths {spec.id} --matches {count} --save",
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
    }


def gains(spec: GameSpec, level: str, other: str, count: int) -> dict[str, Any]:
    """By how much a team's mean return is more with the level, all other seats unchanged, seed by seed; by its role."""
    before = list(matches(spec, dict.fromkeys(spec.agents, other), count))
    found = {}
    for team in spec.teams:
        lineup = {agent: f"level:{level}" if agent in team else other for agent in spec.agents}
        after = matches(spec, lineup, count)
        own = [mean_return(one, team) - mean_return(two, team) for one, two in zip(after, before, strict=True)]
        found[spec.roles[team[0]] if len(spec.teams) > 1 else ""] = figure_of(own)
    return found


def mean_return(match: dict[str, Any], team: tuple[Any, ...]) -> float:
    return sum(float(match["returns"][str(agent)]) for agent in team) / len(team)


def win_rates(spec: GameSpec, level: str, other: str, count: int) -> dict[str, Any]:
    """The win rate of a team with the level against another player in all other seats."""
    points: list[float] = []
    for team in spec.teams:
        lineup = {agent: f"level:{level}" if agent in team else other for agent in spec.agents}
        points += (points_of(match, team, spec.teams) for match in matches(spec, lineup, count))
    return {"": rate_of(points)}


def points_of(match: dict[str, Any], team: tuple[Any, ...], teams: tuple[tuple[Any, ...], ...]) -> float:
    """The team's share of the first place: 1 for a win, 0.5 for a draw of two teams, 0 behind another."""
    places = [min(match["placements"][str(agent)] for agent in one) for one in teams]
    return (places[teams.index(team)] == min(places)) / places.count(min(places))


def ticks_of(spec: GameSpec) -> int | None:
    return TICKS.get(spec.id, TICKS.get(spec.family))


def matches(spec: GameSpec, lineup: dict[Any, str], count: int) -> Iterator[dict[str, Any]]:
    data = arcade.evaluate(
        spec.id, lineup, episodes=count, seed=SEED, max_ticks=ticks_of(spec), swap=False, workers=1
    )  # fmt: skip
    yield from data["matches"]


def rate_of(points: list[float]) -> dict[str, Any]:
    """The mean of points from 0 to 1, with Wilson's interval, which stays in there.

    Draws spread less than wins and losses: they count as so many more matches, by the ratio of the variances.
    """
    rate, spread = float(np.mean(points)), float(np.var(points))
    trials = len(points) * (rate * (1 - rate) / spread if spread else 1.0)
    low, high = wilson(np.array([rate * trials]), np.array([trials]))
    return {"value": round(rate, 4), "low": round(float(low[0]), 4), "high": round(float(high[0]), 4)}


def figure_of(values: list[float]) -> dict[str, Any]:
    figure = mean_of(values)
    assert figure is not None
    return {"value": round(figure.mean, 4), "low": round(figure.low, 4), "high": round(figure.high, 4)}


if __name__ == "__main__":
    main(sys.argv[1:])
