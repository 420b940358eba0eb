"""The batch layout of each algorithm; those of PPO and A2C."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trainer.config import RunConfig
from trainer.config.algorithms.impala import IMPALASettings
from trainer.config.algorithms.replay import ReplaySettings
from trainer.sampling.rollout import FloatArray, Fragment
from trainer.sampling.sequences import sequence_columns
from trainer.sampling.transitions import transition_columns


@dataclass(frozen=True, slots=True)
class BatchLayout:
    """Turns a fragment into the columns that an algorithm learns from."""

    columns: Callable[[Fragment], dict[str, NDArray[Any]]]
    keep_last: bool = False  # reads the last observations of episodes


def make_layout(run: RunConfig) -> BatchLayout:
    """The layout of the run's algorithm and network."""
    training: Any = run.training
    if isinstance(training, IMPALASettings):
        return BatchLayout(partial(sequence_columns, sequence=training.sequence), keep_last=True)
    if isinstance(training, ReplaySettings):
        return BatchLayout(partial(transition_columns, gamma=training.gamma, n_step=training.n_step), keep_last=True)
    discounts = {"gamma": training.gamma, "lambda_": training.lambda_}
    if run.network.lstm:
        return BatchLayout(partial(recurrent_columns, sequence=run.network.sequence, **discounts))
    return BatchLayout(partial(advantage_columns, **discounts))


def advantage_columns(fragment: Fragment, *, gamma: float, lambda_: float) -> dict[str, NDArray[Any]]:
    """PPO and A2C: a row for each closed decision, with `advantages` and `value_targets`, float32 (M,)."""
    advantages = gae(fragment, gamma=gamma, lambda_=lambda_)
    rows = {name: column[fragment.closed] for name, column in fragment.columns.items()}
    rows["advantages"] = advantages[fragment.closed]
    rows["value_targets"] = (advantages + fragment.values)[fragment.closed]
    return rows


def gae(fragment: Fragment, *, gamma: float, lambda_: float) -> FloatArray:
    """Generalised advantage estimation (Schulman et al. 2015, arXiv 1506.02438, eq. 16) down columns of (K, L).

    Each decision is followed by the value of the next slot, by 0 where terminated, by the bootstrap where truncated.
    A row that is not closed has a value and no advantage.
    """
    values, terminated, truncated = fragment.values, fragment.terminated, fragment.truncated
    advantages = np.zeros_like(values)
    running = np.zeros(values.shape[1:], np.float32)
    following = np.zeros(values.shape[1:], np.float32)
    for k in reversed(range(len(values))):
        following = np.where(truncated[k], fragment.bootstraps[k], following)
        delta = fragment.rewards[k] + gamma * following * ~terminated[k] - values[k]
        running = (delta + gamma * lambda_ * running * ~(terminated[k] | truncated[k])) * fragment.closed[k]
        advantages[k] = running
        following = values[k]
    return advantages


def recurrent_columns(fragment: Fragment, *, sequence: int, gamma: float, lambda_: float) -> dict[str, NDArray[Any]]:
    """Recurrent PPO: columns (S, `sequence`, …) of the closed decisions with `advantages` and `value_targets`.

    A sequence ends with its episode or the fragment.  Rows after its last decision are zeros with `loss_mask` False;
    memory_NAME (S, …) is from before its first decision.
    """
    closed = fragment.closed
    number, place = _cut(fragment, sequence)
    begins = closed & (place == 0)
    advantages = gae(fragment, gamma=gamma, lambda_=lambda_)
    more = {"advantages": advantages, "value_targets": advantages + fragment.values, "loss_mask": closed}
    columns = {}
    for name, column in {**fragment.columns, **more}.items():
        where, axes = (begins, ()) if name.startswith("memory_") else (closed, (sequence,))
        columns[name] = np.zeros((int(begins.sum()), *axes, *column.shape[2:]), column.dtype)
        columns[name][(number[where], place[where])[: 1 + len(axes)]] = column[where]
    return columns


def _cut(fragment: Fragment, sequence: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """(K, L) each: the number of a closed decision's sequence, and its place in it."""
    closed, ended = fragment.closed, fragment.terminated | fragment.truncated
    place = np.zeros(closed.shape, np.intp)
    for k in range(1, len(closed)):
        place[k] = np.where(ended[k - 1], 0, (place[k - 1] + 1) % sequence)
    begins = closed & (place == 0)
    number = begins.T.cumsum().reshape(begins.T.shape).T - 1  # seat by seat
    return number, place
