"""What search adds to a snapshot of connect four, and how long the expert thinks about a move.

``python -m tests.benchmarks.boards [FIGURE …] [--matches N] [--snapshot NAME]`` prints for each figure the points that
the player took of its matches, half from each side, with a 95% interval, and its slowest move in seconds:

- `four_time` (1 is asked): `expert` against alpha-beta that sees four moves
- `four_elo` (150 is asked): the snapshot with 200 simulations against its bare policy, also in Elo; left out where the
  game has no snapshot

The results of experts against known opponents are among those of `python -m tests.benchmarks.strengths`.
"""

from __future__ import annotations

import json
import math
import sys
import time
from argparse import ArgumentParser
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.seats.kinds import parse_seat
from agents.snapshots.store import open_store
from agents.statistics import wilson
from arcade.games import find_game
from arcade.match.play.lineup import close_mapping, make_controller
from arcade.match.play.match import Match
from arcade.match.play.result import MatchResult
from arcade.match.stage.local import LocalStage

FOUR = "classic/connect_four_v3"


@dataclass(frozen=True, slots=True)
class Figure:
    """A player of connect four against another."""

    player: str
    other: str


FIGURES = {
    "four_time": Figure("level:expert", "python:tests.benchmarks.minimax:play"),
    "four_elo": Figure("snapshot:{}?search=200", "snapshot:{}"),
}


def measure(figure: Figure, matches: int, snapshot: str, first: int = 0) -> dict[str, Any]:
    """The points of the player, and its slowest move."""
    spec, points, slowest = find_game(FOUR), list[float](), 0.0
    for seed in range(first, first + matches):
        side = seed % 2
        words = [figure.other, figure.other]
        words[side] = figure.player
        with LocalStage(spec) as stage:
            lineup = {
                agent: make_controller(
                    parse_seat(word.format(snapshot)), stage.seat(agent), spec=spec, store=open_store()
                )
                for agent, word in zip(spec.agents, words, strict=True)
            }
            result, times = played(Match(stage, lineup, seed=seed), spec.agents[side])
            places = result.placements
            points.append(0.5 + 0.5 * float(np.sign(places[spec.agents[1 - side]] - places[spec.agents[side]])))
            slowest = max([slowest, *times])
            print(
                f"{figure.player} {sum(points):g} of {len(points)}, slowest {slowest:.2f} s",
                file=sys.stderr,
                flush=True,
            )
            close_mapping(lineup)
    rate = float(np.mean(points))
    low, high = map(float, wilson(sum(points), len(points)))
    found = {"points": sum(points), "matches": matches, "rate": rate, "low": low, "high": high, "slowest": slowest}
    inside = min(max(rate, 0.5 / matches), 1 - 0.5 / matches)
    return found | {"elo": 400 * math.log10(inside / (1 - inside))}


def played(match: Match, agent: Any) -> tuple[MatchResult, list[float]]:
    """The match played to its end, and the seconds of each turn of the agent but the first, which starts processes."""
    times: list[float] = []
    match.start()
    tick, since = match.tick, time.monotonic()
    while match.result is None:
        match.advance(now := time.monotonic())
        if match.tick is not tick:
            if tick is not None and agent in tick.acting:
                times.append(now - since)
            tick, since = match.tick, now
        time.sleep(0.0005)
    assert not match.result.error, match.result.error
    return match.result, times[1:]


if __name__ == "__main__":
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("figures", nargs="*", metavar="FIGURE")
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--first", type=int, default=0, help="seed of the first match")
    parser.add_argument("--snapshot", default="best", help="of four_elo")
    asked = parser.parse_args()
    usual = FIGURES if open_store().list(FOUR) else ["four_time"]
    for name in asked.figures or usual:
        print(json.dumps({name: measure(FIGURES[name], asked.matches, asked.snapshot, asked.first)}), flush=True)
