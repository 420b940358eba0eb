"""How strong the difficulty levels are, in every game that has them as shipped.

``python -m tests.benchmarks.strengths [GAME …] [--matches N] [--save] [--keep FOLDER]`` prints for each game, by level
(and role, where seats need different skills), `versus_random` and `versus_below`, each {value, low, high} with a 95%
interval:

- "win rate" in games between alike teams: over all sides, a shared first place counted as a share, when one team has
  the level and the others play at random, or at the level below;
- "return gained" in cooperative games, and in games of different roles, where the stronger role wins in any case: by
  how much the team's mean return grows when it alone changes from random moves, or the level below, to the level.
  Where a team has more roles, each has rows of its own: what the team gains by that role's change, when the rest of it
  has the level already (Bob understands nothing while Alice speaks at random).

`expert_vs_random` is the expert's figure in the weakest role, with each role's, or the `normalised` score, and its
`mark` what is asked of that kind of game and whether it is reached, see `arcade.games.strengths.marks`.

`levels_ordered` is whether every level is better than the one below for sure, as a team: matches against it are added
until a 98% interval tells which is better, or until there are --matches seeds for each team.  `normalised`, in
cooperative games, is the expert team's score between random moves, 0, and the best known result, 1; `reference` the
expert's win rate against each known opponent, and its share of matches `unbeaten`, see `references`.  --save merges the
figures into assets/strengths.json, which `arcade strengths` shows; with --keep, a measurement that was stopped goes on
with the matches that it has played, see `kept_matches`.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import tempfile
from argparse import ArgumentParser
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
from scipy.special import stdtrit

import arcade
from agents.engines.engine import find_program
from agents.files import replace_file
from agents.seats.controller import LEVELS
from agents.seats.kinds import parse_seat
from agents.snapshots.store import open_store
from agents.statistics import CONFIDENCE, Z, wilson
from arcade.assets import asset
from arcade.games import GameSpec, find_game
from arcade.games.strengths import BOTH, NAME, strength_of
from arcade.games.strengths.marks import as_data
from tests.benchmarks.kept_matches import KEPT
from tests.benchmarks.references import BEST, REFERENCES

ENGINES = ("uci", "gtp")
"""Kinds of seats that need a program which may not be installed."""

MATCHES = 64
FIRST = 6
"""Matches at the first look."""
VERSUS_RANDOM = {"easy": 24, "normal": 1, "hard": 1, "expert": 4}
"""Seeds for each team against random moves; easy's are at most so many, and fewer once they tell it apart."""
QUICK = {
    "mpe": 16, "classic": 16, "butterfly": 4, "sisl": 2, "atari/flag_capture_v2": 2,
    **dict.fromkeys(("classic/chess_v6", "classic/go_v5", "classic/go_9x9_v5"), 1),  # minutes a match
    **dict.fromkeys(  # 512 hands of the expert's
        ("classic/leduc_holdem_v4", "classic/texas_holdem_v4", "classic/texas_holdem_no_limit_v6"), 64
    ),
}  # fmt: skip
"""Times as many, by game, else by family, where matches are short or returns spread widely."""
SURE = 0.98
SURE_Z = NormalDist().inv_cdf((1 + SURE) / 2)
SEED = 1
TICKS: dict[str, int | None] = {
    "atari": 2400, "atari/basketball_pong_v3": 9000, "atari/tennis_v3": 6000, "atari/flag_capture_v2": 6000,
    "atari/warlords_v3": 8000, "atari/space_invaders_v2": 4800, "atari/joust_v3": 14_000,
    "atari/entombed_competitive_v3": 6000, "atari/entombed_cooperative_v3": 9000,
    "atari/video_checkers_v4": 24_000,
    # only the end tells who is ahead
    **dict.fromkeys(("atari/maze_craze_v3", "atari/othello_v3")),
    "butterfly": 900, "house": 3000, "mpe": None, "sisl": None, "classic": None,
}  # fmt: skip
"""Ticks of a match, by game, else by family; None plays to the game's own end."""


def main(words: list[str]) -> None:
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--matches", type=int, default=MATCHES, help="at most so many seeds for each figure and team")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep played matches here, and count those here")
    parser.add_argument("--save", action="store_true", help="merge into assets/strengths.json")
    asked = parser.parse_args(words)
    if asked.keep is not None:
        KEPT.open(asked.keep)
    with tempfile.TemporaryDirectory() as home:
        os.environ["ARCADE_HOME"] = home
        names = asked.games or [game.id for game in arcade.games() if game.has_levels or open_store().list(game.id)]
        found = {}
        for spec in map(find_game, names):
            found[spec.id] = strengths(spec, asked.matches)
            if asked.save:
                save(spec.id, found[spec.id])
    print(json.dumps({game: as_data(game, strength_of(row)) for game, row in found.items()}))


def save(game: str, row: dict[str, Any]) -> None:
    path = asset(NAME)
    games = json.loads(path.read_text(encoding="utf-8"))["games"] if path.exists() else {}
    kept = {"games": dict(sorted({**games, game: row}.items()))}
    replace_file(path, (json.dumps(kept, indent=1) + "\n").encode())


def strengths(spec: GameSpec, most: int) -> dict[str, Any]:
    """The figures of one game."""
    rows: list[dict[str, Any]] = []
    ordered, chance = True, Sample(spec, "random")
    for below, level in pairwise(("random", *LEVELS)):
        beside = Sample(spec, "random" if below == "random" else f"level:{below}")
        few = VERSUS_RANDOM[level] * QUICK.get(spec.id, QUICK.get(spec.family, 1))
        few = max(few, 1 if len(spec.teams) > 1 else 2)  # one match has no interval
        beside.play(level, min(few, most) if below == "random" else most)
        if below == "random":
            chance = beside
        else:
            ordered = ordered and beside.is_surely_better()
            chance = Sample(spec, "random")
            chance.play(level, few, until_sure=False)
        versus_random, versus_below = chance.figures(), beside.figures()
        rows += [
            {"level": level, "role": role, "versus_random": versus_random[role], "versus_below": versus_below[role]}
            for role in versus_below
        ]
    return {
        "measure": "win rate" if chance.by_wins else "return gained",
        "matches": max(row["versus_below"]["matches"] for row in rows),
        "max_ticks": ticks_of(spec),
        "levels": rows,
        "levels_ordered": ordered,
        "normalised": chance.normalised(),
        "reference": against_references(spec),
        "date": datetime.now(UTC).date().isoformat(),
        "command": f"python -m tests.benchmarks.strengths {spec.id} --matches {most} --save",
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
    }


class Sample:
    """Matches of a level against another player in all other seats, by role: points, or returns gained."""

    def __init__(self, spec: GameSpec, other: str, sides: tuple[int, ...] = ()) -> None:
        """`sides`: the teams to play; (): each."""
        self.spec, self.other = spec, other
        self.sides = [spec.teams[side] for side in sides] if sides else spec.teams
        self.by_wins = len(spec.teams) > 1 and not spec.roles
        self.even = 1 / len(spec.teams) if self.by_wins else 0.0
        self.values: dict[str, list[float]] = {}
        self.teams = {""} if self.by_wins else set[str]()  # the roles that are whole teams
        self._before: list[float] = []  # mean returns of the other player in cooperative games

    def play(self, level: str, most: int, *, until_sure: bool = True) -> None:
        """Play at most so many seeds with each team; fewer once it is sure which of the two is better."""
        done = 0
        while done < most:
            count = min(max(done, FIRST // len(self.sides), 2), most - done)
            self._add(level, done, count)
            done += count
            if until_sure and self._is_sure():
                return

    def _add(self, level: str, done: int, count: int) -> None:
        spec = self.spec
        played: dict[frozenset[Any], list[dict[str, Any]]] = {}  # by the seats that have the level

        def play(seats: set[Any]) -> list[dict[str, Any]]:
            key = frozenset(seats)
            if key not in played:
                lineup = {agent: f"level:{level}" if agent in key else self.other for agent in spec.agents}
                played[key] = matches(spec, lineup, count, done)
            return played[key]

        for team in self.sides:
            after = play({*team})
            if self.by_wins:
                self.values.setdefault("", []).extend(points_of(match, team, spec.teams) for match in after)
                continue
            for role, part in parts_of(spec, team).items():
                before = play({*team} - {*part})
                self.values.setdefault(role, []).extend(
                    mean_return(one, team) - mean_return(two, team) for one, two in zip(after, before, strict=True)
                )
                if part == team:
                    self.teams.add(role)
                    self._before += [mean_return(match, team) for match in before]

    def _is_sure(self) -> bool:
        return all(low > self.even or high < self.even for low, high in map(self._bounds, self.teams))

    def is_surely_better(self) -> bool:
        """Whether the level is better for sure, in every team."""
        return all(self._bounds(team)[0] > self.even for team in self.teams)

    def _bounds(self, role: str) -> tuple[float, float]:
        """A 98% interval: four looks at a growing sample take a weaker level for the better one in at most 4%."""
        values = self.values[role]
        figure = rate_of(values, Z / SURE_Z) if self.by_wins else figure_of(values, SURE)
        return figure["low"], figure["high"]

    def figures(self) -> dict[str, Any]:
        """The figure of each role, with 95% intervals."""
        return {role: rate_of(own) if self.by_wins else figure_of(own) for role, own in self.values.items()}

    def normalised(self) -> dict[str, Any] | None:
        """The mean score between random moves, 0, and the best known result, 1; None but in cooperative games."""
        best = BEST.get(self.spec.id)
        if best is None or len(self.spec.teams) > 1:
            return None
        gained, whole = self.figures()[""], best.mean_return - float(np.mean(self._before))
        scaled = {name: round(gained[name] / whole, 4) for name in ("value", "low", "high")}
        return {**scaled, "matches": gained["matches"], "best": best.mean_return, "source": best.source}


def against_references(spec: GameSpec) -> list[dict[str, Any]]:
    """The expert's win rate against each known opponent that can be had here, and the share that it did not lose."""
    found = []
    for known in REFERENCES.get(spec.id, ()):
        choice = parse_seat(known.seat)
        if choice.kind in ENGINES and find_program(choice.argument) is None:
            print(f"{spec.id}: left out {known.name}; install {choice.argument} to measure it", file=sys.stderr)
            continue
        sample = Sample(spec, known.seat, known.sides)
        sample.play(LEVELS[-1], known.matches, until_sure=False)
        ((points, figure),) = zip(sample.values.values(), sample.figures().values(), strict=True)
        found.append({"name": known.name, **figure, "unbeaten": round(float(np.mean(np.array(points) > 0)), 4)})
    return found


def parts_of(spec: GameSpec, team: tuple[Any, ...]) -> dict[str, tuple[Any, ...]]:
    """The team, and the seats of each role in it where there are more: by roles, "" for all seats of a game."""
    roles = list(dict.fromkeys(spec.roles.get(agent, "") for agent in team))
    whole = BOTH.join(roles) if len(spec.teams) > 1 else ""
    parts = {role: tuple(agent for agent in team if spec.roles[agent] == role) for role in roles if len(roles) > 1}
    return {whole: team, **parts}


def mean_return(match: dict[str, Any], team: tuple[Any, ...]) -> float:
    return sum(float(match["returns"][str(agent)]) for agent in team) / len(team)


def points_of(match: dict[str, Any], team: tuple[Any, ...], teams: tuple[tuple[Any, ...], ...]) -> float:
    """The team's share of the first place: 1 for a win, 0.5 for a draw of two teams, 0 behind another."""
    places = [min(match["placements"][str(agent)] for agent in one) for one in teams]
    return (places[teams.index(team)] == min(places)) / places.count(min(places))


def ticks_of(spec: GameSpec) -> int | None:
    return TICKS.get(spec.id, TICKS.get(spec.family))


def matches(spec: GameSpec, lineup: dict[Any, str], count: int, done: int) -> list[dict[str, Any]]:
    ticks = ticks_of(spec)

    def play(seed: int, episodes: int) -> list[dict[str, Any]]:
        data = arcade.evaluate(spec.id, lineup, episodes=episodes, seed=seed, max_ticks=ticks, swap=False, workers=1)
        if data["failures"]:
            raise RuntimeError(f"expected each match of {spec.id} to end, got: {data['failures'][0]['error']}")
        return list(data["matches"])

    first = SEED + done
    if not KEPT.keeps:
        return play(first, count)
    return [KEPT.get(spec.id, lineup, seed, ticks, lambda one: play(one, 1)[0]) for seed in range(first, first + count)]


def rate_of(points: list[float], narrower: float = 1.0) -> dict[str, Any]:
    """The mean of points from 0 to 1, with Wilson's interval, which stays in there.

    Draws spread less than wins and losses: they count as so many more matches, by the ratio of the variances.
    `narrower` is how many times narrower the usual interval is than the one that is wanted.
    """
    rate, spread = float(np.mean(points)), float(np.var(points))
    trials = narrower**2 * len(points) * (rate * (1 - rate) / spread if spread else 1.0)
    low, high = wilson(np.array([rate * trials]), np.array([trials]))
    return _rounded(rate, float(low[0]), float(high[0]), len(points))


def figure_of(values: list[float], confidence: float = CONFIDENCE) -> dict[str, Any]:
    """The mean with Student's t interval."""
    count, mean = len(values), float(np.mean(values))
    half = float(stdtrit(count - 1, (1 + confidence) / 2)) * float(np.std(values, ddof=1)) / count**0.5
    return _rounded(mean, mean - half, mean + half, count)


def _rounded(value: float, low: float, high: float, count: int) -> dict[str, Any]:
    return {"value": round(value, 4), "low": round(low, 4), "high": round(high, 4), "matches": count}


if __name__ == "__main__":
    main(sys.argv[1:])
