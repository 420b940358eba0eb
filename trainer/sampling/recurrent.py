"""The layout of recurrent policies: sequences of one lane's decisions, padded to equal length."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from trainer.sampling.advantages import gae
from trainer.sampling.lanes import Fragment

MEMORY = "memory_"


def recurrent_columns(fragment: Fragment, *, sequence: int, gamma: float, lambda_: float) -> dict[str, NDArray[Any]]:
    """Columns (S, `sequence`, …) of the closed decisions with `advantages` and `value_targets`; rows behind a
    sequence's last decision are zeros, where `loss_mask` is False.

    A sequence ends with its episode, or its part of the fragment; memory_NAME (S, …) is from before its first decision.
    """
    closed = fragment.closed
    number, place = _cut(fragment, sequence)
    begins = closed & (place == 0)
    advantages = gae(fragment, gamma=gamma, lambda_=lambda_)
    more = {"advantages": advantages, "value_targets": advantages + fragment.values, "loss_mask": closed}
    columns = {}
    for name, column in {**fragment.columns, **more}.items():
        where, axes = (begins, ()) if name.startswith(MEMORY) else (closed, (sequence,))
        columns[name] = np.zeros((int(begins.sum()), *axes, *column.shape[2:]), column.dtype)
        columns[name][(number[where], place[where])[: 1 + len(axes)]] = column[where]
    return columns


def _cut(fragment: Fragment, sequence: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """(K, L) each: the number of a decision's sequence, and its place in it; of no meaning where not closed."""
    closed, ended = fragment.closed, fragment.terminated | fragment.truncated
    place = np.zeros(closed.shape, np.intp)
    for k in range(1, len(closed)):
        place[k] = np.where(ended[k - 1], 0, (place[k - 1] + 1) % sequence)
    begins = closed & (place == 0)
    number = begins.T.cumsum().reshape(begins.T.shape).T - 1  # lane by lane
    return number, place
