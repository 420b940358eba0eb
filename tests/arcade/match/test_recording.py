"""What a recording holds, whom it names, and what becomes of it when the disk or the program gives up."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.policies.random import RandomController
from agents.records import iter_records
from arcade.games import find_game
from arcade.match.play.match import Match
from arcade.match.playback.reader import read_observations, read_replay
from arcade.match.playback.replay import Replay
from arcade.match.playback.verify import verify
from arcade.match.recording import compressed_file as recording_writer
from arcade.match.recording import replay_writer
from arcade.match.recording.observations import pack_part, unpack_seen
from arcade.match.recording.replay_writer import RecordingOptions, ReplayWriter
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.local import LocalStage
from arcade.match.stage.stage import Stage
from arcade.match.stage.tick import Tick
from tests.support.counting_games import LENGTH, CountingEnv, counting_spec
from tests.support.puppets import Clock, Puppet, turn
from tests.support.replay_files import record_counting, records_of

ALWAYS = RecordingOptions(observations="always")


class Person(Puppet):
    """Somebody at a keyboard."""

    kind = "keyboard"

    def __init__(self, label: str, *, agreed: bool = False) -> None:
        super().__init__(1)
        self.label, self.person = label, label if agreed else ""

    def report(self) -> dict[str, Any]:
        return {"device": "keyboard:wasd", "name": self.label}


def one_player(label: str, answer: int) -> Puppet:
    player = Puppet(answer)
    player.label = label
    return player


# What is in it


def test_all_of_a_match_is_in_its_recording(tmp_path: Path) -> None:
    path = record_counting(tmp_path / "a.replay", ann=one_player("three", 3)).path
    replay = read_replay(path)
    assert (len(replay.actions), replay.damage, replay.head["game"]) == (LENGTH, "", "test/counting")
    assert replay.acting == [("ann", "bob")] * LENGTH + [()]
    assert replay.rewards[0] == {}
    bobs = [actions["bob"] for actions in replay.actions]
    assert 0 in bobs
    assert replay.rewards[1:] == [{"ann": 3.0} | ({"bob": float(bob)} if bob else {}) for bob in bobs]
    assert replay.ends == {LENGTH: {"ann": "terminated", "bob": "terminated"}}
    assert replay.times == sorted(replay.times)
    assert 0 < replay.times[-1] < 60
    assert [(source.tick, source.agent, source.label) for source in replay.sources] == [
        (0, "ann", "three"), (0, "bob", "random"),
    ]  # fmt: skip
    assert replay.source_at("bob", 7).kind == "random"
    seen = list(read_observations(path))
    assert [tick for tick, _ in seen] == list(range(LENGTH + 1))
    assert replay.observed == ("ann", "bob")
    assert [int(each["ann"][0]) for _, each in seen] == list(range(LENGTH + 1))
    assert [int(each["bob"][1]) for _, each in seen][1:] == bobs
    assert seen[0][1]["ann"].dtype == np.float32


def test_a_game_of_turns_keeps_whose_turn_it_was_and_what_was_legal(tmp_path: Path) -> None:
    writer = ReplayWriter(tmp_path / "a.replay", ALWAYS)
    with LocalStage(find_game("classic/connect_four_v3")) as stage:
        result = Match(stage, {agent: RandomController() for agent in stage.agents}, seed=2, recorders=[writer]).run()
    writer.close()
    replay = read_replay(writer.path)
    first, second = stage.agents
    assert replay.acting[:3] == [(first,), (second,), (first,)]
    assert [list(actions) for actions in replay.actions] == [list(acting) for acting in replay.acting[:-1]]
    assert all(mask.sum() == 7 for mask in replay.masks[0].values())
    assert all(replay.masks[tick][who][replay.actions[tick][who]] for tick, (who,) in enumerate(replay.acting[:-1]))
    assert sum(reward.get(first, 0) for reward in replay.rewards) == result.returns[str(first)]
    seen = [observations for _, observations in read_observations(writer.path)]
    assert seen[2][first].shape == (6, 7, 2)
    assert set(replay.ends[result.ticks].values()) == {"terminated"}


@pytest.mark.parametrize(
    ("game", "options", "observed"),
    [
        ("house/volley", RecordingOptions(), ()),  # it comes out the same when it is played again
        ("house/volley", ALWAYS, ("left_0", "right_0")),
        ("house/volley", RecordingOptions(observations="always", seats="people"), ("left_0",)),
        ("test/counting", RecordingOptions(), ("ann", "bob")),
        ("test/counting", RecordingOptions(seats="people"), ("ann",)),
        ("test/counting", RecordingOptions(observations="never"), ()),
    ],
)
def test_observations_are_kept_where_they_are_wanted(
    tmp_path: Path, game: str, options: RecordingOptions, observed: tuple[str, ...]
) -> None:
    writer = ReplayWriter(tmp_path / "a.replay", options)
    with LocalStage(counting_spec() if game == "test/counting" else find_game(game)) as stage:
        one, other = stage.agents
        Match(stage, {one: Person("Ann"), other: RandomController()}, seed=1, max_ticks=20, recorders=[writer]).run()
    writer.close()
    assert read_replay(writer.path).observed == observed
    assert len(list(read_observations(writer.path))) == (21 if observed else 0)


def test_an_observation_of_any_make_comes_back_as_it_was() -> None:
    seen = {
        "ann": {"board": np.arange(6, dtype=np.uint8).reshape(2, 3), "hand": (np.float32(1.5), 3, "ace")},
        7: [np.zeros((0, 2), np.int64), None, {"deep": np.array([True, False])}],
        "bob": np.array([[1.5]], ">f4"),
        "cat": np.int64(5),
    }
    parts = {agent: pack_part(value) for agent, value in seen.items()}
    layout = [(agent, part.shape) for agent, part in parts.items()]
    back = unpack_seen(layout, [part.data for part in parts.values()], [v for p in parts.values() for v in p.values])
    assert repr(back) == repr(seen)
    assert back["ann"]["hand"][0].dtype == np.float32
    assert type(back["cat"]) is np.int64


@pytest.mark.parametrize("make", [LocalStage, HostedStage])
def test_pictures_come_back_as_they_were_and_seats_that_see_the_same_share_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[..., Stage]
) -> None:
    monkeypatch.setattr(recording_writer, "HURRY_BYTES", 2**17)
    writer = ReplayWriter(tmp_path / "a.replay", ALWAYS)
    with make(find_game("atari/pong_v3"), render=False) as stage:
        while not stage.ready:
            stage.poll(0.05)
        Match(
            stage, {agent: RandomController() for agent in stage.agents}, seed=2, max_ticks=60, recorders=[writer]
        ).run()
    writer.close()
    ticks = [record for record in records_of(writer.path) if record[0] == "tick"]
    assert [[type(part) for part in record[-1][1]] for record in ticks] == [[bytes, int]] * 61
    replay, seen = read_replay(writer.path), [each for _, each in read_observations(writer.path)]
    with LocalStage(replay.spec()) as again:
        again.reset(replay.seed)
        for index, each in enumerate(seen):
            if index:
                again.step(replay.actions[index - 1])
            for agent, picture in again.wait().observations.items():
                assert np.array_equal(each[agent], picture)


def test_what_is_too_large_for_a_record_is_left_out_and_the_tick_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_writer, "MAX_SEEN_BYTES", 4096)
    encoder = replay_writer.TickEncoder()
    for index, size in enumerate((8, 5000, 8)):
        seen = {"ann": np.zeros(size, np.uint8)}
        data = encoder.encode(Tick(index, ("ann",), seen), {}, 0.0, frozenset(seen))
        *_, record = iter_records(io.BytesIO(data))
        assert record[:2] == ["tick", index]
        assert (record[-1] is None) == (size > 8)
        assert encoder.too_large == (index > 0)


class Reusing(CountingEnv):
    """Writes every observation over the last one."""

    def _see(self, actions: dict[str, int]) -> Any:
        new = super()._see(actions)
        self._kept = getattr(self, "_kept", None) or new
        for agent, observation in new.items():
            self._kept[agent][:] = observation
        return self._kept


def reusing_env(**kwargs: Any) -> Reusing:
    return Reusing(**kwargs)


def test_what_a_game_does_with_its_arrays_later_is_not_in_the_recording(tmp_path: Path) -> None:
    writer = ReplayWriter(tmp_path / "a.replay")
    spec = replace(counting_spec(), entry=f"{__name__}:reusing_env")
    with LocalStage(spec) as stage:
        Match(stage, {agent: RandomController() for agent in stage.agents}, seed=3, recorders=[writer]).run()
    writer.close()
    assert [int(each["ann"][0]) for _, each in read_observations(writer.path)] == list(range(LENGTH + 1))


# Who is in it


def recorded_takeover(path: Path, person: Person) -> Replay:
    """A machine's seat that `person` takes over and gives back."""
    machine, clock, writer = one_player("volley-6 (hard)", 2), Clock(), ReplayWriter(path)
    machine.kind = "level"
    match = Match(
        LocalStage(counting_spec()), {"ann": machine, "bob": Person("Bob")}, seed=5, rate=50.0, clock=clock,
        recorders=[writer],
    )  # fmt: skip
    match.start()
    turn(match, clock, 6)
    match.replace("ann", person, why="takeover")
    turn(match, clock, 6)
    match.replace("ann", machine, why="give back")
    turn(match, clock, 3)
    match.quit()
    writer.close()
    return read_replay(path)


def test_a_takeover_is_marked_from_its_first_action_to_its_last(tmp_path: Path) -> None:
    replay = recorded_takeover(tmp_path / "a.replay", Person("Ann", agreed=True))
    took, gave = (change["tick"] for change in replay.changes)
    taken = [replay.source_at("ann", tick).takeover for tick in range(len(replay.actions))]
    assert taken == [took <= tick < gave for tick in range(len(replay.actions))]
    assert [actions["ann"] for actions in replay.actions] == [1 if over else 2 for over in taken]
    source = replay.source_at("ann", took)
    assert (source.kind, source.label, source.person, source.device) == ("keyboard", "Ann", "Ann", "keyboard:wasd")
    assert source.human
    machine = replay.source_at("ann", gave)
    assert (machine.kind, machine.label, machine.human, machine.person) == ("level", "volley-6 (hard)", False, "")


def test_a_person_who_did_not_agree_is_named_nowhere(tmp_path: Path) -> None:
    replay = recorded_takeover(tmp_path / "a.replay", Person("Ann Onymous"))
    assert [source.label for source in replay.sources if source.human] == ["person 1", "person 2"]
    assert replay.result is not None
    assert replay.result["lineup"] == {"ann": "volley-6 (hard)", "bob": "person 1"}
    assert [change["label"] for change in replay.changes] == ["person 2", "volley-6 (hard)"]
    assert replay.changes[1]["left"]["name"] == "person 2"
    told = repr(records_of(replay.path))
    assert "Onymous" not in told
    assert "Bob" not in told


def test_whoever_tells_its_name_late_has_it_from_its_first_tick_on(tmp_path: Path) -> None:
    class Shy(RandomController):
        label = "tcp://somewhere"

        def act(self) -> Any:
            self.label = "volley-3"
            return super().act()

    replay = read_replay(record_counting(tmp_path / "a.replay", ann=Shy()).path)
    assert [(source.tick, source.label) for source in replay.sources if source.agent == "ann"] == [(0, "volley-3")]


# When things go wrong

PLAYED = """
import sys, time
from pathlib import Path
from arcade.match.batch.in_process import Series, play_series
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.local import LocalStage
from arcade.match.play.match import Match
from arcade.match.recording.replay_writer import RecordingOptions, ReplayWriter
from agents.seats.controller import SeatChoice
from agents.policies.random import RandomController
from agents.records import iter_records
from agents.snapshots.store import SnapshotStore
from arcade.games import find_game

writer = ReplayWriter(Path(sys.argv[1]), RecordingOptions(observations="always"))
stage = LocalStage(find_game("house/volley"))
match = Match(stage, {agent: RandomController() for agent in stage.agents}, seed=1, rate=60.0, recorders=[writer])
match.start()
while True:
    match.advance(time.monotonic())
    print(match.tick.index if match.tick else 0, flush=True)
    time.sleep(0.005)
"""


def test_a_kill_costs_half_a_second_at_most(tmp_path: Path) -> None:
    path = tmp_path / "a.replay"
    with subprocess.Popen([sys.executable, "-c", PLAYED, str(path)], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        last = next(index for line in child.stdout if (index := int(line)) >= 75)
        child.send_signal(signal.SIGKILL)
    replay = read_replay(path)
    assert last - 30 - 15 <= len(replay.actions)  # 15: what a busy machine may be late
    assert len(list(read_observations(path))) == len(replay.digests)
    assert "the end of the file" in replay.damage or "cut off" in replay.damage
    assert verify(replay).differs_at is None
