"""Every game of the catalogue, and games with every peculiarity that PettingZoo allows, played by random seats."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete
from pettingzoo import ParallelEnv

from agents.policies.random import RandomController
from agents.seats.controller import Action, AgentID, SeatSpec, Turn
from arcade.games import GameSpec, catalogue
from arcade.match.play.match import Match
from arcade.match.play.result import MatchResult
from arcade.match.stage.local import LocalStage

TICKS = 200
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")


class CheckedController(RandomController):
    """Plays at random and checks what it is handed and what it hands back."""

    def __init__(self) -> None:
        super().__init__()
        self.turns = 0
        self.finished = 0
        self._turn: Turn | None = None

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        super().reset(seat, seed=seed)
        self._seat = seat

    def observe(self, turn: Turn) -> None:
        assert turn.agent == self._seat.agent
        assert turn.action_mask is None or turn.action_mask.any()
        assert self._turn is None or turn.tick > self._turn.tick
        self.turns += 1
        self._turn = turn
        super().observe(turn)

    def act(self) -> Action | None:
        action = super().act()
        assert self._turn is not None
        assert action in self._seat.action_space
        assert self._turn.action_mask is None or self._turn.action_mask[action]
        return action

    def finish(self, reward: float, *, terminated: bool) -> None:
        self.finished += 1
        self._turn = None


def play(
    spec: GameSpec, *, ticks: int = TICKS, render: bool = False
) -> tuple[list[MatchResult], dict[AgentID, CheckedController], Match]:
    """Matches of `spec` until `ticks` ticks are played; also the controllers and the last match."""
    seats = {agent: CheckedController() for agent in spec.agents}
    results: list[MatchResult] = []
    with LocalStage(spec, render=render) as stage:
        while (left := ticks - sum(result.ticks for result in results)) > 0:
            match = Match(stage, dict(seats), seed=len(results), max_ticks=left)
            results.append(match.run())
            assert results[-1].error == ""
            for seat in seats.values():
                seat._turn = None
    return results, seats, match


@pytest.mark.parametrize("spec", catalogue.built_in_games(), ids=lambda spec: spec.id)
def test_a_game_plays_two_hundred_ticks_with_random_seats(spec: GameSpec) -> None:
    results, seats, _ = play(spec)
    assert sum(result.ticks for result in results) == TICKS
    assert all(seat.turns > 0 for seat in seats.values())
    assert all(sum(result.late.values()) == 0 for result in results)
    assert all(set(result.placements) == set(map(str, spec.agents)) for result in results)
    ended = [result for result in results if result.ended == "finished"]
    assert all(seat.finished >= len(ended) for seat in seats.values())


@pytest.mark.parametrize(
    "game", ["atari/pong", "mpe/simple_tag", "sisl/pursuit", "butterfly/cooperative_pong", "house/volley"]
)
def test_a_rendered_game_gives_frames(game: str) -> None:
    *_, match = play(catalogue.find_game(game), ticks=3, render=True)
    frame = match.frame
    assert frame is not None
    assert frame.dtype == np.uint8
    assert frame.ndim == 3
    assert frame.shape[2] == 3
    assert min(frame.shape[:2]) >= 100
    assert frame.min() != frame.max()


@pytest.mark.parametrize("game", [spec.id for spec in catalogue.built_in_games() if spec.table])
def test_a_game_with_a_table_tells_each_seat_what_it_may_know_and_draws_nothing_itself(game: str) -> None:
    spec = catalogue.find_game(game)
    *_, match = play(spec, ticks=2, render=True)
    assert match.frame is None
    assert match.tick is not None
    assert set(match.tick.views) == {None, *spec.agents}


def test_knights_and_archers_die_and_the_match_goes_on() -> None:
    results, seats, _ = play(catalogue.find_game("butterfly/knights_archers_zombies"), ticks=700)
    assert any(result.ended == "finished" for result in results)
    assert len({seat.turns for seat in seats.values()}) > 1  # some lived longer than others


class TinyEnv(ParallelEnv[AgentID, Any, Any]):
    """Five steps long; agents, spaces, masks and who lives when are the test's to choose."""

    metadata = {"name": "tiny_v0", "render_fps": 10}  # noqa: RUF012

    def __init__(
        self,
        *,
        agents: tuple[AgentID, ...] = ("a", "b"),
        space: Any = None,
        observation_space: Any = None,
        mask: str = "",
        late: AgentID | None = None,
        **_: Any,
    ) -> None:
        self.possible_agents = list(agents)
        self._space = space or Discrete(3)
        self._seen = observation_space or Box(0, 1, (2,), np.float32)
        self._mask = mask
        self._late = late
        self._step = 0

    def action_space(self, agent: AgentID) -> Any:
        return self._space

    def observation_space(self, agent: AgentID) -> Any:
        masked = Box(0, 1, (3,), np.int8)
        return Dict({"observation": self._seen, "action_mask": masked}) if self._mask == "observation" else self._seen

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        self._step = 0
        self.agents = [agent for agent in self.possible_agents if agent != self._late]
        return self._views(), self._infos()

    def step(self, actions: Any) -> Any:
        assert set(actions) == set(self.agents), (actions, self.agents)
        for action in actions.values():
            assert action in self._space
            assert not self._mask or self._legal()[action] == 1
        self._step += 1
        over = self._step == 5
        if self._step == 2 and self._late is not None:
            self.agents = [*self.agents, self._late]
        seen, infos = self._views(), self._infos()
        ended = dict.fromkeys(self.agents, over)
        rewards, alive = dict.fromkeys(self.agents, 1.0), dict.fromkeys(self.agents, False)
        if over:
            self.agents = []
        return seen, rewards, ended, alive, infos

    def _legal(self) -> Any:
        return np.eye(3, dtype=np.int8)[self._step % 3]

    def _views(self) -> Any:
        part = np.zeros(2, np.float32)
        view = {"observation": part, "action_mask": self._legal()} if self._mask == "observation" else part
        return dict.fromkeys(self.agents, view)

    def _infos(self) -> Any:
        return {agent: {"action_mask": self._legal()} if self._mask == "info" else {} for agent in self.agents}


def make_tiny(**kwargs: Any) -> TinyEnv:
    return TinyEnv(**kwargs)


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Builds the GameSpec of a TinyEnv."""
    monkeypatch.setattr("arcade.games.spec.load_entry", lambda entry, hint="": make_tiny)

    def make(*, agents: tuple[AgentID, ...] = ("a", "b"), **kwargs: Any) -> GameSpec:
        return GameSpec(
            id="tiny:env",
            title="Tiny",
            entry="tiny:env",
            agents=agents,
            teams=tuple((agent,) for agent in agents),
            turn_based=False,
            fps=10,
            kwargs={"agents": agents, **kwargs},
        )

    return make


def test_agent_ids_may_be_numbers(tiny: Any) -> None:
    results, _, _ = play(tiny(agents=(0, 7)), ticks=5)
    assert results[0].returns == {"0": 5.0, "7": 5.0}


def test_an_agent_may_appear_in_mid_episode(tiny: Any) -> None:
    results, seats, _ = play(tiny(agents=("a", "b"), late="b"), ticks=5)
    assert results[0].ended == "finished"
    assert seats["a"].turns == 5
    assert seats["b"].turns == 3
    assert results[0].returns == {"a": 5.0, "b": 4.0}


@pytest.mark.parametrize("place", ["observation", "info"])
def test_the_mask_may_sit_in_the_observation_or_in_the_info(tiny: Any, place: str) -> None:
    results, seats, _ = play(tiny(mask=place), ticks=20)
    assert all(result.ended == "finished" for result in results)
    assert seats["a"].turns == 20


@pytest.mark.parametrize(
    "space",
    [
        MultiDiscrete([3, 2]),
        MultiBinary(4),
        Box(-2, 2, (3,), np.float32),
        Box(-np.inf, np.inf, (2,), np.float64),
        Discrete(3, start=5),
    ],
    ids=repr,
)
def test_every_kind_of_action_space_is_played(tiny: Any, space: Any) -> None:
    results, _, _ = play(tiny(space=space), ticks=10)
    assert [result.ended for result in results] == ["finished", "finished"]
