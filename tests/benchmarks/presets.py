"""Settings of a game compared at equal processor time.

``python -m tests.benchmarks.presets GAME [--seconds N] [--variant NAME KEY=VALUE …] …``

Each variant is the preset of the game with its own settings on top, trained alone in this process against itself for
the same processor time; the figure is its win rate against the game's easy AI, or against random moves where it has
none, with each side in half of the matches; in cooperative games its mean score in all seats.  The presets in
``trainer/config/presets.py`` name what was measured so.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Sequence
from statistics import fmean
from typing import Any

os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")

from agents.policies.batch import BatchPolicy
from agents.policies.random import RandomBatch
from arcade.games import find_game
from arcade.games.spec import GameSpec
from arcade.match.batch.make import make_vector_env
from arcade.match.batch.opponents import make_policy
from arcade.match.batch.sides import play_sides, win_rate
from tests.support.generators import exhaust
from trainer.algorithms.make import make_algorithm
from trainer.cluster.ray_cluster import start_ray, stop_ray
from trainer.config.reading import make_config, override
from trainer.networks.seat import NetworkBatch
from trainer.runs.choice import complete

MATCHES = 200


def measure(game: str, settings: Sequence[str], *, seconds: float) -> dict[str, Any]:
    """The win rate of one variant, and its env steps."""
    spec = find_game(game)
    run = make_config(complete(override({"game": game}, settings), spec))
    algorithm = make_algorithm(run, spec)
    began = time.process_time()
    while time.process_time() - began < seconds:
        algorithm.train()
    runner = algorithm.env_runner
    own: dict[str, BatchPolicy] = {p.id: NetworkBatch(runner.network(p.id)) for p in runner.plan.policies}
    players = {agent: own[id] for agent, id in runner.plan.policy_of.items()}
    played = exhaust(play_sides(spec, players, _opponent(spec), games=MATCHES, seed=1))
    steps = runner.num_env_steps_sampled_lifetime
    algorithm.stop()
    if spec.facts().cooperative:
        score = fmean(fmean(one.result.returns.values()) for one in played)
        return {"score": round(score, 3), "env_steps": steps}
    return {"win_rate": round(win_rate(played), 3), "env_steps": steps}


def _opponent(spec: GameSpec) -> BatchPolicy:
    with make_vector_env(spec, 1) as env:
        places = env.places
    if spec.scripted and spec.has_levels:
        return make_policy("scripted?level=easy", spec, places)
    return RandomBatch(places)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--variant", action="append", nargs="+", default=[], metavar="NAME KEY=VALUE")
    words = parser.parse_args()
    start_ray(make_config({"game": words.game}))
    try:
        for name, *settings in [["preset"], *words.variant]:
            print(json.dumps({name: measure(words.game, settings, seconds=words.seconds)}), flush=True)
    finally:
        stop_ray()


if __name__ == "__main__":
    main()
