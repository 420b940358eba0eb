"""How much of a game's own speed a match keeps: ``python -m tests.benchmarks.stage``.

For each game, ticks a second of a headless match with random seats over a bare PettingZoo loop with the same actions
(`in_process`), and of the same match on a hosted stage over that bare loop with one pipe round trip of the same bytes
to a child a tick (`hosted`).  All four run in turns; the figures are medians of the rounds' ratios.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import statistics
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")

import numpy as np

from agents.policies.random import RandomController
from arcade.games import find_game
from arcade.games.spec import GameSpec
from arcade.match.play.match import Match
from arcade.match.play.result import Recorder
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.local import LocalStage
from arcade.match.stage.stage import Stage
from arcade.match.stage.tick import Tick

GAMES = {
    "house/volley": 3000,
    "atari/pong_v3": 600,
    "mpe/simple_tag_v3": 500,
    "classic/connect_four_v3": 1500,
}
"""Game id -> ticks a round."""

ROUNDS = 9
Script = list[tuple[int, list[dict[Any, Any]]]]
"""For each episode its seed and the actions of each tick."""


class ActionLog(Recorder):
    """A recorder that keeps the actions."""

    def __init__(self) -> None:
        self.actions: list[dict[Any, Any]] = []

    def tick(self, tick: Tick, actions: dict[Any, Any], seconds: float) -> None:
        if tick.index:
            self.actions.append(actions)


def play(stage: Stage, seed: int, ticks: int, log: ActionLog | None = None) -> int:
    mapping = {agent: RandomController() for agent in stage.agents}
    result = Match(stage, mapping, seed=seed, max_ticks=ticks, recorders=[log] if log else []).run()
    assert not result.error, result.error
    return result.ticks


def write_script(spec: GameSpec, ticks: int) -> Script:
    """Play random episodes until `ticks` are full."""
    script: Script = []
    with LocalStage(spec) as stage:
        while (left := ticks - sum(len(actions) for _, actions in script)) > 0:
            log = ActionLog()
            play(stage, len(script), left, log)
            script.append((len(script), log.actions))
    return script


def match_rate(stage: Stage, script: Script) -> float:
    began = time.perf_counter()
    ticks = sum(play(stage, seed, len(actions)) for seed, actions in script)
    return ticks / (time.perf_counter() - began)


def bare_rate(env: Any, script: Script, trip: Callable[[dict[Any, Any], Any], None] | None) -> float:
    loop = bare_aec if hasattr(env, "agent_iter") else bare_parallel
    began = time.perf_counter()
    for seed, actions in script:
        loop(env, seed, actions, trip)
    return sum(len(actions) for _, actions in script) / (time.perf_counter() - began)


def bare_parallel(env: Any, seed: int, actions: list[dict[Any, Any]], trip: Any) -> None:
    env.reset(seed=seed)
    for chosen in actions:
        observations, *_ = env.step(chosen)
        if trip:
            trip(chosen, observations.values())


def bare_aec(env: Any, seed: int, actions: list[dict[Any, Any]], trip: Any) -> None:
    env.reset(seed=seed)
    chosen = iter(actions)
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        act = next(chosen, None)
        if act is None:
            return
        env.step(act[agent])
        if trip:
            trip(act, (observation["observation"], observation["action_mask"]))


def echo(connection: Connection) -> None:
    """The child of the bare loop: answers each request with the bytes that came before it."""
    answer = b""
    while (request := connection.recv_bytes()) != b"end":
        if request.startswith(b"answer:"):
            answer = request[7:]
        else:
            connection.send_bytes(answer)


class RoundTrip:
    """One pipe round trip a call: the actions there, the observations' bytes back."""

    def __init__(self, sample: bytes) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=echo, args=(theirs,), daemon=True)
        self._process.start()
        self._connection.send_bytes(b"answer:" + sample)

    def __call__(self, actions: dict[Any, Any], observations: Any) -> None:
        self._connection.send_bytes(np.asarray(list(actions.values())).tobytes())
        self._connection.recv_bytes()

    def close(self) -> None:
        self._connection.send_bytes(b"end")
        self._process.join()


def observation_bytes(spec: GameSpec) -> bytes:
    with LocalStage(spec) as stage:
        stage.reset(0)
        tick = stage.wait()
        parts = [np.asarray(part).tobytes() for part in tick.observations.values()]
        return b"".join(parts + [mask.tobytes() for mask in tick.action_masks.values() if mask is not None])


def measure(game: str, ticks: int) -> dict[str, float]:
    spec = find_game(game)
    script = write_script(spec, ticks)
    env, trip = spec.make(), RoundTrip(observation_bytes(spec))
    rounds = []
    with LocalStage(spec) as local, HostedStage(spec, render=False) as hosted:
        hosted.wait_ready()
        for _ in range(ROUNDS):
            bare, ours = bare_rate(env, script, None), match_rate(local, script)
            bare_trip, ours_hosted = bare_rate(env, script, trip), match_rate(hosted, script)
            rounds.append((ours / bare, ours_hosted / bare_trip, bare, bare_trip))
    trip.close()
    env.close()
    keys = ("in_process", "hosted", "bare_ticks_per_second", "bare_with_pipe_ticks_per_second")
    return {
        key: round(statistics.median(column), 3) for key, column in zip(keys, zip(*rounds, strict=True), strict=True)
    }


if __name__ == "__main__":
    print(json.dumps({"games": {game: measure(game, ticks) for game, ticks in GAMES.items()}}))
