"""Playback of recorded matches: the clock, ways forward and back, pictures from memory, games that differ."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from agents.policies.random import RandomController
from arcade.games import find_game
from arcade.games.spec import GameSpec
from arcade.match.play.match import Match
from arcade.match.playback import playback
from arcade.match.playback.branch import STRETCH, STRETCH_BYTES, Branch, BranchedMatch, stretch_of
from arcade.match.playback.keyframes import Keyframes
from arcade.match.playback.playback import Moments, Playback
from arcade.match.playback.reader import read_replay
from arcade.match.playback.replay import Replay, ReplayError
from arcade.match.recording.replay_writer import ReplayWriter
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.local import LocalStage
from arcade.match.stage.stage import Stage
from arcade.match.stage.tick import Tick
from tests.support.counting_games import LENGTH, counting_spec

RATE = 10.0


class Clock:
    """Turned by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Show:
    """A playback, and a window that turns it at 100 frames a second."""

    def __init__(self, stage: Stage, replay: Replay, moments: Moments | None = None) -> None:
        self.clock = Clock()
        self.playback = Playback(stage, replay, rate=RATE, moments=moments, clock=self.clock)
        self.seen: list[int] = []

    def frames(self, count: int) -> None:
        for _ in range(count):
            self.clock.now += 0.01
            self.playback.advance(self.clock.now)
            self.playback.listen()
            if self.playback.tick is not None and self.seen[-1:] != [self.playback.index]:
                self.seen.append(self.playback.index)

    def settle(self) -> Tick:
        deadline = time.monotonic() + 60.0
        while not self.playback.settled:
            assert time.monotonic() < deadline, f"expected tick {self.playback.goal}, got {self.playback.index}"
            self.frames(1)
        assert self.playback.tick is not None
        return self.playback.tick


@pytest.fixture
def game() -> GameSpec:
    return counting_spec()


@pytest.fixture
def replay(tmp_path: Path, game: GameSpec) -> Replay:
    with LocalStage(game) as stage:
        writer = ReplayWriter(tmp_path / "a.replay")
        Match(stage, {agent: RandomController() for agent in stage.agents}, seed=3, recorders=[writer]).run()
        writer.close()
    return read_replay(tmp_path / "a.replay")


def test_it_plays_at_the_games_own_rate_and_stops_at_the_end(game: GameSpec, replay: Replay) -> None:
    with LocalStage(game, render=True) as stage:
        show = Show(stage, replay)
        show.settle()
        show.playback.play()
        show.frames(101)  # a second and one frame, which starts the clock
        assert show.playback.index == RATE
        assert show.seen == list(range(11))
        assert show.playback.frame is not None
        assert show.playback.frame[0, 0, 0] == RATE
        show.frames(400)
        assert show.playback.index == LENGTH == show.playback.length
        assert not show.playback.playing
        assert show.playback.differs_at is None


@pytest.mark.parametrize(("speed", "ticks"), [(1 / 8, 2), (0.5, 10), (8, LENGTH)])
def test_speeds(game: GameSpec, replay: Replay, speed: float, ticks: int) -> None:
    with LocalStage(game, render=True) as stage:
        show = Show(stage, replay)
        show.settle()
        show.playback.speed = speed
        show.playback.play()
        show.frames(201)
        assert show.playback.index == ticks


def test_seeking_there_and_back_shows_the_very_tick(game: GameSpec, replay: Replay) -> None:
    with LocalStage(game, render=True) as stage:
        show = Show(stage, replay, Moments(budget=0))  # nothing but the newest is remembered
        for tick in (30, 5, 6, 39, 0, 17):
            show.playback.seek(tick)
            assert show.settle().frame[0, 0, 0] == tick
            assert {str(a): float(seen[1]) for a, seen in show.playback.tick.observations.items()} == {
                str(a): float(action) if tick else 0.0 for a, action in replay.actions[max(0, tick - 1)].items()
            }
        show.playback.step(-1)
        assert show.settle().index == 16
        assert show.playback.differs_at is None


@pytest.fixture
def rally(tmp_path: Path) -> Replay:
    """Of a game that saves its state."""
    with LocalStage(find_game("house/volley")) as stage:
        writer = ReplayWriter(tmp_path / "rally.replay")
        seats = {agent: RandomController() for agent in stage.agents}
        Match(stage, dict(seats), seed=3, max_ticks=300, recorders=[writer]).run()
        writer.close()
    return read_replay(tmp_path / "rally.replay")


def test_a_replay_that_was_passed_once_is_sought_from_keyframes(rally: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playback, "MOST_CHUNK", 32)
    with LocalStage(rally.spec(), render=True) as stage:
        show = Show(stage, rally, Moments(budget=0))
        show.settle()
        show.frames(30)  # nothing is asked for: it passes the whole recording, and shows the start
        assert show.playback.passed == 300
        assert show.seen == [0]
        asked: list[int] = []
        load = stage.load
        monkeypatch.setattr(stage, "replay", None)
        monkeypatch.setattr(stage, "load", lambda state, moves=(): (asked.append(len(moves)), load(state, moves)))
        for tick in (150, 7, 290, 0, 211, 64):
            show.playback.seek(tick)
            assert show.settle().index == tick
            assert show.playback.frame is not None
        assert max(asked) <= 32
        assert show.playback.differs_at is None


def test_keyframes_keep_within_their_memory(rally: Replay) -> None:
    with LocalStage(rally.spec()) as stage:
        stage.reset(rally.seed)
        stage.wait()
        keyframes = Keyframes(stage, budget=300_000)
        for tick, actions in enumerate(rally.actions):
            keyframes.pass_by(tick, 1)
            stage.step(actions)
            stage.wait()
        assert stage.states_size <= 300_000
        assert keyframes.before(0).index == 0  # the reset stays
        assert keyframes.before(300).index > 250
        apart = [keyframes.before(tick).index for tick in range(1, 300)]
        assert max(later - earlier for earlier, later in pairwise(apart)) < 64


def test_what_was_seen_is_shown_again_without_the_stage(game: GameSpec, replay: Replay) -> None:
    with LocalStage(game, render=True) as stage:
        show = Show(stage, replay)
        show.playback.play()
        show.frames(300)
        asked: list[int] = []
        stage.replay = lambda moves, anew=False: asked.append(len(moves))  # type: ignore[method-assign]
        show.playback.seek(4)
        assert show.playback.settled
        assert show.playback.frame[0, 0, 0] == 4
        show.playback.play()
        show.frames(101)
        assert show.playback.index == 14
        assert not asked  # the stage stands further on, and all up to there is remembered


def test_a_picture_close_by_stands_while_the_stage_is_on_its_way(game: GameSpec, replay: Replay) -> None:
    with LocalStage(game, render=True) as stage:
        show = Show(stage, replay)
        show.playback.seek(20)
        show.settle()
        poll, stage.poll = stage.poll, lambda timeout=0.0: None  # type: ignore[method-assign]
        show.playback.seek(22)
        show.frames(5)
        assert (show.playback.index, show.playback.settled) == (20, False)
        stage.poll = poll  # type: ignore[method-assign]
        assert show.settle().index == 22


def test_a_hosted_stage_plays_a_stretch_at_one_asking(game: GameSpec, replay: Replay) -> None:
    with HostedStage(game) as stage:
        stage.wait_ready()
        show = Show(stage, replay)
        show.playback.seek(33)
        show.settle()
        assert show.playback.index == 33
        assert show.playback.differs_at is None


def test_a_game_that_goes_another_way_is_told_of(game: GameSpec, replay: Replay) -> None:
    digests = [digest + (tick >= 12) for tick, digest in enumerate(replay.digests)]
    with LocalStage(game, render=True) as stage:
        show = Show(stage, replace(replay, digests=digests))
        show.playback.seek(11)
        show.settle()
        assert show.playback.differs_at is None
        show.playback.play()
        show.frames(30)
        assert show.playback.differs_at == 12


def test_a_game_that_ends_earlier_ends_the_playback(game: GameSpec, replay: Replay) -> None:
    longer = replace(
        replay,
        actions=[*replay.actions, replay.actions[-1]],
        digests=[*replay.digests, 1],
        rewards=[*replay.rewards, {}],
    )
    with LocalStage(game, render=True) as stage:
        show = Show(stage, longer)
        show.playback.seek(LENGTH + 1)
        show.frames(200)
        assert show.playback.index == show.playback.length == LENGTH
        assert show.playback.differs_at == LENGTH + 1
        assert "earlier" in show.playback.problem


def test_actions_that_the_game_does_not_take_end_the_playback_where_it_stood(game: GameSpec, replay: Replay) -> None:
    edited = replace(replay, actions=[*replay.actions[:20], {}, *replay.actions[21:]])
    with LocalStage(game, render=True) as stage:
        show = Show(stage, edited)
        show.playback.play()
        show.frames(250)
        assert show.playback.index == show.playback.length == 20
        assert "the game failed" in show.playback.problem
        show.playback.seek(7)
        assert show.settle().index == 7  # what was seen stays


def test_moments_keep_within_their_memory() -> None:
    moments = Moments(budget=400_000)
    for index in range(1000):
        moments.keep(Tick(index, ()))
    assert moments.bytes <= 400_000
    assert moments.at(999) is not None
    assert moments.run_end(990) == 1000
    assert abs(moments.near(300).index - 300) < 30  # one now and then of all that was


def test_a_match_goes_on_from_a_moment_that_there_is(game: GameSpec, replay: Replay) -> None:
    with pytest.raises(ReplayError, match="from 0 to 40"):
        Branch(replay=replay, tick=LENGTH + 1, recording="a")
    with HostedStage(game) as stage:
        stage.wait_ready()
        match = branched(stage, Branch(replay=replay, tick=LENGTH, recording="a"))
        with pytest.raises(ReplayError, match="continues"):
            match.catch_up()


def test_recorded_actions_that_do_not_fit_are_told_of(game: GameSpec, replay: Replay) -> None:
    short = replace(replay, actions=[*replay.actions[:4], {"ann": 1}, *replay.actions[5:]])
    with HostedStage(game) as stage:
        stage.wait_ready()
        with pytest.raises(ReplayError, match="to fit from tick 0 on"):
            branched(stage, Branch(replay=short, tick=9, recording="a")).catch_up()


def test_a_game_that_came_to_another_state_says_so(game: GameSpec, replay: Replay) -> None:
    other = replace(replay, digests=[digest + (tick == 9) for tick, digest in enumerate(replay.digests)])
    with HostedStage(game) as stage:
        stage.wait_ready()
        for recording, says in ((replay, None), (other, True)):
            match = branched(stage, Branch(replay=recording, tick=9, recording="a"))
            assert match.caught_up == 0
            match.catch_up()
            assert match.caught_up == 1
            assert match.settings.get("branched_from_another_state") is says
            match.seat({agent: RandomController() for agent in stage.agents})
            match.quit()
            assert match.result is not None
            assert (match.result.rated, match.result.ticks) == (False, 9)
            assert {change.why for change in match.result.changes} == {"policy"}


def test_the_ticks_of_a_request_are_few_where_much_is_seen() -> None:
    def tick(count: int, size: int) -> Tick:
        return Tick(0, (), {f"seat_{n}": {"screen": np.zeros(size, np.uint8)} for n in range(count)})

    assert stretch_of(tick(2, 100)) == STRETCH
    assert stretch_of(tick(20, STRETCH_BYTES // 100)) == 5
    assert stretch_of(tick(20, STRETCH_BYTES)) == 1
    screen = np.zeros(STRETCH_BYTES // 10, np.uint8)
    assert stretch_of(Tick(0, (), dict.fromkeys(map(str, range(20)), screen))) == 10, "all see the same one"


def branched(stage: HostedStage, branch: Branch) -> BranchedMatch:
    match = BranchedMatch(stage, branch, rate=stage.spec.fps)
    match.start()
    return match
