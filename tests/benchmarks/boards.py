"""How strong the experts of the board games are against known players, and what search adds to a snapshot.

``python -m tests.benchmarks.boards [FIGURE …] [--matches N] [--snapshot NAME]`` prints for each figure the points that
the player took of its matches, half from each side unless said, with a 95% interval, and its slowest move in seconds:

- `four_6` (0.9 is asked): connect four, `expert` against alpha-beta that sees six moves
- `four_8` (1.0 is asked: never loses): `expert` moving first against one that sees eight
- `four_elo` (150 is asked): connect four, the snapshot with 200 simulations against its bare policy, also in Elo
- `chess` (0.5 is asked): `expert` against Stockfish at skill 0 with 100 ms a move
- `go_9x9` (0.5 is asked): `expert` against GNU Go at level 1
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
    """A player against another."""

    game: str
    player: str
    other: str
    only_first: bool = False


FIGURES = {
    "four_6": Figure(FOUR, "level:expert", "python:tests.benchmarks.minimax:six"),
    "four_8": Figure(FOUR, "level:expert", "python:tests.benchmarks.minimax:eight", only_first=True),
    "four_elo": Figure(FOUR, "snapshot:{}?search=200", "snapshot:{}"),
    "chess": Figure("classic/chess_v6", "level:expert", "uci:stockfish?skill=0&movetime_ms=100"),
    "go_9x9": Figure("classic/go_9x9_v5", "level:expert", "gtp:gnugo?level=1"),
}


def measure(figure: Figure, matches: int, snapshot: str, first: int = 0) -> dict[str, Any]:
    """The points of the player, and its slowest move."""
    spec, points, slowest = find_game(figure.game), list[float](), 0.0
    for seed in range(first, first + matches):
        side = 0 if figure.only_first else seed % 2
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
    losses = sum(point == 0 for point in points)
    inside = min(max(rate, 0.5 / matches), 1 - 0.5 / matches)
    return found | {"losses": losses, "elo": 400 * math.log10(inside / (1 - inside))}


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
    for name in asked.figures or FIGURES:
        print(json.dumps({name: measure(FIGURES[name], asked.matches, asked.snapshot, asked.first)}), flush=True)
