"""Pieces for V-trace: our loss and RLlib's must find in them what the paper's formula finds episode by episode."""

import numpy as np
import pytest
import torch
from ray.rllib.algorithms.impala.torch.vtrace_torch_v2 import vtrace_torch

from trainer.algorithms.vtrace import trimmed, vtrace
from trainer.sampling.layouts import sequence_columns
from trainer.sampling.rollout import RolloutBuffer

GAMMA, SEQUENCE = 0.9, 4


class Book:
    """A buffer whose decisions are numbered as they come; decision n sees n and what was seen last is 1000 + n."""

    def __init__(self, seats, slots=40):
        self.buffer = RolloutBuffer(slots, seats)
        self.rewards, self.logp = [], []
        self.rng = np.random.default_rng(1)

    def decide(self, seat, times=1):
        for _ in range(times):
            reward, logp = self.rng.normal(), -self.rng.random()
            columns = {"obs": [len(self.rewards)], "action_logp": [logp], "action_dist_inputs": [0.0]}
            rows = {name: np.array(values, np.float32) for name, values in columns.items()}
            self.buffer.decide(np.array([seat]), np.zeros(1, np.float32), rows)
            given = np.zeros(len(self.buffer.count), np.float32)
            given[seat] = reward
            self.buffer.reward(given)
            self.rewards.append(reward)
            self.logp.append(logp)

    def end(self, seat, *, truncated):
        last = {"obs": np.array([999.0 + len(self.rewards)], np.float32)}
        self.buffer.end(np.array([seat]), truncated=truncated, last=last)

    def take(self):
        columns = sequence_columns(self.buffer.close(), sequence=SEQUENCE)
        self.buffer.carry_over()
        return columns


def value_of(seen):
    return np.sin(np.asarray(seen, np.float64))


def targets_of(columns, *, likelier=1.0):
    """Decision to (value target, advantage), which are also those of IMPALATorchLearner.compute_loss_for_module.

    The learner's policy gives each action `likelier` times the probability that it had.
    """

    def time_major(column):
        return torch.as_tensor(column, dtype=torch.float32).T

    values, mask = time_major(value_of(columns["obs"])), time_major(columns["loss_mask"])
    acted = np.where(columns["loss_mask"], columns["action_logp"], -1.0) + np.log(likelier)
    targets, advantages = vtrace_torch(
        target_action_log_probs=time_major(acted),
        behaviour_action_log_probs=time_major(columns["action_logp"]),
        discounts=(1 - time_major(columns["terminateds"])) * GAMMA * mask,
        rewards=time_major(columns["rewards"]),
        values=values,
        bootstrap_values=torch.cat([values[0][1:], values[0][:1]]),
    )
    rows = trimmed({name: torch.as_tensor(column) for name, column in columns.items()})
    decided, weights = rows["loss_mask"], (acted - columns["action_logp"])[:, : rows["loss_mask"].shape[1]]
    rhos = torch.as_tensor(weights).exp().clamp(max=1).float()
    ours = vtrace(rows, torch.as_tensor(value_of(rows["obs"])).float(), rhos, gamma=GAMMA)
    flat = [array[decided].numpy() for array in ours]
    for own, theirs in zip(flat, (targets, advantages), strict=True):
        assert own == pytest.approx(theirs.T[torch.as_tensor(columns["loss_mask"])].numpy(), abs=1e-5)
    decisions = columns["obs"][columns["loss_mask"]].astype(int)
    return dict(zip(decisions.tolist(), zip(*flat, strict=True), strict=True))


def n_step_returns(rewards, last_value):
    returns = []
    for reward in reversed(rewards):
        last_value = reward + GAMMA * last_value
        returns.insert(0, last_value)
    return returns


def expect(found, book, decisions, last_value):
    """On-policy targets are n-step returns; advantages are theirs over the values."""
    returns = n_step_returns([book.rewards[n] for n in decisions], last_value)
    assert [found[n][0] for n in decisions] == pytest.approx(returns, abs=1e-5)
    assert [found[n][1] for n in decisions] == pytest.approx(returns - value_of(decisions), abs=1e-5)


def test_on_policy_targets_are_n_step_returns_whatever_ends_an_episode():
    book = Book(seats=3)
    book.decide(0, times=3)  # 0 1 2: terminated in mid-piece
    book.end(0, truncated=False)
    book.decide(1, times=2)  # 3 4: cut off in mid-piece
    book.end(1, truncated=True)
    book.decide(0)  # 5: begins in the same piece; 9 is still open
    book.decide(1)  # 6: alone behind what was cut off; 10 is still open
    book.decide(2, times=2)  # 7 open no more, 8 is
    book.decide(0)
    book.decide(1)
    found = targets_of(book.take())
    assert sorted(found) == [0, 1, 2, 3, 4, 5, 6, 7]
    expect(found, book, [0, 1, 2], 0.0)
    expect(found, book, [3, 4], value_of(1004))
    expect(found, book, [5], value_of(9))
    expect(found, book, [6], value_of(10))
    expect(found, book, [7], value_of(8))


def test_a_long_episode_is_cut_into_pieces_that_end_in_the_value_of_what_follows():
    book = Book(seats=1)
    book.decide(0, times=10)
    columns = book.take()
    assert columns["obs"].shape == (3, SEQUENCE + 1)
    found = targets_of(columns)
    expect(found, book, [0, 1, 2, 3], value_of(4))
    expect(found, book, [4, 5, 6, 7], value_of(8))
    expect(found, book, [8], value_of(9))
    book.decide(0)
    book.end(0, truncated=True)
    found = targets_of(book.take())  # the open decision came with the next fragment
    expect(found, book, [9, 10], value_of(1010))


@pytest.mark.parametrize("truncated", [False, True])
@pytest.mark.parametrize("before", [SEQUENCE - 2, SEQUENCE - 1, SEQUENCE])
def test_an_episode_that_ends_beside_a_pieces_border_leaks_nothing(truncated, before):
    book = Book(seats=2)
    first, second = list(range(before + 1)), list(range(before + 1, before + 4))
    book.decide(0, times=before + 1)
    book.end(0, truncated=truncated)
    book.decide(0, times=3)
    book.end(0, truncated=False)
    columns = book.take()
    assert "action_dist_inputs" not in columns
    found = targets_of(columns)
    last = value_of(1000 + before) if truncated else 0.0
    for piece, follows in ((first[:SEQUENCE], first[SEQUENCE:]), (first[SEQUENCE:], [])):
        if piece:
            expect(found, book, piece, value_of(follows[0]) if follows else last)
    _expect_across_pieces(found, book, second)


def _expect_across_pieces(found, book, decisions):
    """A terminated episode whose decisions may lie in two pieces: targets follow from one another all the same."""
    for n, after in zip(decisions, [*decisions[1:], None], strict=True):
        follows = {0.0 if after is None else found[after][0], 0.0 if after is None else float(value_of(after))}
        assert any(found[n][0] == pytest.approx(book.rewards[n] + GAMMA * v, abs=1e-5) for v in follows), n


def test_off_policy_targets_are_the_papers():
    book = Book(seats=1)
    book.decide(0, times=3)
    book.end(0, truncated=True)
    found = targets_of(book.take(), likelier=0.5)  # rho and c are 0.5 everywhere
    values = [*value_of([0, 1, 2]), value_of(1002)]
    deltas = [0.5 * (book.rewards[n] + GAMMA * values[n + 1] - values[n]) for n in range(3)]
    targets = [values[s] + sum((GAMMA * 0.5) ** (t - s) * deltas[t] for t in range(s, 3)) for s in range(3)]
    assert [found[n][0] for n in range(3)] == pytest.approx(targets, abs=1e-5)  # eq. 1
    follows = [*targets[1:], values[3]]
    advantages = [0.5 * (book.rewards[n] + GAMMA * follows[n] - values[n]) for n in range(3)]
    assert [found[n][1] for n in range(3)] == pytest.approx(advantages, abs=1e-5)
