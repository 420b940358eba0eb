"""Steps a second of environments for learning libraries: ``python -m tests.benchmarks.opponent_env``.

`ratio` is that of `arcade.opponent_env` with a snapshot opponent over the game's plain PettingZoo env, stepped by hand
with the same graph in an onnxruntime session, and `vector_speedup` that of `arcade.opponent_vector_env` with `NUM_ENVS`
envs over the single one; both are the smaller one of connect four and volley.  The learner plays the first legal
action in all of them, so that only the env is measured; each figure is the median of `ROUNDS` alternating rounds.
"""

from __future__ import annotations

import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import onnxruntime

import arcade
from agents.snapshots.sessions import session_options
from agents.snapshots.store import open_store
from tests.support.small_snapshots import save_connect_four_snapshot

NUM_ENVS = 64
STEPS, VECTOR_STEPS, ROUNDS = 3000, 400, 5
GAMES = {"classic/connect_four_v3": ("player_0", "hand"), "house/volley": ("left_0", "volley-7")}


def by_hand_aec(game: str, session: onnxruntime.InferenceSession, seat: str) -> Callable[[], None]:
    """Plays the plain env of a turn-based game until the learner has had its steps."""
    env, rng = arcade.make(game), np.random.default_rng(0)

    def run() -> None:
        env.reset(seed=0)
        steps = 0
        while steps < STEPS:
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            mask = seen["action_mask"]
            if env.agent_selection == seat:
                steps += 1
                env.step(int(mask.argmax()))
                continue
            feed = {"observation": seen["observation"][None], "action_mask": mask[None]}
            [shares] = session.run(["action_probabilities"], feed)
            env.step(draw(shares[0], rng))

    return run


def by_hand_parallel(game: str, session: onnxruntime.InferenceSession, seat: str) -> Callable[[], None]:
    """Plays the plain env of a real-time game."""
    env, rng = arcade.make(game), np.random.default_rng(0)
    [other] = [agent for agent in env.possible_agents if agent != seat]

    def run() -> None:
        observations, _ = env.reset(seed=0)
        for _ in range(STEPS):
            [shares] = session.run(["action_probabilities"], {"observation": observations[other][None]})
            observations, *_ = env.step({seat: 0, other: draw(shares[0], rng)})
            if not env.agents:
                observations, _ = env.reset()

    return run


def draw(shares: Any, rng: np.random.Generator) -> int:
    """An action by its probability."""
    return min(int(np.searchsorted(shares.cumsum(), rng.random())), len(shares) - 1)


def single(game: str, seat: str, snapshot: str) -> Callable[[], None]:
    env = arcade.opponent_env(game, seat, f"snapshot:{snapshot}", seed=0)

    def run() -> None:
        _, info = env.reset(seed=0)
        for _ in range(STEPS):
            action = int(info["action_mask"].argmax()) if "action_mask" in info else 0
            *_, terminated, truncated, info = env.step(action)
            if terminated or truncated:
                _, info = env.reset()

    return run


def vector(game: str, seat: str, snapshot: str) -> Callable[[], None]:
    env = arcade.opponent_vector_env(game, NUM_ENVS, seat, f"snapshot:{snapshot}", seed=0)

    def run() -> None:
        _, info = env.reset(seed=0)
        actions = np.zeros(NUM_ENVS, np.int64)
        for _ in range(VECTOR_STEPS):
            if "action_mask" in info:
                actions = info["action_mask"].argmax(axis=1)
            *_, info = env.step(actions)

    return run


def seconds(run: Callable[[], None]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def measure(game: str, seat: str, snapshot: str) -> dict[str, float]:
    """Steps a second by hand, of the single env and of the vectorised one, with their ratios."""
    model = open_store().get(snapshot, game=game).onnx
    session = onnxruntime.InferenceSession(model, session_options(), providers=["CPUExecutionProvider"])
    by_hand = (by_hand_aec if game.startswith("classic") else by_hand_parallel)(game, session, seat)
    runs = [by_hand, single(game, seat, snapshot), vector(game, seat, snapshot)]
    for run in runs:
        run()
    rounds = np.array([[seconds(run) for run in runs] for _ in range(ROUNDS)])
    rates = np.array([STEPS, STEPS, VECTOR_STEPS * NUM_ENVS]) / rounds
    hand, one, many = (statistics.median(column) for column in rates.T.tolist())
    ratio, speedup = statistics.median(rates[:, 1] / rates[:, 0]), statistics.median(rates[:, 2] / rates[:, 1])
    figures = {"by_hand": hand, "opponent_env": one, "vector": many, "ratio": ratio, "vector_speedup": speedup}
    return {name: float(f"{value:.4g}") for name, value in figures.items()}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ARCADE_HOME"] = folder
        save_connect_four_snapshot(open_store(), "hand")
        games = {game: measure(game, *rest) for game, rest in GAMES.items()}
    least = {name: min(figures[name] for figures in games.values()) for name in ("ratio", "vector_speedup")}
    print(json.dumps({**least, "games": games}))


if __name__ == "__main__":
    main()
