"""The layout of DQN and SAC: transitions for a replay buffer."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from trainer.sampling.rollout import Fragment

NEXT = "new_"
"""The prefix of the next observation's columns, as in RLlib: new_obs, new_action_mask, new_memory_NAME."""

LAST = "last_"
MASK = "action_mask"


def transition_columns(fragment: Fragment, *, gamma: float, n_step: int) -> dict[str, NDArray[Any]]:
    """The closed decisions with `rewards`, `n_step`, `terminateds`, `truncateds`, and the columns `n_step` later.

    `rewards` are discounted sums over `n_step` decisions of the seat; the column `n_step` is smaller where its episode
    or the fragment ends earlier.  The learner discounts the next value by gamma ** n_step.
    """
    returns, span = _sum_rewards(fragment, gamma=gamma, n_step=n_step)
    slots, seats = np.nonzero(fragment.closed)
    final = slots + span[slots, seats] - 1  # the slot of the last decision whose reward counts
    terminated, truncated = fragment.terminated[final, seats], fragment.truncated[final, seats]
    rows: dict[str, NDArray[Any]] = {
        "actions": fragment.columns["actions"][slots, seats],
        "rewards": returns[slots, seats],
        "n_step": span[slots, seats].astype(np.float32),
        "terminateds": terminated,
        "truncateds": truncated & ~terminated,
    }
    over = terminated | truncated
    for name, column in fragment.columns.items():
        if name in ("obs", MASK) or name.startswith("memory_"):
            rows[name] = column[slots, seats]
            rows[NEXT + name] = _following(fragment, name, final, seats, over)
    if MASK in rows:  # no action is legal after a game's end, where a maximum has no value
        rows[NEXT + MASK][~rows[NEXT + MASK].any(axis=1)] = 1
    return rows


def _sum_rewards(fragment: Fragment, *, gamma: float, n_step: int) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
    """(K, L) each: the discounted sum of rewards from each slot on, and the number of its terms."""
    closed, continues = fragment.closed, fragment.closed & ~(fragment.terminated | fragment.truncated)
    returns, span = fragment.rewards.copy(), np.ones(closed.shape, np.intp)
    extended = continues
    for later in range(1, min(n_step, len(closed))):
        more = extended[:-later] & closed[later:]
        returns[:-later] += np.where(more, gamma**later * fragment.rewards[later:], 0)
        span[:-later] += more
        extended = np.zeros_like(closed)
        extended[:-later] = more & continues[later:]
    return returns, span


def _following(
    fragment: Fragment, name: str, final: NDArray[np.intp], seats: NDArray[np.intp], over: NDArray[np.bool_]
) -> NDArray[Any]:
    """The column `name` after the slots `final`: of the next decision, or of the end of the episode."""
    column = fragment.columns[name]
    following: NDArray[Any] = column[np.where(over, final, final + 1), seats]
    if over.any():
        following[over] = fragment.columns[LAST + name][final[over], seats[over]]
    return following
