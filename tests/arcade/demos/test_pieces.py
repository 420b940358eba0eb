"""Which ticks of a seat are decisions where not every tick is one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arcade.demos.episodes import episodes
from arcade.demos.takes import TakeStore
from arcade.match.local import LocalStage
from arcade.match.match import Match
from arcade.match.recording import RecordingOptions, ReplayWriter
from arcade.match.rules import StageRules
from tests.arcade.demos.test_episodes import Diary, check
from tests.arcade.match.small_games import CountingEnv, MaskedEnv, counting_spec


class LateComerEnv(CountingEnv):
    """Bob comes at tick 5."""

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        observations, infos = super().reset(seed, options)
        self.agents = ["ann"]
        return {"ann": observations["ann"]}, {"ann": infos["ann"]}

    def step(self, actions: dict[str, int]) -> Any:
        self.agents = ["ann", "bob"]
        told = super().step({"bob": 0, **actions})
        present = ("ann", "bob") if self._tick >= 5 else ("ann",)
        self.agents = [agent for agent in self.agents if agent in present]
        return tuple({agent: part[agent] for agent in present} for part in told)


class NarrowEnv(MaskedEnv):
    """Every tick another action is forbidden."""

    def _masks(self) -> dict[str, Any]:
        mask = (np.arange(4) != self._tick % 4).astype(np.int8)
        return {agent: {"action_mask": mask} for agent in self.possible_agents}


def late_comer_env(**kwargs: Any) -> LateComerEnv:
    return LateComerEnv(**kwargs)


def narrow_env(**kwargs: Any) -> NarrowEnv:
    return NarrowEnv(**kwargs)


@pytest.mark.parametrize("entry", ["late_comer_env", "narrow_env"])
def test_with_frame_skip_whatever_a_seat_was_asked_for_is_a_row(tmp_path: Path, entry: str) -> None:
    spec = replace(counting_spec(), entry=f"{__name__}:{entry}")
    with LocalStage(spec, rules=StageRules(frame_skip=4)) as stage:
        writer = ReplayWriter(tmp_path / "a.replay", RecordingOptions(observations="always", patient=True))
        diaries = {agent: Diary() for agent in stage.agents}
        assert not Match(stage, dict(diaries), seed=5, recorder=writer).run().error
        writer.close()
    assert any(tick % 4 for tick, _, _ in diaries["bob"].turns)
    for episode in episodes(TakeStore(tmp_path).get("a"), map(str, diaries)):
        check(episode, diaries[episode.agent])
