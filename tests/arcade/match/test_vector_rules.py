"""Rules laid over training games: each setting seen by its effect."""

import numpy as np
import pytest
from gymnasium import spaces

from arcade.games import find_game
from arcade.games.spec import GameSpec
from arcade.match.batch.make import RuledVectorEnv, make_vector_env
from arcade.match.batch.vector_env import VectorEnv
from arcade.match.stage.rules import StageRules

SPEC = GameSpec(
    id="test/count", title="Count", entry="none:none", agents=("a", "b"), teams=(("a", "b"),), turn_based=False, fps=1
)  # fmt: skip
LENGTH = 7


class Count(VectorEnv):
    """Both seats act at every tick; a seat's reward is its action, and its observation the tick."""

    def __init__(self, games):
        self.spec, self.num_envs, self.agents = SPEC, games, SPEC.agents
        self._allocate(dict.fromkeys(SPEC.agents, (spaces.Box(0, 99, (1,), np.float32), spaces.Discrete(10))))
        self._tick = np.zeros(games, np.intp)
        self.steps = 0

    def reset(self, games, seeds):
        self._tick[games] = 0
        self.acting[games] = True
        self.groups[0].observations[games] = 0
        for array in (self.rewards, self.terminated, self.truncated):
            array[games] = 0

    def step(self, actions):
        self.steps += 1
        self._tick += 1
        self.rewards = actions[0].astype(np.float32)
        over = self._tick >= LENGTH
        self.terminated = np.repeat(over[:, None], 2, axis=1)
        self.acting = ~self.terminated
        self.groups[0].observations[:, :, 0] = self._tick[:, None]


def make(games=3, max_ticks=0, **rules):
    batch = RuledVectorEnv(Count(games), StageRules(**rules), max_ticks=max_ticks)
    batch.reset(np.arange(games), np.arange(games))
    return batch


def constant(batch, action):
    return [np.full((batch.num_envs, 2), action)]


def test_without_rules_the_games_are_left_alone():
    assert not isinstance(make_vector_env(find_game("house/volley"), 1), RuledVectorEnv)


def test_an_action_is_held_for_so_many_ticks_and_its_rewards_are_summed():
    batch = make(frame_skip=3)
    batch.step(constant(batch, 2))
    assert batch.rewards.tolist() == [[6.0, 6.0]] * 3
    assert batch.groups[0].observations[0, 0, 0] == 3
    batch.step(constant(batch, 2))
    batch.step(constant(batch, 2))  # only one tick is left of the episode
    assert batch.rewards.tolist() == [[2.0, 2.0]] * 3
    assert batch.terminated.all()
    assert batch.over.all()


def test_a_long_episode_is_cut_off_and_not_ended():
    batch = make(max_ticks=2)
    batch.step(constant(batch, 1))
    assert not batch.over.any()
    batch.step(constant(batch, 1))
    assert batch.over.all()
    assert batch.truncated.all()
    assert not batch.terminated.any()
    batch.reset(np.array([0]), np.array([5]))
    assert batch.acting[0].all()
    assert not batch.truncated[0].any()
    batch.step(constant(batch, 1))
    assert not batch.over[0]


def test_the_limit_is_of_the_games_own_ticks_however_long_an_action_is_held():
    batch = make(frame_skip=2, max_ticks=4)
    batch.step(constant(batch, 1))
    assert not batch.over.any()
    batch.step(constant(batch, 1))
    assert batch.truncated.all()
    assert batch.over.all()


def test_an_episode_that_ends_at_the_limit_has_ended():
    batch = make(max_ticks=LENGTH)
    for _ in range(LENGTH):
        batch.step(constant(batch, 1))
    assert batch.terminated.all()
    assert not batch.truncated.any()


def test_some_actions_stick_and_the_same_seeds_stick_the_same():
    def executed(first_seed):
        batch = make(games=200, sticky_actions=0.25)
        batch.reset(np.arange(200), np.arange(first_seed, first_seed + 200))
        batch.step(constant(batch, 1))
        assert (batch.rewards == 1).all()  # there is nothing to repeat at first
        batch.step(constant(batch, 5))
        return batch.rewards

    rewards = executed(7)
    assert set(np.unique(rewards)) == {1.0, 5.0}
    assert (rewards == 1).mean() == pytest.approx(0.25, abs=0.06)
    assert np.array_equal(rewards, executed(7))
    assert not np.array_equal(rewards, executed(8))
