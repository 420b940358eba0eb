"""The layout of DQN and SAC: a row a decision, with what followed on it, for a replay buffer."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from trainer.sampling.lanes import Fragment

NEXT = "new_"
"""Before the names of what was seen afterwards: new_obs, new_action_mask, new_memory_NAME; RLlib's word for obs."""

LAST = "last_"
MASK = "action_mask"


def transition_columns(fragment: Fragment, *, gamma: float, n_step: int) -> dict[str, NDArray[Any]]:
    """The closed decisions with `rewards`, `n_step`, `terminateds`, `truncateds` and what was seen `n_step` later.

    `rewards` are the discounted ones of so many decisions of the seat; fewer where its episode or the fragment ends
    before, which `n_step` tells row by row: the learner discounts what follows by gamma ** n_step.
    """
    returns, span = _sum_rewards(fragment, gamma=gamma, n_step=n_step)
    slots, lanes = np.nonzero(fragment.closed)
    final = slots + span[slots, lanes] - 1  # the slot of the last decision whose reward counts
    terminated, truncated = fragment.terminated[final, lanes], fragment.truncated[final, lanes]
    rows: dict[str, NDArray[Any]] = {
        "actions": fragment.columns["actions"][slots, lanes],
        "rewards": returns[slots, lanes],
        "n_step": span[slots, lanes].astype(np.float32),
        "terminateds": terminated,
        "truncateds": truncated & ~terminated,
    }
    over = terminated | truncated
    for name, column in fragment.columns.items():
        if name in ("obs", MASK) or name.startswith("memory_"):
            rows[name] = column[slots, lanes]
            rows[NEXT + name] = _following(fragment, name, final, lanes, over)
    if MASK in rows:  # at the end of a game nothing is legal; a maximum over no action has no value
        rows[NEXT + MASK][~rows[NEXT + MASK].any(axis=1)] = 1
    return rows


def _sum_rewards(fragment: Fragment, *, gamma: float, n_step: int) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
    """Discounted rewards and how many, (K, L), of the decisions from each slot on."""
    closed, goes_on = fragment.closed, fragment.closed & ~(fragment.terminated | fragment.truncated)
    returns, span = fragment.rewards.copy(), np.ones(closed.shape, np.intp)
    extended = goes_on
    for later in range(1, min(n_step, len(closed))):
        more = extended[:-later] & closed[later:]
        returns[:-later] += np.where(more, gamma**later * fragment.rewards[later:], 0)
        span[:-later] += more
        extended = np.zeros_like(closed)
        extended[:-later] = more & goes_on[later:]
    return returns, span


def _following(
    fragment: Fragment, name: str, final: NDArray[np.intp], lanes: NDArray[np.intp], over: NDArray[np.bool_]
) -> NDArray[Any]:
    """What the column `name` has after the slots `final`: of the next decision, or of the end of the episode."""
    column = fragment.columns[name]
    following: NDArray[Any] = column[np.where(over, final, final + 1), lanes]
    if over.any():
        following[over] = fragment.columns[LAST + name][final[over], lanes[over]]
    return following
