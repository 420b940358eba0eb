"""Time in a match turned by hand: slower, faster, one tick, and back."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from arcade.games import find_game
from arcade.match.play import adjustable
from arcade.match.play.adjustable import AdjustableMatch
from arcade.match.playback.reader import read_replay
from arcade.match.playback.verify import verify
from arcade.match.recording.replay_writer import ReplayWriter
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.local import LocalStage
from arcade.match.stage.tick import tick_digest
from tests.support.counting_games import LENGTH, counting_spec
from tests.support.puppets import RATE, Clock, Puppet, turn

PERIOD = 1.0 / RATE


def counted(ann: Puppet, bob: Puppet, **options: object) -> tuple[AdjustableMatch, Clock]:
    """A match on a stage that remembers its play, as those of a window do."""
    clock = Clock()
    stage = LocalStage(replace(counting_spec(), fps=10), render=True)  # a moment is kept every ten ticks
    match = AdjustableMatch(stage, {"ann": ann, "bob": bob}, seed=5, rate=RATE, clock=clock, **options)  # type: ignore[arg-type]
    match.start()
    match.advance(clock.now)
    return match, clock


@pytest.mark.parametrize(("speed", "ticks"), [(1 / 8, 2), (0.5, 8), (2.0, 32)])
def test_a_speed_holds_from_the_moment_it_is_set_and_keeps_the_match_off_the_ladder(speed: float, ticks: int) -> None:
    match, clock = counted(Puppet(1), Puppet(1))
    turn(match, clock, 4)
    fps = match.spec.fps
    match.set_speed(speed, clock.now)
    before = match.tick.index
    for _ in range(160):
        clock.now += 0.1 / fps
        match.advance(clock.now)
    assert match.tick.index - before == pytest.approx(ticks, abs=1)
    match.quit()
    assert match.result.settings["speeds"] == [[before, speed]]
    assert not match.result.rated


def test_a_paused_match_takes_one_tick_for_each_step_asked() -> None:
    ann = Puppet(2)
    match, clock = counted(ann, Puppet(1))
    turn(match, clock, 3)
    match.pause()
    was = match.tick.index
    for steps in (1, 2):
        match.step_once()
        turn(match, clock, 8)
        assert match.tick.index == was + steps
    assert match.scores["ann"] == 2 * (was + 2)
    match.resume(clock.now)
    turn(match, clock, 3)
    assert match.tick.index >= was + 4


def test_a_rewind_brings_scores_and_seats_back_and_play_goes_on_from_there() -> None:
    ann, bob = Puppet(1), Puppet(2)
    match, clock = counted(ann, bob)
    turn(match, clock, 35)
    was = match.tick.index
    assert match.scores == {"ann": was, "bob": 2 * was}
    assert match.rewind(was - 2)
    turn(match, clock, 1)
    assert (match.tick.index, match.scores) == (30, {"ann": 30, "bob": 60})
    assert np.all(match.frame == 30)
    ann.answer = 3
    while not match.over:
        turn(match, clock, 1)
    assert match.result.returns == {"ann": 30 + 3 * (LENGTH - 30), "bob": 2 * LENGTH}
    assert match.result.rewinds == [(was, 30)]
    assert not match.result.rated


def test_the_beginning_can_always_be_gone_back_to_and_no_further() -> None:
    match, clock = counted(Puppet(1), Puppet(1))
    assert not match.rewind(0)
    turn(match, clock, 12)
    match.pause()
    assert match.rewind(-50)
    turn(match, clock, 1)
    assert match.tick.index == 0
    assert match.scores == {"ann": 0, "bob": 0}


def test_a_game_that_does_not_repeat_itself_says_so_and_goes_on() -> None:
    clock = Clock()
    stage = LocalStage(replace(counting_spec(), fps=10), render=True)
    match = AdjustableMatch(stage, {"ann": Puppet(1), "bob": Puppet(1)}, seed=5, rate=RATE, clock=clock)
    match.start()
    turn(match, clock, 35)
    stage._env.reset = lambda seed=None, options=None, reset=stage._env.reset: reset(seed=99)
    see = stage._env.observation_space("ann")
    stage._env._see = lambda actions: {agent: see.sample() for agent in actions}
    assert match.rewind(30)
    turn(match, clock, 4)
    match.quit()
    assert match.result.settings["rewound_to_another_state"] is True


def test_what_was_taken_back_is_not_in_the_replay(tmp_path: Path) -> None:
    spec = find_game("house/volley")
    with LocalStage(spec, render=True) as stage:
        mapping = {agent: Puppet(place) for place, agent in enumerate(spec.agents)}
        clock, writer = Clock(), ReplayWriter(tmp_path / "match.replay")
        match = AdjustableMatch(stage, mapping, seed=3, rate=60.0, max_ticks=150, recorders=[writer], clock=clock)
        match.start()
        turn(match, clock, 80)
        assert match.rewind(match.tick.index - 10)
        mapping[spec.agents[0]].answer = 4
        while not match.over:
            turn(match, clock, 1)
        writer.close()
    replay = read_replay(writer.path)
    assert len(replay.actions) == match.result.ticks == 150
    assert replay.result["rewinds"] == [list(pair) for pair in match.result.rewinds]
    assert verify(replay).ok
    asked_at = int(match.result.rewinds[0][1])
    assert replay.times[asked_at + 1] - replay.times[asked_at] < 4 / 60  # the time of what was taken back is nobody's
    assert asdict(match.result)["rewinds"]


def test_whoever_sat_down_in_what_was_taken_back_sits_there_from_the_moment_gone_back_to(tmp_path: Path) -> None:
    writer = ReplayWriter(tmp_path / "match.replay")
    match, clock = counted(Puppet(1), Puppet(1), recorders=[writer])
    turn(match, clock, 6)
    for label, why in (("early", "takeover"), ("late", "give back"), ("last", "takeover")):
        controller = Puppet(2)
        controller.label = label
        match.replace("ann", controller, why=why)
        turn(match, clock, 6)
    assert match.rewind(10)
    turn(match, clock, 3)
    match.quit()
    writer.close()
    told = [(change.tick, change.label, change.why) for change in match.result.changes]
    assert told == [(5, "early", "takeover"), (10, "last", "takeover")]
    assert [change["tick"] for change in read_replay(writer.path).changes] == [5, 10]


def test_a_child_plays_again_what_was() -> None:
    spec = find_game("house/volley")
    with HostedStage(spec) as stage:
        stage.wait_ready()
        stage.reset(7)
        seen = [stage.wait().observations]
        moves = [dict.fromkeys(spec.agents, index % 6) for index in range(60)]
        for actions in moves:
            stage.step(actions)
            seen.append(stage.wait().observations)
        stage.replay(moves[:25], anew=True)
        tick = stage.wait()
        assert tick.index == 25
        assert tick.frame is not None
        assert all(np.array_equal(tick.observations[agent], seen[25][agent]) for agent in spec.agents)
        stage.step(dict.fromkeys(spec.agents, 25 % 6))
        assert all(np.array_equal(seen[26][agent], part) for agent, part in stage.wait().observations.items())


def volley_match(stage: LocalStage) -> tuple[AdjustableMatch, Clock]:
    clock = Clock()
    seats = {agent: Puppet(place) for place, agent in enumerate(stage.agents)}
    match = AdjustableMatch(stage, dict(seats), seed=5, rate=RATE, clock=clock)
    match.start()
    match.advance(clock.now)
    return match, clock


def test_a_game_that_saves_its_state_goes_back_without_being_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with LocalStage(find_game("house/volley"), render=True) as stage:
        match, clock = volley_match(stage)
        turn(match, clock, 150)
        seen = {index: state.digest for index, state in ((one.index, one) for one in match._states)}
        monkeypatch.setattr(stage, "step", None)
        for index in (130, 70, 0):
            assert match.rewind(index)
            match.advance(clock.now)
            assert match.tick.index == index - index % 60
            assert tick_digest(match.tick) == seen[match.tick.index]
            assert match.frame is match.tick.frame is not None
        assert "rewound_to_another_state" not in match.settings


def test_states_beyond_their_memory_are_reached_by_playing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adjustable, "STATES_BUDGET", 1)
    with LocalStage(find_game("house/volley"), render=True) as stage:
        match, clock = volley_match(stage)
        turn(match, clock, 200)
        assert [state.saved is not None for state in match._states] == [True, False, False, False]
        assert match.rewind(130)
        match.advance(clock.now)
        assert match.tick.index == 120
        turn(match, clock, 5)
        assert match.rewind(0)  # what was saved before is void
        match.advance(clock.now)
        assert match.tick.index == 0
        assert match.error is None
        assert "rewound_to_another_state" not in match.settings


def test_half_a_minute_and_more_is_taken_back_without_being_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with LocalStage(find_game("mpe/simple_spread_v3").for_people(), render=True) as stage:
        clock, seats = Clock(), {agent: Puppet(0) for agent in stage.agents}
        match = AdjustableMatch(stage, seats, seed=5, rate=RATE, clock=clock)
        match.start()
        match.advance(clock.now)
        turn(match, clock, 290)
        assert match.tick.index > 280
        monkeypatch.setattr(stage, "step", None)
        assert match.rewind(12)
        match.advance(clock.now)
        assert 0 < match.tick.index <= 12


def test_a_saved_moment_has_the_scores_of_its_tick_and_ends_with_another_line_of_play() -> None:
    ann = Puppet(2)
    match, clock = counted(ann, Puppet(1))
    turn(match, clock, 15)
    scores, moment = dict(match.scores), match.save_moment()
    assert moment is not None
    turn(match, clock, 20)
    assert match.can_load(moment)
    assert match.load_moment(moment)
    match.advance(clock.now)
    assert (match.tick.index, dict(match.scores)) == (moment.state.index, scores)
    assert not match.rated
    later = match.save_moment()
    assert later is not None
    assert match.rewind(0)
    match.advance(clock.now)
    ann.answer = 0
    turn(match, clock, 25)
    assert not match.can_load(later)
    assert not match.load_moment(later)
