"""``python -m trainer.league.compare GAME NAME NAME …``: everyone against everyone, many games at once.

A name is a snapshot's (or the path of one), or a seat word such as ``scripted``, ``random`` or ``python:M:F``.  Prints
JSON: for each the win rate against each of the others, draws counted half, and the mean of them.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections.abc import Sequence

from agents.errors import UserError
from agents.home import folder
from agents.policies.batch import BatchPolicy
from agents.seats.controller import SEAT_KINDS
from agents.snapshots.store import SnapshotStore
from arcade.assets import asset
from arcade.games import open_game
from arcade.games.spec import GameError, GameSpec
from arcade.match.batch.make import make_batch
from trainer.league.evaluation import play_series, win_rate
from trainer.sampling.seat_words import find_snapshot, make_policy


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m trainer.league.compare", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("names", nargs="+", help="snapshots, or seat words")
    parser.add_argument("--games", type=int, default=200, help="games of each pair, half on each side")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(words)
    try:
        spec = open_game(options.game)
        players = {name: _policy(name, spec) for name in options.names}
        rates = compare(spec, players, games=options.games, seed=options.seed)
    except (UserError, GameError) as error:
        print(error, file=sys.stderr)
        return 2
    print(json.dumps(rates, indent=1))
    return 0


def _policy(name: str, spec: GameSpec) -> BatchPolicy:
    """Raises UserError where there is none such."""
    word = name if name.partition(":")[0] in SEAT_KINDS else f"snapshot:{name}"
    store = SnapshotStore(folder("snapshots"), bundled=[asset("snapshots")])
    batch = make_batch(spec, 1)
    try:
        return make_policy(word, spec, batch.places, find_snapshot(word, batch, store))
    finally:
        batch.close()


def compare(spec: GameSpec, players: dict[str, BatchPolicy], *, games: int, seed: int) -> dict[str, dict[str, float]]:
    """Name to {opponent: win rate, "mean": of them}."""
    rates: dict[str, dict[str, float]] = {name: {} for name in players}
    for first, second in itertools.combinations(players, 2):
        rate = win_rate(play_series(spec, players[first], players[second], games=games, seed=seed))
        rates[first][second], rates[second][first] = round(rate, 3), round(1 - rate, 3)
    for own in rates.values():
        own["mean"] = round(sum(own.values()) / max(1, len(own)), 3)
    return rates


if __name__ == "__main__":
    sys.exit(main())
