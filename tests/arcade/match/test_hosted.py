"""Stages in a child process: the same ticks as in process, and every way a child can fail."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from agents.policies.random import RandomController
from arcade.games import find_game
from arcade.match.play.match import Match
from arcade.match.play.result import Recorder
from arcade.match.stage.hosted import END_SECONDS, HostedStage, StageHost
from arcade.match.stage.local import LocalStage
from arcade.match.stage.stage import Stage, StageError
from arcade.match.stage.tick import Tick, tick_digest
from tests.support.counting_games import counting_spec

DEADLINE = 300.0


def digests(stage: Stage, *, ticks: int, seed: int = 7) -> list[int]:
    """The digest of each tick of an episode with random seats."""
    controllers = {agent: RandomController() for agent in stage.agents}
    seen: list[int] = []

    class Digests(Recorder):
        def tick(self, tick: Tick, actions: object, seconds: float) -> None:
            seen.append(tick_digest(tick))

    result = Match(stage, dict(controllers), seed=seed, max_ticks=ticks, recorders=[Digests()]).run()
    assert not result.error
    return seen


@pytest.mark.parametrize("game", ["house/volley", "classic/connect_four_v3", "classic/rps_v2", "mpe/simple_tag_v3"])
def test_a_hosted_game_comes_out_as_it_does_in_process(game: str) -> None:
    spec = find_game(game)
    with LocalStage(spec) as local, HostedStage(spec, render=False) as hosted:
        hosted.wait_ready()
        assert digests(local, ticks=120) == digests(hosted, ticks=120)


def test_frames_arrive_and_stay_while_the_next_is_drawn() -> None:
    with HostedStage(counting_spec()) as stage:
        stage.wait_ready()
        stage.reset(1)
        first = stage.wait()
        stage.step({"ann": 0, "bob": 0})
        second = stage.wait()
        assert first.frame is not None
        assert second.frame is not None
        assert (first.frame == 0).all()
        assert (second.frame == 1).all()
        assert second.frame.shape == (8, 12, 3)
        np.testing.assert_array_equal(second.observations["ann"][:2], [1, 0])


@pytest.fixture
def descriptors() -> Iterator[None]:
    """Nothing may be left open: no descriptor, no named shared memory."""
    before, named = set(os.listdir("/proc/self/fd")), set(os.listdir("/dev/shm"))
    yield
    gc.collect()  # a frame that somebody holds keeps its memory mapped
    assert len(os.listdir("/proc/self/fd")) <= len(before)
    assert set(os.listdir("/dev/shm")) <= named


def advance_until(match: Match, done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + DEADLINE
    while not done():
        assert time.monotonic() < deadline, f"nothing after {DEADLINE} s: {match.tick}, {match.error}"
        match.advance(time.monotonic())


def run_with(stage: HostedStage) -> Match:
    stage.wait_ready()
    match = Match(stage, {agent: RandomController() for agent in stage.agents}, seed=0)
    match.run()
    return match


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.usefixtures("descriptors")
@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        ("raise", "the ball is lost"),
        ("exit", "exit status 3"),
        ("crash", "killed by signal 11"),
        ("torn", "exit status 3"),
        ("hang up", "hung up"),
    ],
)
def test_a_child_that_fails_ends_the_match_and_says_why(trouble: str, words: str) -> None:
    with HostedStage(counting_spec(trouble=trouble)) as stage:
        match = run_with(stage)
        assert match.result is not None
        assert match.result.ended == "failed"
        assert match.result.ticks == 2
        assert "test/counting" in match.result.error
        assert words in match.result.error
        with pytest.raises(StageError):
            stage.poll()


def test_a_window_does_not_wait_for_the_end_of_a_child_that_hung_up() -> None:
    clock = [0.0]
    with HostedStage(counting_spec(trouble="hang up", at=1), clock=lambda: clock[0]) as stage:
        stage.wait_ready()
        stage.reset(0)
        tick = stage.wait()
        stage.step(dict.fromkeys(tick.acting, 0))
        deadline = time.monotonic() + DEADLINE
        while stage._gone_at is None:
            assert stage.poll(0.05) is None
            assert time.monotonic() < deadline, "expected the child to hang up"
        assert stage.poll() is None
        clock[0] = END_SECONDS + 1
        with pytest.raises(StageError, match="hung up"):
            stage.poll()


def test_what_a_game_failed_of_is_told_across_processes() -> None:
    with LocalStage(counting_spec(trouble="raise", at=1)) as stage:
        stage.reset(seed=0)
        tick = stage.wait()
        with pytest.raises(StageError) as failure:
            stage.step(dict.fromkeys(tick.acting, 0))
    heard = pickle.loads(pickle.dumps(copy.copy(failure.value)))  # noqa: S301 - our own bytes
    assert str(heard) == str(failure.value)
    assert "the ball is lost" in heard.details


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.usefixtures("descriptors")
def test_a_child_that_hangs_is_ended() -> None:
    clock = [0.0]
    with HostedStage(counting_spec(trouble="hang"), step_limit=15.0, clock=lambda: clock[0]) as stage:
        stage.wait_ready()
        pid = stage.pid
        match = Match(stage, {agent: RandomController() for agent in stage.agents}, seed=0)
        match.start()
        deadline = time.monotonic() + DEADLINE
        while not match.over and time.monotonic() < deadline:
            match.advance(clock[0])
            if match.tick is not None and match.tick.index == 2:
                clock[0] += 1.0
        assert match.error is not None
        assert "no answer in 15 s" in str(match.error)
        assert pid is not None
        assert not Path(f"/proc/{pid}").exists()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.usefixtures("descriptors")
def test_a_child_killed_from_outside_ends_the_match() -> None:
    with HostedStage(find_game("house/volley")) as stage:
        stage.wait_ready()
        match = Match(stage, {agent: RandomController() for agent in stage.agents}, seed=0)
        match.start()
        advance_until(match, lambda: match.tick is not None and match.tick.index >= 5)
        assert stage.pid is not None
        os.kill(stage.pid, signal.SIGKILL)
        advance_until(match, lambda: match.over)
        assert match.result is not None
        assert match.result.ended == "failed"
        assert "signal 9" in match.result.error


def test_a_game_that_cannot_be_made_says_so() -> None:
    spec = replace(counting_spec(), entry="no_such_module:env")
    with HostedStage(spec) as stage, pytest.raises(StageError, match="no_such_module"):
        stage.wait_ready()


def test_a_warm_child_is_the_one_that_plays() -> None:
    host = StageHost()
    host.warm(counting_spec())
    spare = host._spare.process.pid if host._spare else None
    with host.stage(counting_spec()) as stage:
        stage.wait_ready()
        assert stage.pid == spare
    host.warm()
    host.close()
    host.close()


def session_weight(process: int | str) -> int | None:
    """The weight of a process's session; None where Linux weighs none, or not this one (the file is then empty)."""
    file = Path(f"/proc/{process}/autogroup")
    words = file.read_text().split() if file.exists() else []
    return int(words[-1]) if words else None


@pytest.mark.skipif(sys.platform != "linux", reason="batch scheduling is Linux's")
def test_a_game_that_is_stepped_does_not_interrupt_the_window() -> None:
    with HostedStage(counting_spec()) as stage:
        stage.wait_ready()
        assert stage.pid is not None
        assert os.sched_getscheduler(stage.pid) == os.SCHED_BATCH


def test_a_warm_child_gives_way_until_its_game_is_made() -> None:
    host = StageHost()
    host.warm()
    assert host._spare is not None
    child = host._spare.process.pid
    own = session_weight("self") or 0
    before = session_weight(child)
    with host.stage(counting_spec()) as stage:
        taken = session_weight(child)
        stage.wait_ready()
        end = time.monotonic() + DEADLINE
        while session_weight(child) not in (None, own) and time.monotonic() < end:
            time.sleep(0.01)
        made = session_weight(child)
    aside = max(own, 5)
    assert (before, taken, made) == ((None, None, None) if before is None else (aside, aside, own))
    host.close()


def test_a_game_that_cannot_be_warmed_leaves_the_child_to_another() -> None:
    host = StageHost()
    host.warm(replace(counting_spec(), entry="tests.support.broken_module:env"))
    spare = host._spare.process.pid if host._spare else None
    with host.stage(counting_spec()) as stage:
        stage.wait_ready()
        assert stage.pid == spare
    host.close()


def test_a_warm_child_that_died_is_replaced() -> None:
    host = StageHost()
    host.warm()
    assert host._spare is not None
    host._spare.process.kill()
    host._spare.process.wait()
    with host.stage(counting_spec()) as stage:
        stage.wait_ready()
        assert stage.ready
    host.close()


def test_the_arcade_survives_a_closed_stage() -> None:
    stage = HostedStage(counting_spec())
    stage.close()
    stage.close()
    with pytest.raises(StageError, match="after close"):
        stage.reset(0)
