"""The layout of PPO and A2C: a row a decision, with its advantage."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from trainer.sampling.lanes import FloatArray, Fragment


def advantage_columns(fragment: Fragment, *, gamma: float, lambda_: float) -> dict[str, NDArray[Any]]:
    """The closed decisions with `advantages` and `value_targets`, float32 (M,)."""
    advantages = gae(fragment, gamma=gamma, lambda_=lambda_)
    rows = {name: column[fragment.closed] for name, column in fragment.columns.items()}
    rows["advantages"] = advantages[fragment.closed]
    rows["value_targets"] = (advantages + fragment.values)[fragment.closed]
    return rows


def gae(fragment: Fragment, *, gamma: float, lambda_: float) -> FloatArray:
    """Generalised advantage estimation (Schulman et al. 2015, arXiv 1506.02438, eq. 16) down columns of (K, L).

    The value of the next slot follows on each decision; where terminated nothing does, where truncated the
    bootstrap.  A row that is not closed only lends its value to the row before it.
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
