"""The match on a clock that is turned by hand."""

from __future__ import annotations

import sys
import time
from dataclasses import replace

import pytest

from agents.policies.random import IdleController, RandomController
from agents.seats.controller import Action, Controller, ControllerError, SeatSpec
from arcade.games import find_game
from arcade.match.play.match import Match
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.local import LocalStage
from tests.support.counting_games import LENGTH, counting_spec
from tests.support.puppets import RATE, Clock, Puppet, turn


def start(
    ann: Controller, bob: Controller, *, turn_based: bool = False, rate: float | None = RATE
) -> tuple[Match, Clock]:
    clock = Clock()
    stage = LocalStage(counting_spec(turn_based=turn_based))
    match = Match(stage, {"ann": ann, "bob": bob}, seed=5, rate=rate, clock=clock)
    match.start()
    match.advance(clock.now)
    return match, clock


def test_ticks_come_at_the_rate_and_not_faster() -> None:
    match, clock = start(Puppet(1), Puppet(2))
    assert match.tick is not None
    assert match.tick.index == 0
    turn(match, clock, 10)
    assert 9 <= match.tick.index <= 10
    assert match.scores["bob"] == 2.0 * match.tick.index


def test_a_late_controller_repeats_its_last_action_and_is_counted() -> None:
    ann = Puppet(3)
    match, clock = start(ann, Puppet(0))
    turn(match, clock, 5)
    played = match.tick.index if match.tick else 0
    ann.answer = None
    turn(match, clock, 4)
    assert match.late == {"ann": match.tick.index - played, "bob": 0} if match.tick else False
    assert match.scores["ann"] == 3.0 * match.tick.index


def test_a_match_that_listens_between_frames_asks_at_once_and_steps_at_the_frame() -> None:
    ann = Puppet(1)
    clock = Clock()
    with HostedStage(counting_spec()) as stage:
        stage.wait_ready()
        match = Match(stage, {"ann": ann, "bob": Puppet(2)}, seed=5, rate=RATE, clock=clock)
        match.start()
        for turns in range(1, 6):
            deadline = time.monotonic() + 60
            while len(ann.turns) < turns and time.monotonic() < deadline:
                match.listen(clock.now)
            assert [t.tick for t in ann.turns] == list(range(turns))
            match.listen(clock.now)
            assert not match.stepping
            clock.now += 1.01 / RATE
            match.advance(clock.now)
            assert match.stepping or len(ann.turns) == turns + 1  # a stage in a hurry has answered by now


def test_a_late_answer_to_an_earlier_turn_is_played_rather_than_the_last_action() -> None:
    ann = Puppet(3)
    match, clock = start(ann, Puppet(0))
    turn(match, clock, 2)
    before, ticks = match.scores["ann"], match.tick.index
    ann.answer, ann.late = None, 1
    turn(match, clock, 3)
    assert match.scores["ann"] == before + 1.0 * (match.tick.index - ticks)
    assert match.late["ann"] == match.tick.index - ticks


def test_a_late_controller_repeats_its_last_action_where_the_seats_take_turns() -> None:
    ann = Puppet(3)
    spec = replace(counting_spec(), entry="tests.support.counting_games:counting_aec")
    clock = Clock()
    match = Match(LocalStage(spec), {"ann": ann, "bob": Puppet(0)}, seed=5, rate=RATE, clock=clock)
    match.start()
    turn(match, clock, 4)
    ann.answer = None
    turn(match, clock, 3 * LENGTH)
    assert match.late["ann"] > LENGTH // 2
    assert match.result is not None
    assert match.result.returns["ann"] == 3.0 * LENGTH


def test_a_mask_is_read_from_the_first_action_of_the_space() -> None:
    spec = replace(counting_spec(), entry="tests.support.counting_games:masked_env")
    with LocalStage(spec) as stage:
        result = Match(stage, {"ann": Puppet(4), "bob": Puppet(1)}, seed=0).run()
    assert (result.ended, result.late) == ("finished", {"ann": 0, "bob": 0})
    assert result.returns == {"ann": 4.0 * LENGTH, "bob": 1.0 * LENGTH}


def test_who_has_never_answered_acts_idle() -> None:
    match, clock = start(Puppet(None), Puppet(1))
    turn(match, clock, 6)
    assert match.scores["ann"] == 0.0
    assert match.late["ann"] == match.tick.index > 3


def test_a_turn_based_game_waits_and_nobody_is_late() -> None:
    ann = Puppet(None)
    match, clock = start(ann, Puppet(1), turn_based=True)
    turn(match, clock, 500)
    assert match.tick.index == 0
    assert match.waiting_for == ("ann",)
    ann.answer = 2
    turn(match, clock, 2)
    assert match.tick.index >= 1
    assert match.late["ann"] == 0


def test_a_long_stall_is_not_made_up_in_one_burst() -> None:
    match, clock = start(Puppet(1), Puppet(1))
    clock.now += 60 / RATE  # more than the game lasts
    for _ in range(3):
        match.advance(clock.now)
    assert match.tick.index <= 5
    assert not match.over


def test_pause_stops_the_game_and_resume_owes_no_ticks() -> None:
    match, clock = start(Puppet(1), Puppet(1))
    turn(match, clock, 3)
    match.pause()
    before = match.tick.index
    turn(match, clock, 100)
    assert match.tick.index == before
    match.resume(clock.now)
    match.advance(clock.now)
    assert match.tick.index == before
    turn(match, clock, 2)
    assert match.tick.index > before


def test_the_result_tells_all_of_the_match() -> None:
    ann, bob = Puppet(1), Puppet(3)
    match, clock = start(ann, bob)
    turn(match, clock, LENGTH + 5)
    result = match.result
    assert result is not None
    assert (result.ended, result.ticks, result.error) == ("finished", LENGTH, "")
    assert result.returns == {"ann": 1.0 * LENGTH, "bob": 3.0 * LENGTH}
    assert result.placements == {"ann": 2, "bob": 1}
    assert result.lineup == {"ann": "puppet", "bob": "puppet"}
    assert ann.finished == [(1.0, True)]
    assert sum(t.reward for t in bob.turns) + bob.finished[0][0] == 3.0 * LENGTH


def test_a_seat_taken_over_plays_from_then_on_and_the_result_says_when() -> None:
    ann, other = Puppet(0), Puppet(2)
    match, clock = start(ann, Puppet(0))
    turn(match, clock, 5)
    at = match.tick.index
    assert match.replace("ann", other) is ann
    turn(match, clock, LENGTH)
    assert match.result.returns["ann"] == 2.0 * (LENGTH - at)
    assert [(c.tick, c.agent) for c in match.result.changes] == [(at, "ann")]


def test_who_takes_a_seat_over_in_mid_turn_chooses_anew() -> None:
    ann, other, bob = Puppet(1), Puppet(None), Puppet(None)
    match, clock = start(ann, bob, turn_based=True)
    turn(match, clock, 3)
    assert match.waiting_for == ("bob",)
    match.replace("ann", other)
    bob.answer = 0
    turn(match, clock, 3)
    assert match.waiting_for == ("ann",)
    other.answer = 3
    turn(match, clock, 2)
    assert match.tick.index > 0
    assert match.scores["ann"] == 3 * match.tick.index


def test_what_a_seat_reports_that_was_given_up_stands_beside_the_change() -> None:
    class Reporting(Puppet):
        def report(self) -> dict[str, object]:
            return {"device": self.label}

    first, second = Reporting(0), Reporting(0)
    first.label, second.label = "pad", "keys"
    match, clock = start(first, Puppet(0))
    turn(match, clock, 5)
    match.replace("ann", second, why="takeover")
    match.quit()
    assert [change.left for change in match.result.changes] == [{"device": "pad"}]
    assert match.result.seats["ann"] == {"kind": "python", "device": "keys"}


def test_a_controller_that_learns_its_name_with_its_first_answer_is_in_the_lineup_by_it() -> None:
    ann = Puppet(None)
    match, clock = start(ann, Puppet(0))
    turn(match, clock, 3)
    ann.label, ann.answer = "volley-0007", 1
    turn(match, clock, LENGTH)
    assert match.result.lineup == {"ann": "volley-0007", "bob": "puppet"}
    assert match.result.changes == []


def test_a_controller_that_is_always_late_is_in_the_lineup_by_the_name_that_it_had_at_the_end() -> None:
    ann = Puppet(None)
    match, clock = start(ann, Puppet(0))
    ann.label, ann.late = "volley-0007", 1
    turn(match, clock, LENGTH + 5)
    assert match.result.late["ann"] == LENGTH
    assert match.result.lineup["ann"] == "volley-0007"
    assert match.result.changes == []


def test_a_controller_that_changes_its_policy_in_mid_match_is_booked_at_that_tick() -> None:
    ann = Puppet(1)
    match, clock = start(ann, Puppet(0))
    turn(match, clock, 5)
    at, ann.label = match.tick.index, "volley-0008"
    turn(match, clock, LENGTH)
    assert match.result.lineup["ann"] == "puppet"
    assert [(c.tick, c.agent, c.label) for c in match.result.changes] == [(at, "ann", "volley-0008")]


def test_who_takes_a_seat_and_learns_its_name_later_is_one_change() -> None:
    other = Puppet(None)
    match, clock = start(Puppet(0), Puppet(0))
    turn(match, clock, 5)
    at = match.tick.index
    match.replace("ann", other)
    turn(match, clock, 2)
    other.label, other.answer = "volley-0009", 1
    turn(match, clock, LENGTH)
    assert match.result.lineup["ann"] == "puppet"
    assert [(c.tick, c.label) for c in match.result.changes] == [(at, "volley-0009")]


def test_a_controller_that_does_not_fit_leaves_the_seat_as_it_is() -> None:
    class Unfit(Puppet):
        def reset(self, seat: SeatSpec, *, seed: int) -> None:
            raise ControllerError("other rules")

    match, clock = start(Puppet(2), Puppet(0))
    turn(match, clock, 5)
    with pytest.raises(ControllerError):
        match.replace("ann", Unfit())
    turn(match, clock, LENGTH)
    assert match.late["ann"] == 0
    assert match.result.returns["ann"] == 2.0 * LENGTH
    assert match.result.changes == []


@pytest.mark.parametrize("way", ["quit", "max_ticks"])
def test_a_match_that_is_cut_off_finishes_every_seat_as_truncated(way: str) -> None:
    ann, bob = Puppet(1), Puppet(2)
    with LocalStage(counting_spec()) as stage:
        match = Match(stage, {"ann": ann, "bob": bob}, seed=0, max_ticks=5)
        if way == "max_ticks":
            match.run()
        else:
            match.start()
            match.advance(0.0)
            match.quit()
            match.quit()
    for puppet in (ann, bob):
        assert [terminated for _, terminated in puppet.finished] == [False]
        paid = sum(turn.reward for turn in puppet.turns) + puppet.finished[0][0]
        assert paid == match.scores["ann" if puppet is ann else "bob"]


def test_a_controller_that_fails_ends_the_match_and_is_named() -> None:
    class Broken(Puppet):
        def act(self) -> Action | None:
            raise ControllerError("my_agent:play raised ZeroDivisionError")

    match, clock = start(Broken(), Puppet(0))
    turn(match, clock, 3)
    assert (match.result.ended, match.result.loser) == ("forfeit", "ann")
    assert "ann" in match.result.error
    assert match.result.placements == {"ann": 2, "bob": 1}
    assert "ZeroDivisionError" in match.result.error


def test_a_seed_fixes_the_match() -> None:
    def play(seed: int) -> dict[str, float]:
        with LocalStage(counting_spec()) as stage:
            mapping: dict[str | int, Controller] = {"ann": RandomController(), "bob": RandomController()}
            return Match(stage, mapping, seed=seed).run().returns

    assert play(3) == play(3) != play(4)


def test_every_agent_needs_a_controller() -> None:
    with LocalStage(counting_spec()) as stage, pytest.raises(ValueError, match="bob"):
        Match(stage, {"ann": IdleController()}, seed=0)


def test_an_env_that_raises_ends_the_match_with_its_traceback() -> None:
    with LocalStage(counting_spec(trouble="raise")) as stage:
        match = Match(stage, {"ann": IdleController(), "bob": IdleController()}, seed=0)
        result = match.run()
    assert result.ended == "failed"
    assert "test/counting" in result.error
    assert "the ball is lost" in match.error.details
    assert "counting_games.py" in match.error.details


def test_an_env_that_fails_to_close_loses_no_result(caplog: pytest.LogCaptureFixture) -> None:
    with LocalStage(counting_spec(trouble="close")) as stage:
        result = Match(stage, {"ann": IdleController(), "bob": IdleController()}, seed=0).run()
    assert result.ended == "finished"
    assert "the lid is stuck" in caplog.text


def test_a_match_needs_no_pygame() -> None:
    """The import contract forbids it for our code; this is the proof for what it imports."""
    import subprocess

    code = (
        "import sys; from arcade.match.batch import in_process; from arcade.match.play import lineup, match;"
        "from arcade.match.stage import hosted, local; from arcade.match.playback import replay;"
        "print([m for m in ('pygame', 'ray', 'torch') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.strip() == "[]"


def test_a_tick_of_a_real_time_aec_game_is_a_round_of_everybody() -> None:
    spec = replace(find_game("mpe/simple_tag_v3"), entry="mpe2.simple_tag_v3:env")
    with LocalStage(spec) as stage:
        result = Match(stage, {agent: RandomController() for agent in stage.agents}, seed=1).run()
    assert result.ended == "finished"
    assert result.ticks == 25  # the game's own rounds, not 25 times four turns
