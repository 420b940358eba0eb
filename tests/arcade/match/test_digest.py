"""Digests of observations of every make, through recordings that are verified."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.spaces import Box, Dict, Discrete, Tuple

from agents.policies.random import RandomController
from arcade.match.play.match import Match
from arcade.match.playback.reader import read_observations, read_replay
from arcade.match.playback.replay import Replay
from arcade.match.playback.verify import verify
from arcade.match.recording.replay_writer import RecordingOptions, ReplayWriter
from arcade.match.stage.local import LocalStage
from arcade.match.stage.tick import same_value
from tests.support.counting_games import LENGTH, CountingEnv, counting_spec


class ComposedEnv(CountingEnv):
    """Sees parts of unlike shapes, some inside of others."""

    def observation_space(self, agent: str) -> Any:
        hand = Dict({"card": Discrete(100), "table": Box(-1e6, 1e6, (40, 40), np.float32)})
        return Tuple((super().observation_space(agent), hand))

    def _see(self, actions: dict[str, int]) -> Any:
        table = np.zeros((40, 40), np.float32)
        table[20, 20] = self._tick
        return {agent: (own, {"card": self._tick, "table": table}) for agent, own in super()._see(actions).items()}


def composed_env(**kwargs: Any) -> ComposedEnv:
    return ComposedEnv(**kwargs)


def composed(path: Path, observations: str) -> Replay:
    spec = replace(counting_spec(), entry=f"{__name__}:composed_env")
    writer = ReplayWriter(path, RecordingOptions(observations=observations))
    with LocalStage(spec) as stage:
        result = Match(stage, {agent: RandomController() for agent in stage.agents}, seed=3, recorders=[writer]).run()
    writer.close()
    assert not result.error
    assert not writer.warning
    return read_replay(path)


@pytest.mark.parametrize("observations", ["always", "never"])
def test_observations_of_unlike_parts_are_recorded_and_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, observations: str
) -> None:
    replay = composed(tmp_path / "a.replay", observations)
    spec = replace(counting_spec(), entry=f"{__name__}:composed_env")
    monkeypatch.setattr(Replay, "spec", lambda self: spec)
    assert len(replay.digests) == LENGTH + 1
    assert verify(replay).ok
    for index, seen in read_observations(replay.path):
        own, hand = seen["bob"]
        assert (own[0], hand["card"], hand["table"][20, 20]) == (index, index, index)
    replay.actions[6]["bob"] = (replay.actions[6]["bob"] + 1) % 4
    assert verify(replay).differs_at == 7


def test_a_part_deep_inside_of_a_large_observation_counts() -> None:
    one, other = np.zeros((60, 60)), np.zeros((60, 60))
    other[30, 30] = 1.0
    assert same_value(({"table": one}, 1), ({"table": one.copy()}, 1))
    assert not same_value(({"table": one}, 1), ({"table": other}, 1))
    assert not same_value(({"table": one}, 1), ({"table": one}, 2))


def test_a_list_of_numbers_has_the_digest_of_its_array() -> None:
    assert same_value([1, 2, 3], np.array([1, 2, 3]))
