"""Actions of several parts: played by rules, recorded, and written part by part."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.spaces import Box, Dict, Discrete, Tuple

from agents.policies.random import RandomController
from arcade.match.play.match import Match
from arcade.match.recording.replay_writer import RecordingOptions, ReplayWriter
from arcade.match.stage.local import LocalStage
from arcade.match.stage.rules import PLAIN, StageRules
from arcade.recordings.datasets.episodes import SeatEpisode, episodes
from arcade.recordings.export.data_set import DataSet
from arcade.recordings.export.npz import NumpyWriter
from arcade.recordings.library import RecordingLibrary
from tests.support.counting_games import LENGTH, CountingEnv, counting_spec

GO, AIM = Discrete(3), Box(-1, 1, (2,), np.float32)


class DictActionsEnv(CountingEnv):
    """One action goes and aims."""

    def action_space(self, agent: str) -> Any:
        return Dict({"go": GO, "aim": AIM})

    def step(self, actions: dict[str, Any]) -> Any:
        return super().step({agent: int(action["go"]) for agent, action in actions.items()})


class TupleActionsEnv(CountingEnv):
    """The same without names."""

    def action_space(self, agent: str) -> Any:
        return Tuple((GO, AIM))

    def step(self, actions: dict[str, Any]) -> Any:
        return super().step({agent: int(action[0]) for agent, action in actions.items()})


def dict_actions_env(**kwargs: Any) -> DictActionsEnv:
    return DictActionsEnv(**kwargs)


def tuple_actions_env(**kwargs: Any) -> TupleActionsEnv:
    return TupleActionsEnv(**kwargs)


def played(folder: Path, entry: str, rules: StageRules) -> tuple[SeatEpisode, DataSet]:
    """Ann's episode of a whole match, and the data set that it belongs to."""
    with LocalStage(replace(counting_spec(), entry=f"{__name__}:{entry}"), rules=rules) as stage:
        writer = ReplayWriter(folder / "a.replay", RecordingOptions(observations="always", patient=True))
        mapping: Any = {agent: RandomController() for agent in stage.agents}
        result = Match(stage, mapping, seed=5, recorders=[writer]).run()
        writer.close()
        seen, action = stage.spaces["ann"]
    assert (result.error, result.ticks) == ("", LENGTH)
    [episode] = episodes(RecordingLibrary(folder).get("a"), ["ann"])
    return episode, DataSet(game="test/counting", name="ann", observation_space=seen, action_space=action)


@pytest.mark.parametrize("rules", [PLAIN, StageRules(sticky_actions=0.5, frame_skip=2)])
@pytest.mark.parametrize(("entry", "go", "aim"), [("dict_actions_env", "go", "aim"), ("tuple_actions_env", "0", "1")])
def test_each_part_is_a_column_of_its_own(tmp_path: Path, rules: StageRules, entry: str, go: str, aim: str) -> None:
    episode, data = played(tmp_path, entry, rules)
    rows = LENGTH // rules.frame_skip
    assert len(episode) == rows
    writer = NumpyWriter(tmp_path / "ann.npz", data)
    writer.add(data.fitted(episode))
    writer.finish()
    with np.load(tmp_path / "ann.npz") as table:
        held = (table[f"action.{go}"] == table[f"sent.{go}"]).all()
        assert held == (not rules.any)
        assert table[f"action.{aim}"].shape == (rows, 2)
        assert table["reward"].tolist() == pytest.approx((table[f"action.{go}"] * rules.frame_skip).tolist())
