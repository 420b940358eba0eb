"""Games of mpe2 stepped together are, at every step, what mpe2 itself makes of the same seeds and actions."""

import numpy as np
import pytest

from arcade.games import find_game
from arcade.games.mpe import mpe_games
from arcade.match.batch.make import SeatsVectorEnv, StageVectorEnv, make_vector_env, with_kwargs

GAMES = [spec.id for spec in mpe_games() if spec.batch]
NUM_ENVS, TICKS = 6, 120
CLOSE = {"atol": 1e-6, "rtol": 1e-6}


def both(spec):
    return make_vector_env(spec, NUM_ENVS), StageVectorEnv(spec, NUM_ENVS)


def assert_equal(ours, theirs, tick):
    for name in ("acting", "terminated", "truncated"):
        assert np.array_equal(getattr(ours, name), getattr(theirs, name)), (tick, name)
    assert np.allclose(ours.rewards, theirs.rewards, **CLOSE), tick
    for own, other in zip(ours.groups, theirs.groups, strict=True):
        assert own.agents == other.agents
        assert own.observation_space == other.observation_space
        assert own.action_space == other.action_space
        assert np.allclose(own.observations, other.observations, **CLOSE), (tick, own.agents)


def drawn(env, rng, *, crowd):
    """Actions; a `crowd` moves right and up, where its agents push each other and leave the screen."""
    actions = [
        rng.integers(group.action_space.n, size=(env.num_envs, len(group.agents))).astype(np.int64)
        for group in env.groups
    ]
    return [np.where(own % 5 % 2, own + 1, own) % group.action_space.n for own, group in
            zip(actions, env.groups, strict=True)] if crowd else actions  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("crowd", [False, True])
def test_every_step_is_that_of_mpe2(game, crowd):
    spec = find_game(game)
    spec = with_kwargs(spec, {"max_cycles": 40}) if crowd else spec
    ours, theirs = both(spec)
    assert isinstance(ours, SeatsVectorEnv)
    rng = np.random.default_rng(1)
    for env in (ours, theirs):
        env.reset(np.arange(NUM_ENVS), np.arange(NUM_ENVS))
    assert_equal(ours, theirs, 0)
    ended = 0
    for tick in range(TICKS):
        actions = drawn(ours, rng, crowd=crowd)
        some = rng.random(NUM_ENVS) < 0.8
        for env in (ours, theirs):  # games get out of step, so that some end while others are under way
            env.step_some(actions, some)
        assert_equal(ours, theirs, tick)
        over = np.flatnonzero(ours.over)
        ended += len(over)
        seeds = rng.integers(2**31, size=len(over))
        for env in (ours, theirs):
            env.reset(over, seeds)
        assert_equal(ours, theirs, tick)
    assert ended >= NUM_ENVS
    theirs.close()


def test_rare_things_happen_in_the_compared_games():
    """Catches, leaving the screen, and contact with other agents, without which the test above would prove little."""
    env = make_vector_env(find_game("mpe/simple_tag_v3"), 64)
    env.reset(np.arange(64), np.arange(64))
    rng, rewards = np.random.default_rng(0), []
    for _ in range(25):
        env.step(drawn(env, rng, crowd=True))
        rewards.append(env.rewards.copy())
    assert (np.array(rewards)[..., :3] >= 10).any()
    assert (np.array(rewards)[..., 3] < -11).any()


@pytest.mark.parametrize("setting", [{"num_agent_neighbors": 1}, {"terminate_on_success": True}, {"curriculum": True}])
def test_settings_that_change_the_rules_are_stepped_by_mpe2_itself(setting):
    env = make_vector_env(with_kwargs(find_game("mpe/simple_tag_v3"), setting), 2)
    assert isinstance(env, StageVectorEnv)
    env.close()
