"""How much the difficulty levels score together in the cooperative games, as people play these.

Run `python -m tests.benchmarks.partners [GAME …] --save`; ``level:even`` compares people's scores with these.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from argparse import ArgumentParser
from statistics import fmean

import arcade
from agents.files import replace_file
from agents.seats.controller import LEVELS, SeatChoice
from agents.snapshots.store import open_store
from arcade.assets import asset
from arcade.games import find_game
from arcade.games.spec import GameSpec
from arcade.games.strengths import TOGETHER
from arcade.match.play.lineup import make_mapping
from arcade.match.play.match import Match
from arcade.match.stage.local import LocalStage

MATCHES, SEED = 8, 77


def main(words: list[str]) -> None:
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--matches", type=int, default=MATCHES, help="for each level")
    parser.add_argument("--save", action="store_true", help="merge into assets/partners.json")
    asked = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as home:
        os.environ["ARCADE_HOME"] = home
        cooperative = [game.id for game in arcade.games() if len(game.teams) == 1 < game.seats]
        for spec in map(find_game, asked.games or cooperative):
            scores = {level: round(score(spec, level, asked.matches), 3) for level in LEVELS}
            print(json.dumps({spec.id: scores}), flush=True)
            if asked.save:
                save(spec.id, scores)


def score(spec: GameSpec, level: str, matches: int) -> float:
    """The mean return of a seat, in matches with the level in every one."""
    returns: list[float] = []
    spec = spec.for_people()
    with LocalStage(spec) as stage:
        for seed in range(SEED, SEED + matches):
            lineup = dict.fromkeys(spec.agents, SeatChoice("level", level))
            result = Match(stage, make_mapping(stage, lineup, store=open_store()), seed=seed).run()
            returns.append(fmean(result.returns.values()))
    return fmean(returns)


def save(game: str, scores: dict[str, float]) -> None:
    path = asset(TOGETHER)
    games = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    replace_file(path, (json.dumps(dict(sorted({**games, game: scores}.items())), indent=1) + "\n").encode())


if __name__ == "__main__":
    main(sys.argv[1:])
