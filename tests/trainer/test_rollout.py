"""Decisions, rewards and advantages: numbers compared with RLlib's own."""

import numpy as np
import pytest
from ray.rllib.utils.postprocessing.value_predictions import compute_value_targets

from trainer.sampling.layouts import advantage_columns
from trainer.sampling.rollout import RolloutBuffer

GAMMA, LAMBDA = 0.9, 0.8


def rllib_targets(rewards, values, *, ended, bootstrap):
    """RLlib's value targets of one episode chunk: "terminated", or cut off with a bootstrap value behind it."""
    steps = len(rewards)
    terminated, truncated = np.zeros(steps + 1), np.zeros(steps + 1)
    (terminated if ended == "terminated" else truncated)[steps - 1] = 1.0
    targets = compute_value_targets(
        values=np.append(values, bootstrap).astype(np.float32),
        rewards=np.append(rewards, 0.0).astype(np.float32),
        terminateds=terminated,
        truncateds=truncated,
        gamma=GAMMA,
        lambda_=LAMBDA,
    )
    return targets[:steps]


def play(buffer, seat, rewards, values, *, first=0):
    for i, (reward, value) in enumerate(zip(rewards, values, strict=True)):
        buffer.decide(np.array([seat]), np.array([value], np.float32), {"number": np.array([first + i])})
        given = np.zeros(len(buffer.count), np.float32)
        given[seat] = reward
        buffer.reward(given)


def take(buffer, *, gamma=GAMMA, lambda_=LAMBDA):
    rows = advantage_columns(buffer.close(), gamma=gamma, lambda_=lambda_)
    buffer.carry_over()
    return rows


def targets_of(rows, numbers):
    return [float(rows["value_targets"][list(rows["number"]).index(n)]) for n in numbers]


@pytest.mark.parametrize("ended", ["terminated", "truncated"])
def test_advantages_are_those_of_rllib(ended):
    rng = np.random.default_rng(1)
    rewards, values = rng.normal(size=7), rng.normal(size=7)
    buffer = RolloutBuffer(20, 3)
    play(buffer, 1, rewards, values)
    buffer.end(np.array([1]), truncated=ended == "truncated", bootstraps=np.array([2.5], np.float32))
    play(buffer, 1, [1.0, 1.0], [0.3, 0.4], first=100)  # the next episode must not leak into the first
    rows = take(buffer)
    expected = rllib_targets(rewards, values, ended=ended, bootstrap=2.5)
    assert targets_of(rows, range(7)) == pytest.approx(expected, abs=1e-5)


def test_the_decision_open_at_a_fragments_end_is_the_bootstrap_and_comes_with_the_next_fragment():
    rewards, values = np.arange(6.0), np.linspace(1.0, 2.0, 6)
    buffer = RolloutBuffer(4, 1)
    play(buffer, 0, rewards[:4], values[:4])
    first = take(buffer)
    play(buffer, 0, rewards[4:], values[4:], first=4)
    buffer.end(np.array([0]), truncated=False)
    second = take(buffer)
    assert list(first["number"]) == [0, 1, 2]
    assert list(second["number"]) == [3, 4, 5]
    expected = rllib_targets(rewards[:3], values[:3], ended="truncated", bootstrap=values[3])
    assert targets_of(first, range(3)) == pytest.approx(expected, abs=1e-5)
    expected = rllib_targets(rewards[3:], values[3:], ended="terminated", bootstrap=0.0)
    assert targets_of(second, range(3, 6)) == pytest.approx(expected, abs=1e-5)


def test_rewards_while_another_is_to_move_belong_to_the_last_decision():
    buffer = RolloutBuffer(4, 2)
    buffer.decide(np.array([0]), np.zeros(1, np.float32), {"number": np.array([0])})
    buffer.reward(np.array([0.5, 9.0], np.float32))  # seat 1 has not decided yet: nothing to credit
    buffer.decide(np.array([1]), np.zeros(1, np.float32), {"number": np.array([1])})
    buffer.reward(np.array([1.0, -1.0], np.float32))
    buffer.end(np.array([0, 1]), truncated=False)
    rows = take(buffer, gamma=1.0, lambda_=1.0)
    assert targets_of(rows, [0, 1]) == [1.5, -1.0]
