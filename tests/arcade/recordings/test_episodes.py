"""Episodes of seats: what controllers were shown, asked and paid in the match, read again from its recording."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arcade.games import find_game
from arcade.match.play.match import Match
from arcade.match.recording.replay_writer import RecordingOptions, ReplayWriter
from arcade.match.stage.local import LocalStage
from arcade.match.stage.rules import StageRules
from arcade.recordings.datasets.episodes import demo_episodes, episodes
from arcade.recordings.datasets.segments import Stack
from arcade.recordings.library import Recording, RecordingLibrary
from arcade.recordings.query import DatasetError, DatasetQuery
from tests.support.diaries import Diary, check
from tests.support.recorded import Fingers, machine, record
from tests.support.replay_files import records_of, write_records

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")


def play(
    folder: Path, game: str, *, ticks: int | None, rules: StageRules | None = None, observations: Any = "auto"
) -> tuple[Recording, dict[Any, Diary]]:
    """A recorded match of diaries, and the recording of it."""
    with LocalStage(find_game(game), rules=rules or StageRules()) as stage:
        writer = ReplayWriter(folder / "a.replay", RecordingOptions(observations=observations, patient=True))
        diaries = {agent: Diary() for agent in stage.agents}
        Match(stage, dict(diaries), seed=5, max_ticks=ticks, recorders=[writer]).run()
        writer.close()
    return RecordingLibrary(folder).get("a"), diaries


@pytest.mark.parametrize("observations", ["never", "always"])
@pytest.mark.parametrize("game", ["classic/connect_four_v3", "classic/leduc_holdem_v4"])
def test_the_last_observation_and_mask_of_every_seat_are_what_the_game_itself_shows_at_the_end(
    tmp_path: Path, game: str, observations: str
) -> None:
    recording, diaries = play(tmp_path, game, ticks=None, observations=observations)
    moves = recording.replay().actions
    env = find_game(game).make()
    env.reset(seed=5)
    for actions in moves:
        for agent in actions:
            assert agent == env.agent_selection
            env.step(actions[agent])
    shown = {}
    while env.agents:
        observation, *_ = env.last()
        shown[env.agent_selection] = observation["observation"], observation["action_mask"]
        env.step(None)
    found = {episode.agent: episode for episode in episodes(recording, map(str, diaries))}
    assert found.keys() == shown.keys()
    for agent, (observation, mask) in shown.items():
        np.testing.assert_array_equal(found[agent].observations[-1], observation)
        masks = found[agent].action_masks
        assert masks is not None
        np.testing.assert_array_equal(masks[-1], mask)
        assert found[agent].terminated or found[agent].truncated


@pytest.mark.parametrize("observations", ["never", "always"])
@pytest.mark.parametrize(
    ("game", "ticks"),
    [
        ("house/volley", 300),
        ("classic/connect_four_v3", None),
        ("classic/tictactoe_v3", 4),
        ("mpe/simple_tag_v3", None),
    ],
)
def test_rows_are_what_the_seats_were_shown_did_and_were_paid(
    tmp_path: Path, game: str, ticks: int | None, observations: str
) -> None:
    recording, diaries = play(tmp_path, game, ticks=ticks, observations=observations)
    found = {episode.agent: episode for episode in episodes(recording, map(str, diaries))}
    assert found.keys() == diaries.keys()
    for agent, diary in diaries.items():
        check(found[agent], diary)


def test_with_frame_skip_only_decisions_are_rows_and_with_sticky_actions_what_was_done_stands_beside_what_was_sent(
    tmp_path: Path,
) -> None:
    recording, diaries = play(tmp_path, "house/volley", ticks=200, rules=StageRules(frame_skip=4, sticky_actions=0.5))
    [episode] = episodes(recording, ["left_0"])
    asked = [diaries["left_0"].answers[tick] for tick in range(0, 200, 4)]
    assert list(episode.ticks) == list(range(0, 200, 4))
    assert list(episode.sent) == asked
    assert 5 < (episode.sent != episode.actions).sum() < 45
    np.testing.assert_array_equal(episode.observations[1], diaries["left_0"].turns[1][1])


def test_seats_that_see_the_screen_see_it_as_the_window_drew_it(tmp_path: Path) -> None:
    with LocalStage(find_game("butterfly/pistonball_v6"), render=True) as stage:
        writer = ReplayWriter(tmp_path / "a.replay", RecordingOptions(observations="never"))
        diaries = {agent: Diary() for agent in stage.agents}
        Match(stage, dict(diaries), seed=5, max_ticks=4, recorders=[writer]).run()
        writer.close()
    [episode] = episodes(RecordingLibrary(tmp_path).get("a"), ["piston_3"])
    for seen, (_, shown, _) in zip(episode.observations, diaries["piston_3"].turns, strict=False):
        np.testing.assert_array_equal(seen, shown)
    assert len(episode) == 4


def test_a_trim_drops_rows_and_keeps_the_game_that_led_to_them(tmp_path: Path) -> None:
    recording, _ = play(tmp_path, "house/volley", ticks=100)
    [whole] = episodes(recording, ["right_0"])
    [part] = episodes(RecordingLibrary(tmp_path).change(recording, span=(30, 70)), ["right_0"])
    assert list(part.ticks) == list(range(30, 70))
    np.testing.assert_array_equal(part.observations, whole.observations[30:71])
    assert part.truncated
    assert not part.terminated


def taken_over(folder: Path) -> Recording:
    """A machine's match, in which Ann sat in at ticks 10 to 19 and somebody at 25 to 29."""
    changes = {10: Fingers("Ann"), 20: machine("bot"), 25: Fingers("Bob", agreed=False), 30: machine("bot")}
    record(folder / "a.replay", {"left_0": machine("bot")}, ticks=40, takeovers=changes)
    return RecordingLibrary(folder).get("a")


def test_who_decided_stands_at_each_row(tmp_path: Path) -> None:
    [episode] = episodes(taken_over(tmp_path), ["left_0"])
    by_hand = [*range(10, 20), *range(25, 30)]
    assert list(np.flatnonzero(episode.human)) == list(np.flatnonzero(episode.takeover)) == by_hand
    assert [episode.labels[tick] for tick in (9, 10, 20, 25, 30)] == ["bot", "Ann", "bot", "person 1", "bot"]


@pytest.mark.parametrize(
    ("query", "spans"),
    [
        (DatasetQuery(takeover="only"), [(10, 20), (25, 30)]),
        (DatasetQuery(takeover="without", seat="left_0"), [(0, 10), (20, 25), (30, 40)]),
        (DatasetQuery(person="Ann"), [(10, 20)]),
        (DatasetQuery(kind="keyboard", seat="left_*"), [(10, 20), (25, 30)]),
        (DatasetQuery(label="person *"), [(25, 30)]),
        (DatasetQuery(person="Bob"), []),
        (DatasetQuery(person="Ann", takeover="without"), []),
        (DatasetQuery(game="house/pong"), []),
    ],
)
def test_a_query_cuts_out_the_decisions_that_it_asks_for(
    tmp_path: Path, query: DatasetQuery, spans: list[tuple[int, int]]
) -> None:
    recording = taken_over(tmp_path)
    found = list(demo_episodes([recording], query))
    assert [(episode.ticks[0], episode.ticks[-1] + 1) for episode in found] == spans
    assert bool(query.seats(recording)) == bool(spans)
    [whole] = episodes(recording, ["left_0"])
    for episode, (start, end) in zip(found, spans, strict=True):
        np.testing.assert_array_equal(episode.observations, whole.observations[start : end + 1])


def test_a_query_asks_for_outcomes_returns_tags_and_ratings(tmp_path: Path) -> None:
    recording, diaries = play(tmp_path, "classic/connect_four_v3", ticks=None)
    won = max(diaries, key=lambda agent: sum(diaries[agent].paid))
    store = RecordingLibrary(tmp_path)
    recording = store.change(recording, tags=("gold",), rating=3)
    assert DatasetQuery(outcome="win").seats(recording) == DatasetQuery(min_return=0.5).seats(recording) == (won,)
    assert DatasetQuery(outcome="loss").seats(recording) == DatasetQuery(max_return=-0.5).seats(recording) != (won,)
    assert DatasetQuery(tag="gold", min_rating=3, recordings=("a",)).seats(recording) == ("player_0", "player_1")
    assert (
        DatasetQuery(recordings=("a-2", "")).seats(recording)
        == DatasetQuery(recordings=("", "b")).seats(recording)
        == ()
    )
    for nothing in (
        DatasetQuery(tag="tin"),
        DatasetQuery(min_rating=4),
        DatasetQuery(recordings=("b",)),
        DatasetQuery(outcome="draw"),
    ):
        assert nothing.seats(recording) == ()


@pytest.mark.parametrize(
    "wrong", [{"outcome": "won"}, {"takeover": "yes"}, {"min_rating": 6}, {"min_return": 1, "max_return": 0}]
)
def test_a_query_that_cannot_be_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(DatasetError, match="expected"):
        DatasetQuery(**wrong)


def test_what_comes_out_otherwise_counts_up_to_there_and_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    recording, _ = play(tmp_path, "house/volley", ticks=60)
    replay = recording.replay()
    replay.digests[41] ^= 1
    monkeypatch.setattr(Recording, "replay", lambda recording: replay)
    with caplog.at_level(logging.WARNING):
        [episode] = episodes(recording, ["left_0"])
    assert list(episode.ticks) == list(range(40))
    assert len(episode.observations) == 41
    assert episode.truncated
    assert "a: the simulation differs from tick 41 on" in caplog.text


def test_gaps_in_recorded_observations_end_one_episode_and_begin_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recording, _ = play(tmp_path, "house/volley", ticks=60, observations="always")
    [whole] = episodes(recording, ["left_0"])
    seen = [(tick, {"left_0": whole.observations[tick]}) for tick in range(61) if tick not in (0, 1, 20, 21, 60)]
    monkeypatch.setattr("arcade.recordings.datasets.episodes.read_observations", lambda path: iter(seen))
    first, second = episodes(recording, ["left_0"])
    assert (first.ticks[0], first.ticks[-1], second.ticks[0], second.ticks[-1]) == (2, 18, 22, 59)
    np.testing.assert_array_equal(first.observations, whole.observations[2:20])
    np.testing.assert_array_equal(second.observations[-1], whole.observations[59])


def test_a_recording_that_was_cut_off_counts_as_far_as_it_can_be_read(tmp_path: Path) -> None:
    path = record(tmp_path / "a.replay", ticks=40)
    data = write_records(path, records_of(path)).read_bytes()
    path.write_bytes(data[: len(data) - 40])
    recording = RecordingLibrary(tmp_path).get("a")
    [episode] = episodes(recording, ["left_0"])
    assert recording.card.damage
    assert 0 < len(episode) == recording.card.ticks
    assert episode.truncated


def test_a_recording_that_cannot_be_had_is_named_and_others_count(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    record(tmp_path / "a.replay", ticks=20)
    record(tmp_path / "b.replay", ticks=20)
    recordings, _ = RecordingLibrary(tmp_path).list()
    (tmp_path / "a.replay").unlink()
    done: list[str] = []
    found = list(
        demo_episodes(recordings, DatasetQuery(seat="left_0"), on_recording=lambda recording: done.append(recording.id))
    )
    assert [episode.recording for episode in found] == ["b"]
    assert sorted(done) == ["a", "b"]
    assert "a is left out: " in caplog.text


def edited(path: Path, edit: Any) -> None:
    """Write the replay anew, with what `edit` makes of its records."""
    records = records_of(path)
    for one in records:
        edit(one)
    write_records(path, records)


def no_agents(record: Any) -> None:
    if record[0] == "head":
        del record[1]["agents"]


def strange_rules(record: Any) -> None:
    if record[0] == "head":
        record[1]["settings"] = {"rules": {"frame_skip": 0, "gravity": 3}}


def words_for_actions(record: Any) -> None:
    if record[0] == "tick" and record[1] == 9:
        record[5] = [["left_0", "jump"], ["right_0", [1, 2]]]


def nobody(record: Any) -> None:
    if record[0] == "source":
        record[1]["agent"] = "ghost"


@pytest.mark.parametrize("edit", [no_agents, strange_rules, words_for_actions, nobody])
@pytest.mark.parametrize("observations", ["never", "always"])
def test_edited_files_are_named_and_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, edit: Any, observations: str
) -> None:
    recording, _ = play(tmp_path, "house/volley", ticks=20, observations=observations)
    edited(recording.path, edit)
    found = list(demo_episodes([recording], Everything()))
    assert found == []
    assert "a is left out: " in caplog.text


class Everything(DatasetQuery):
    """Asks for both seats, whatever the card says."""

    def seats(self, recording: Recording) -> tuple[str, ...]:
        return ("left_0", "right_0")


def test_large_observations_lie_in_a_file_and_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recording, _ = play(tmp_path, "house/volley", ticks=30)
    [small] = episodes(recording, ["left_0"])
    monkeypatch.setattr("arcade.recordings.datasets.segments.MEMORY_BYTES", 100)
    [large] = episodes(recording, ["left_0"])
    assert isinstance(large.observations, np.memmap)
    assert not isinstance(small.observations, np.memmap)
    np.testing.assert_array_equal(large.observations, small.observations)


def test_values_that_no_array_holds_stay_a_list() -> None:
    stack = Stack(4)
    filled = np.zeros(2)
    stack.append(filled)
    filled += 1
    stack.append(np.ones(3))
    assert [list(value) for value in stack.whole()] == [[0, 0], [1, 1, 1]]
    composite = Stack(2)
    composite.append({"a": filled})
    filled += 1
    assert composite.whole()[0]["a"].tolist() == [1, 1]


def test_a_seat_whose_turn_never_came_has_no_episode_and_keeps_no_other_from_its_own(tmp_path: Path) -> None:
    recording = RecordingLibrary(tmp_path).read(record(tmp_path / "left.replay", game="classic/tictactoe_v3", ticks=1))
    assert [(one.agent, len(one)) for one in episodes(recording, ["player_1", "player_2"])] == [("player_1", 1)]
