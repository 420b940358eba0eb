"""``python -m trainer.compare GAME NAME NAME …``: everyone against everyone, many games at once.

A name is a snapshot's (or the path of one), or ``scripted`` for the game's own player.  Prints JSON: for each the
win rate against each of the others, draws counted half, and the mean of them.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections.abc import Sequence

from agents.errors import UserError
from agents.home import folder
from agents.onnx_policy import OnnxPolicy
from agents.snapshot import SnapshotError, SnapshotStore
from arcade.assets import asset
from arcade.games import find_game
from arcade.games.spec import GameError, GameSpec
from trainer.config import ConfigError
from trainer.league.evaluation import play_series, win_rate
from trainer.sampling.opponents import SCRIPTED, Act, scripted_player


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m trainer.compare", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("names", nargs="+", help="snapshots, or scripted")
    parser.add_argument("--games", type=int, default=200, help="games of each pair, half on each side")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(words)
    try:
        spec = find_game(options.game)
        players = {name: make_player(name, spec) for name in options.names}
    except (UserError, GameError, SnapshotError) as error:
        print(error, file=sys.stderr)
        return 2
    print(json.dumps(compare(spec, players, games=options.games, seed=options.seed), indent=1))
    return 0


def make_player(name: str, spec: GameSpec) -> Act:
    """The policy of a snapshot, or the game's scripted player; raises SnapshotError or ConfigError."""
    if name != SCRIPTED:
        store = SnapshotStore(folder("snapshots"), bundled=[asset("snapshots")])
        return OnnxPolicy(store.get(name, game=spec.id)).act
    player = scripted_player(spec)
    if player is None:
        raise ConfigError(f"expected a game with a scripted player, got: {spec.id}")
    return player


def compare(spec: GameSpec, players: dict[str, Act], *, games: int, seed: int) -> dict[str, dict[str, float]]:
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
