"""Drivers: the quicker ways to step a game show exactly what PettingZoo's own wrappers show."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pytest
from gymnasium.spaces import Box, Discrete
from pettingzoo import AECEnv
from pettingzoo.utils.conversions import aec_to_parallel

from arcade.games import find_game
from arcade.match.stage.drivers import ParallelDriver, make_driver, seat_spaces
from arcade.match.stage.local import LocalStage
from tests.support.counting_games import counting_spec


class FoldingEnv(AECEnv):
    """Three in turns; ann folds at her second turn, is paid on and stepped out only when it is her turn again."""

    metadata: ClassVar = {"name": "folding_v0", "is_parallelizable": False}

    def __init__(self, render_mode: str | None = None) -> None:
        super().__init__()
        self.possible_agents = ["ann", "bob", "cat"]

    def observation_space(self, agent: str) -> Any:
        return Box(0, 99, (2,), np.float32)

    def action_space(self, agent: str) -> Any:
        return Discrete(2)

    def observe(self, agent: str) -> Any:
        return np.array([self.moves, self.possible_agents.index(agent)], np.float32)

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        self.agents, self.agent_selection, self.moves = self.possible_agents[:], "ann", 0
        self.rewards, self._cumulative_rewards = dict.fromkeys(self.agents, 0.0), dict.fromkeys(self.agents, 0.0)
        self.terminations, self.truncations = dict.fromkeys(self.agents, False), dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}

    def step(self, action: int | None) -> None:
        agent, order = self.agent_selection, self.agents[:]
        self._cumulative_rewards[agent] = 0.0
        if action is None:
            self._clear_rewards()
            self.agents.remove(agent)
            for told in (self.terminations, self.truncations, self.rewards, self._cumulative_rewards, self.infos):
                del told[agent]
        else:
            self.moves += 1
            self.rewards = {other: self.moves + place for place, other in enumerate(order)}
            self.terminations |= {"ann": True} if agent == "ann" and self.moves > 3 else {}
            self.truncations |= dict.fromkeys(self.agents, True) if self.moves == 9 else {}
            self._accumulate_rewards()
        if self.agents:
            self.agent_selection = order[(order.index(agent) + 1) % len(order)]


def folding_env(render_mode: str | None = None) -> FoldingEnv:
    return FoldingEnv(render_mode)


def test_an_episode_ends_with_the_dead_step_and_what_was_paid_up_to_it():
    env, expected = FoldingEnv(), []
    env.reset()
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        expected.append((agent, seen.tolist(), reward, terminated, truncated))
        env.step(None if terminated or truncated else 0)
    spec = replace(
        counting_spec(turn_based=True), agents=("ann", "bob", "cat"), entry=f"{__name__}:folding_env", kwargs={}
    )
    found, paid = [], defaultdict(float)
    with LocalStage(spec) as stage:
        stage.reset(0)
        while True:
            tick = stage.wait()
            for agent, reward in tick.rewards.items():
                paid[agent] += reward
            for agent in (*tick.ended, *tick.acting):
                over = agent in tick.ended
                ends = (tick.terminations[agent], tick.truncations[agent]) if over else (False, False)
                found.append((agent, tick.observations[agent].tolist(), paid.pop(agent, 0.0), *ends))
            if tick.over:
                break
            stage.step(dict.fromkeys(tick.acting, 0))
    assert found == expected
    assert expected[6] == ("ann", [6.0, 0.0], 15.0, True, False)


def episode(driver, env, agents, ticks=30):
    """What every seat saw and got, actions drawn from one seed."""
    rng, seen = np.random.default_rng(1), []
    tick = driver.reset(5)
    for _ in range(ticks):
        seen.append([
            (agent, np.asarray(tick.observations[agent]).tolist(), tick.rewards.get(agent), agent in tick.ended)
            for agent in tick.acting
        ])  # fmt: skip
        if tick.over:
            break
        tick = driver.step(
            {agent: legal(env.action_space(agent), tick.action_masks.get(agent), rng) for agent in tick.acting}
        )
    return [*seen, dict(tick.rewards), dict(tick.terminations), dict(tick.truncations)]


def legal(space, mask, rng):
    space.seed(int(rng.integers(2**31)))
    return space.sample() if mask is None else space.sample(np.asarray(mask, np.int8))


@pytest.mark.parametrize("game", ["mpe/simple_tag_v3", "sisl/pursuit_v5", "butterfly/knights_archers_zombies_v11"])
def test_a_round_is_what_the_parallel_conversion_makes_of_it(game):
    spec = find_game(game)
    ours = spec.make()
    theirs = spec.make()
    parallel = aec_to_parallel(theirs) if hasattr(theirs, "agent_iter") else theirs
    expected = episode(ParallelDriver(parallel, seat_spaces(parallel, spec)), parallel, spec.agents)
    assert episode(make_driver(ours, spec), ours, spec.agents) == expected
    unchecked = spec.make()
    assert episode(make_driver(unchecked, spec, checked=False), unchecked, spec.agents) == expected


@pytest.mark.parametrize("game", ["classic/connect_four_v3", "classic/leduc_holdem_v4"])
def test_legal_play_is_the_same_without_the_checks(game):
    spec = find_game(game)
    checked, unchecked = spec.make(), spec.make()
    expected = episode(make_driver(checked, spec), checked, spec.agents)
    assert len(expected) > 5
    assert episode(make_driver(unchecked, spec, checked=False), unchecked, spec.agents) == expected


def test_with_the_checks_an_illegal_move_still_ends_the_game():
    spec = find_game("classic/tictactoe_v3")
    with LocalStage(spec) as stage:
        stage.reset(1)
        stage.step({stage.wait().acting[0]: 0})
        stage.step({stage.wait().acting[0]: 0})  # the same field again
        assert stage.wait().over
