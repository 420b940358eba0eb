"""Going back to saved moments: the same play follows, in this process and in a child, and what cannot be saved."""

from __future__ import annotations

import gc
import os
import signal
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.spaces import Box, Discrete
from pettingzoo import ParallelEnv

from agents.platform import forks, system
from arcade.games import GameSpec, find_game
from arcade.games.exact import own_table, table_text
from arcade.match.stage.episode_states import copied
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.local import LocalStage
from arcade.match.stage.repeatability import measure
from arcade.match.stage.rules import StageRules
from arcade.match.stage.saved_play import prove
from arcade.match.stage.stage import Stage, StageError
from arcade.match.stage.tick import Tick, tick_digest
from arcade.match.states.errors import StateError, UnknownKindError
from arcade.match.states.memento import Memento


class CountingEnv(ParallelEnv):  # type: ignore[misc]  # pettingzoo is not typed
    """Two players count up to fifty; where the count is kept differs from one subclass to the next."""

    metadata = {"name": "counting_v0"}  # noqa: RUF012

    def __init__(self, render_mode: str | None = None) -> None:
        self.possible_agents = ["a", "b"]
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Box:
        return Box(0, 500, (1,), np.float32)

    def action_space(self, agent: str) -> Any:
        return Discrete(3)

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        self.agents = self.possible_agents[:]
        self.start()
        return self._seen(0), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> Any:
        now = self.add(sum(actions.values()))
        over, agents = now >= 50, self.agents
        if over:
            self.agents = []
        return (
            self._seen(now), dict.fromkeys(agents, float(now)), dict.fromkeys(agents, over),
            dict.fromkeys(agents, False), {agent: {} for agent in agents},
        )  # fmt: skip

    def _seen(self, now: int) -> dict[str, Any]:
        return {agent: np.array([now], np.float32) for agent in self.possible_agents}

    def start(self) -> None:
        self.count = [0]

    def add(self, by: int) -> int:
        self.count[0] += by
        return self.count[0]


class SelfSavingEnv(CountingEnv):
    """Holds its count where no copy finds it, and saves it itself."""

    def start(self) -> None:
        OUTSIDE[id(self)] = 0

    def add(self, by: int) -> int:
        OUTSIDE[id(self)] += by
        return OUTSIDE[id(self)]

    def get_state(self) -> dict[str, Any]:
        return {"count": OUTSIDE[id(self)], "agents": self.agents}

    def set_state(self, state: dict[str, Any]) -> None:
        OUTSIDE[id(self)], self.agents = state["count"], state["agents"]


class HidingEnv(SelfSavingEnv):
    """Holds its count where no copy finds it, and does not save it."""

    get_state = set_state = None  # type: ignore[assignment]


class NativeEnv(CountingEnv):
    """Holds its count in an iterator, whose place cannot be read."""

    def start(self) -> None:
        self.count = count()  # type: ignore[assignment]

    def add(self, by: int) -> int:
        return next(self.count)  # type: ignore[call-overload, no-any-return]


class MortalEnv(NativeEnv):
    """Its process is killed at the count of thirty, and says who it is before."""

    def add(self, by: int) -> int:
        now = super().add(by)
        if now == 30:
            os.kill(os.getpid(), signal.SIGKILL)
        return now

    def step(self, actions: dict[str, int]) -> Any:
        *parts, infos = super().step(actions)
        return (*parts, {agent: {"process": os.getpid()} for agent in infos})


OUTSIDE: dict[int, int] = {}


def spec_of(kind: type) -> GameSpec:
    return GameSpec(
        id=f"tests/{kind.__name__}", title=kind.__name__, entry=f"{__name__}:{kind.__name__}", agents=("a", "b"),
        teams=(("a",), ("b",)), turn_based=False, fps=10, render_mode="",
    )  # fmt: skip


@pytest.fixture
def stage(request: pytest.FixtureRequest) -> Iterator[LocalStage]:
    with LocalStage(find_game(request.param), render=True) as made:
        yield made


KINDS = (
    "house/volley", "atari/pong_v3", "atari/maze_craze_v3", "butterfly/knights_archers_zombies_v11",
    "classic/chess_v6", "classic/hanabi_v5", "classic/texas_holdem_v4", "mpe/simple_tag_v3",
)  # fmt: skip


@pytest.mark.parametrize("stage", KINDS, indirect=True)
def test_play_from_a_saved_moment_repeats_exactly(stage: LocalStage) -> None:
    found = prove(stage, ticks=150)
    assert not found.differs
    assert found.moments > 1


@pytest.mark.parametrize("kind", [CountingEnv, SelfSavingEnv])
def test_third_party_games_are_copied_or_save_themselves(kind: type) -> None:
    with LocalStage(spec_of(kind)) as stage:
        assert prove(stage, ticks=200).exact


@pytest.mark.parametrize("turned", [False, True])
def test_a_picture_is_copied_where_the_game_may_draw_over_it(turned: bool) -> None:
    canvas = np.zeros((4, 6, 3), np.uint8)
    saved = copied(Tick(0, (), frame=canvas.transpose(1, 0, 2) if turned else canvas))
    canvas[:] = 1
    assert saved.frame is not None
    assert not saved.frame.any()


@pytest.mark.parametrize("turned", [False, True])
def test_a_picture_that_the_game_gave_away_is_not(turned: bool) -> None:
    tick = Tick(
        0, (), frame=np.zeros((4, 6, 3), np.uint8).transpose(1, 0, 2) if turned else np.zeros((4, 6, 3), np.uint8)
    )
    assert copied(tick).frame is tick.frame


def test_the_proof_finds_a_state_that_no_copy_reaches() -> None:
    with LocalStage(spec_of(HidingEnv)) as stage:
        assert "the reward of a" in prove(stage, ticks=200).differs


def test_what_cannot_be_copied_is_refused_by_name() -> None:
    with LocalStage(spec_of(NativeEnv)) as stage:
        stage.reset(1)
        stage.wait()
        with pytest.raises(UnknownKindError, match=r"itertools\.count"):
            stage.save()


def play(stage: Stage, ticks: int) -> list[int]:
    digests = []
    for at in range(ticks):
        stage.step({agent: (at * 7 + place) % 6 for place, agent in enumerate(stage.agents)})
        digests.append(tick_digest(stage.wait()))
    return digests


def test_a_stage_in_a_child_goes_back_too_and_forgets_what_has_no_handle() -> None:
    with HostedStage(find_game("volley")) as stage:
        stage.wait_ready()
        stage.reset(3)
        stage.wait()
        play(stage, 30)
        state = stage.save()
        after = play(stage, 20)
        stage.load(state)
        assert stage.wait().index == 30
        assert stage.states_size > 0
        assert play(stage, 20) == after
        moves = [{agent: (at * 7 + place) % 6 for place, agent in enumerate(stage.agents)} for at in range(20)]
        stage.load(state, moves)
        assert tick_digest(stage.wait()) == after[-1]
        del state
        gc.collect()
        play(stage, 2)
        assert stage.states_size == 0


def test_a_state_ends_with_its_episode() -> None:
    with LocalStage(find_game("volley")) as stage:
        with pytest.raises(StateError, match="before its first reset"):
            stage.save()
        stage.reset(1)
        stage.wait()
        state = stage.save()
        stage.reset(1)
        with pytest.raises(StateError, match="own episode"):
            stage.load(state)


def test_sticky_actions_repeat_from_a_saved_moment() -> None:
    with LocalStage(find_game("volley"), rules=StageRules(sticky_actions=0.5)) as stage:
        stage.reset(1)
        stage.wait()
        play(stage, 10)
        state = stage.save(whole=False)
        executed = []
        for _ in range(2):
            stage.load(state, [dict.fromkeys(stage.agents, 1), dict.fromkeys(stage.agents, 2)])
            stage.wait()
            executed.append(play(stage, 30))
        assert executed[0] == executed[1]


def test_a_state_without_its_tick_needs_moves() -> None:
    with LocalStage(find_game("volley")) as stage:
        stage.reset(1)
        stage.wait()
        with pytest.raises(StateError, match="moves to play"):
            stage.load(stage.save(whole=False))


def test_objects_stay_the_same_and_shared_ones_stay_shared() -> None:
    shared = np.arange(4)
    game = {"one": shared, "two": [shared], "dice": np.random.default_rng(5)}
    saved = Memento(game)
    rolled = game["dice"].random(3)  # type: ignore[attr-defined]
    shared += 1
    game["two"] = []
    for _ in range(2):
        saved.restore()
        assert game["one"] is shared
        assert game["two"][0] is shared  # type: ignore[index]
        assert shared.tolist() == [0, 1, 2, 3]
        assert np.array_equal(game["dice"].random(3), rolled)  # type: ignore[attr-defined]


posix = pytest.mark.skipif(not forks.POSSIBLE, reason="this system has no forks")


@posix
def test_a_game_that_cannot_be_copied_goes_back_to_copies_of_its_process() -> None:
    with HostedStage(spec_of(NativeEnv)) as stage:
        stage.wait_ready()
        found = prove(stage, ticks=250)
        assert found.exact, found.differs
        assert found.moments > 3
        assert not stage.cannot_save


@posix
@pytest.mark.parametrize(("kind", "saves", "forks"), [(NativeEnv, True, False), (HidingEnv, False, True)])
def test_states_of_a_game_are_trusted_after_the_proof_alone(
    kind: type, saves: bool, forks: bool, tmp_path, monkeypatch
) -> None:
    """A copy that was proved wrong is tried again by a copy of the whole process."""
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    spec = spec_of(kind)
    assert not spec.saves
    own_table().write_text(table_text({spec.id: measure(spec, ticks=150)}))
    assert (spec.saves, spec.forks) == (saves, forks)
    with HostedStage(spec) as stage:
        stage.wait_ready()
        assert stage.saves
        assert prove(stage, ticks=100, seed=3).exact


def step(stage: HostedStage) -> int:
    """One tick; returns the process that played it."""
    stage.step(dict.fromkeys(stage.agents, 1))
    return int(stage.wait().infos["a"]["process"])


@posix
def test_copies_go_back_in_any_order_and_end_with_their_handles_and_with_the_stage() -> None:
    with HostedStage(spec_of(MortalEnv)) as stage:
        stage.wait_ready()
        first = stage.pid
        stage.reset(1)
        stage.wait()
        processes, states = {step(stage)}, [stage.save()]
        processes.add(step(stage))
        states.append(stage.save())
        assert processes == {first}
        for number in (0, 1, 0, 0, 1):
            stage.load(states[number])
            tick = stage.wait()
            assert (tick.index, float(tick.observations["a"][0])) == (number + 1, number)
            processes.add(step(stage))
            stage.load(states[number], [dict.fromkeys(stage.agents, 1)] * 3)
            tick = stage.wait()
            assert (tick.index, float(tick.observations["a"][0])) == (number + 4, number + 3)
        size = stage.states_size
        states.pop()
        processes.add(step(stage))
        assert stage.states_size < size
        assert len(processes) > 5
        assert stage.pid == first
    for process in processes:
        until_gone(process)


@posix
def test_the_end_of_a_copy_that_lives_ends_the_stage() -> None:
    with HostedStage(spec_of(MortalEnv)) as stage:
        stage.wait_ready()
        stage.reset(1)
        stage.wait()
        step(stage)
        state = stage.save()
        stage.load(state)
        stage.wait()
        process = step(stage)
        assert process != stage.pid
        for _ in range(28):
            step(stage)
        with pytest.raises(StageError, match="process ended"):
            step(stage)
    until_gone(process)


def until_gone(process: int) -> None:
    """Wait for the end of a process; one that is only not taken leave of has ended."""
    deadline = time.monotonic() + 60
    while system.is_alive(process) and _state_of(process) != "Z":
        assert time.monotonic() < deadline, f"expected process {process} to end"
        time.sleep(0.01)


def _state_of(process: int) -> str:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""
