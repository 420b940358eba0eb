"""Which ticks of a seat are decisions where not every tick is one, or not one of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arcade.games import find_game
from arcade.match.play.match import Match
from arcade.match.play.result import RecordingSource
from arcade.match.playback.reader import read_replay
from arcade.match.playback.replay import ReplayController
from arcade.match.recording.replay_writer import RecordingOptions, ReplayWriter
from arcade.match.stage.local import LocalStage
from arcade.match.stage.rules import StageRules
from arcade.recordings.datasets.episodes import demo_episodes, episodes
from arcade.recordings.datasets.segments import Decision, ObservationRows, Segment
from arcade.recordings.library import RecordingLibrary
from arcade.recordings.query import DatasetQuery
from tests.support.counting_games import CountingEnv, MaskedEnv, counting_spec
from tests.support.diaries import Diary, check
from tests.support.recorded import Fingers, machine, record


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
        assert not Match(stage, dict(diaries), seed=5, recorders=[writer]).run().error
        writer.close()
    assert any(tick % 4 for tick, _, _ in diaries["bob"].turns)
    for episode in episodes(RecordingLibrary(tmp_path).get("a"), map(str, diaries)):
        check(episode, diaries[episode.agent])


def test_what_is_played_again_from_a_recording_is_data_once(tmp_path: Path) -> None:
    path = record(tmp_path / "a.replay", {"left_0": machine("Ann")}, ticks=30)
    seats = {agent: ReplayController(read_replay(path), agent) for agent in ("left_0", "right_0")}
    record(tmp_path / "b.replay", seats, ticks=40, takeovers={20: machine("Ann")})
    recordings, _ = RecordingLibrary(tmp_path).list()

    def rows(**asked: str) -> dict[str, list[int]]:
        found = demo_episodes(recordings, DatasetQuery(seat="left_0", **asked))
        return {episode.recording: [episode.ticks[0], len(episode)] for episode in found}

    assert rows(label="Ann") == rows() == {"a": [0, 30], "b": [20, 20]}
    assert rows(kind="replay") == {"b": [0, 20]}


def gathered(piece: Segment, ticks: Iterable[int]) -> list[tuple[list[int], list[float], str]]:
    """What comes of a piece where it is seen at these ticks, in one array that is filled again: ticks, values, end."""
    gathering, seen, found = ObservationRows([piece]), np.zeros(1), []
    for tick in ticks:
        seen[:] = tick
        found += gathering.see(tick, seen)
    found += gathering.rest()
    return [([one.tick for one in part.decisions], values[:, 0].tolist(), part.ended) for part, values in found]


def piece_of(*ticks: int, until: int) -> Segment:
    source = RecordingSource(tick=0, agent="ann", kind="keyboard", label="Ann")
    ends = [*ticks[1:], until]
    decisions = [Decision(tick=tick, until=end, source=source) for tick, end in zip(ticks, ends, strict=True)]
    return Segment(agent="ann", decisions=tuple(decisions), ended="terminated")


def test_what_came_of_the_last_decision_is_what_was_seen_up_to_its_end() -> None:
    assert gathered(piece_of(0, 1, until=3), (0, 1, 2, 5)) == [([0, 1], [0, 1, 2], "terminated")]
    assert gathered(piece_of(0, 1, until=3), (0, 1, 2, 3)) == [([0, 1], [0, 1, 3], "terminated")]
    assert gathered(piece_of(0, 1, until=3), (0, 1)) == [([0, 1], [0, 1, 1], "terminated")]


def test_only_what_stands_behind_the_last_gap_ends_as_the_seat_did() -> None:
    found = gathered(piece_of(*range(9), until=9), (0, 1, 2, 4, 6, 7, 8, 9))
    assert found == [([0, 1], [0, 1, 2], ""), ([6, 7, 8], [6, 7, 8, 9], "terminated")]
    assert gathered(piece_of(*range(4), until=4), (0, 1)) == [([0], [0, 1], "")]


def test_a_seat_whose_observations_are_not_in_the_file_is_played_again(tmp_path: Path) -> None:
    with LocalStage(find_game("house/volley")) as stage:
        options = RecordingOptions(observations="always", seats="people", patient=True)
        writer = ReplayWriter(tmp_path / "a.replay", options)
        seats = {"left_0": Fingers("Ann"), "right_0": machine()}
        Match(stage, dict(seats), seed=5, max_ticks=40, recorders=[writer]).run()
        writer.close()
    recording = RecordingLibrary(tmp_path).get("a")
    assert recording.replay().observed == ("left_0",)
    assert {one.agent: len(one) for one in episodes(recording, ["left_0", "right_0"])} == {"left_0": 40, "right_0": 40}
