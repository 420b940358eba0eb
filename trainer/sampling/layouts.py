"""Batch layouts: advantages by GAE for PPO and A2C, V-trace masks for IMPALA and APPO, transitions for DQN and SAC,
searched policies for AlphaZero."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trainer.config import RunConfig
from trainer.config.algorithms.alphazero import AlphaZeroSettings
from trainer.config.algorithms.impala import IMPALASettings
from trainer.config.algorithms.replay import ReplaySettings
from trainer.sampling.rollout import FloatArray, Fragment

NO_DECISION = 1e4
"""Log probability of rows without a decision: the policy's probability over it is exactly 0 in float32."""

UNUSED = "action_dist_inputs"
"""A column that these algorithms ignore."""

NEXT = "new_"
"""The prefix of the next observation's columns, as in RLlib: new_obs, new_action_mask, new_memory_NAME."""

REFERENCE_INPUTS, HAS_REFERENCE = "reference_inputs", "has_reference"
"""Columns: float32 (…, k), the reference's inputs of the action distribution; bool (…), False without a reference."""

SEARCHED = "searched_policy"
"""A column, float32 (…, actions): the policy that a search found."""

LAST = "last_"
MASK = "action_mask"


@dataclass(frozen=True, slots=True)
class BatchLayout:
    """Turns a fragment into the columns that an algorithm learns from."""

    columns: Callable[[Fragment], dict[str, NDArray[Any]]]
    keep_last: bool = False  # reads the last observations of episodes
    keep: int = 0  # closed decisions of a running episode that it reads again in the next fragment


def make_layout(run: RunConfig) -> BatchLayout:
    """The layout of the run's algorithm and network."""
    training: Any = run.training
    if isinstance(training, IMPALASettings):
        return BatchLayout(partial(sequence_columns, sequence=training.sequence), keep_last=True)
    if isinstance(training, ReplaySettings):
        columns = partial(transition_columns, gamma=training.gamma, n_step=training.n_step)
        return BatchLayout(columns, keep_last=True, keep=training.n_step - 1)
    if isinstance(training, AlphaZeroSettings):
        return BatchLayout(partial(searched_columns, gamma=training.gamma))
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


def searched_columns(fragment: Fragment, *, gamma: float) -> dict[str, NDArray[Any]]:
    """AlphaZero: a row for each closed decision; `value_targets`, float32 (M,), are the results of the episodes.

    Where an episode is still running at the end of the fragment, its target is the searched value of its last decision.
    """
    values = (gae(fragment, gamma=gamma, lambda_=1.0) + fragment.values)[fragment.closed]
    read = (name for name in fragment.columns if name != UNUSED)
    rows = {name: fragment.columns[name][fragment.closed] for name in read}
    return rows | {"value_targets": values}


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


def sequence_columns(fragment: Fragment, *, sequence: int) -> dict[str, NDArray[Any]]:
    """IMPALA and APPO: columns (P pieces, `sequence` + 1, …) with `rewards`, `terminateds` and `loss_mask`.

    A piece has at most `sequence` successive decisions of one seat, of several episodes perhaps, and one row more: the
    learner values the observation after its last decision.  A truncated decision is followed by a row with the last
    observation, a piece's last decision by the next one, a terminated decision by neither.  Rows without a decision are
    masked from the loss, and V-trace (Espeholt et al. 2018, arXiv 1802.01561, eq. 1) must stop at them: their recorded
    log probability is so high that their importance weights rho and c are 0.  With RLlib's own extra row (connector
    AddOneTsToEpisodesAndTruncate: its reward is 0 and its discount 0, but its weight 1) the row's temporal difference
    -V would cancel the bootstrap of the decision before.
    """
    closed, terminated = fragment.closed, fragment.terminated
    cut = closed & fragment.truncated & ~terminated
    rows = closed.astype(np.intp) + cut  # of a decision; one more where an episode was truncated
    piece, offset = np.divmod(rows.cumsum(axis=0) - rows, sequence)
    pieces = np.where(closed, piece + 1, 0).max(axis=0, initial=0)
    row = (pieces.cumsum() - pieces + piece) * (sequence + 1) + offset
    continues = np.concatenate([closed[1:], np.zeros_like(closed[:1])]) & (offset < sequence - 1)
    followed = closed & ~terminated & ~cut & ~continues

    flat = np.arange(closed.size).reshape(closed.shape)
    source = np.full(pieces.sum() * (sequence + 1), flat[closed][0])  # padding rows are copies of any row
    source[row[closed]] = flat[closed]
    source[row[followed] + 1] = flat[followed] + closed.shape[1]
    columns = _gather(fragment, source, cut=cut, behind=row[cut] + 1)
    for name, values in (("rewards", fragment.rewards), ("terminateds", terminated), ("loss_mask", closed)):
        columns[name] = np.zeros(len(source), values.dtype)
        columns[name][row[closed]] = values[closed]
    columns["action_logp"][~columns["loss_mask"]] = NO_DECISION
    return {name: column.reshape(-1, sequence + 1, *column.shape[1:]) for name, column in columns.items()}


def _gather(
    fragment: Fragment, source: NDArray[np.intp], *, cut: NDArray[np.bool_], behind: NDArray[np.intp]
) -> dict[str, NDArray[Any]]:
    """The rows `source` of the fragment's columns; those `behind` truncated decisions (`cut`) have the last ones."""
    columns = {}
    for name, column in fragment.columns.items():
        if name != UNUSED and not name.startswith("last_"):
            columns[name] = column.reshape(-1, *column.shape[2:])[source]
            if f"last_{name}" in fragment.columns:
                columns[name][behind] = fragment.columns[f"last_{name}"][cut]
    return columns


def transition_columns(fragment: Fragment, *, gamma: float, n_step: int) -> dict[str, NDArray[Any]]:
    """DQN and SAC: closed decisions with `rewards`, `n_step`, `terminateds`, `truncateds`, and columns `n_step` later.

    `rewards` are discounted sums over `n_step` decisions of the seat; the column `n_step` is smaller where its episode
    ends earlier.  The learner discounts the next value by gamma ** n_step.  A decision followed by fewer in a running
    episode has no row yet: it is carried over, and has one in a later fragment.
    """
    returns, span = _sum_rewards(fragment, gamma=gamma, n_step=n_step)
    slots, seats = np.nonzero(fragment.closed)
    final = slots + span[slots, seats] - 1  # the slot of the last decision whose reward counts
    ended = fragment.terminated[final, seats] | fragment.truncated[final, seats]
    complete = ended | (span[slots, seats] == n_step)
    slots, seats, final = slots[complete], seats[complete], final[complete]
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
        if name in (REFERENCE_INPUTS, HAS_REFERENCE):
            rows[name] = column[slots, seats]
        elif name in ("obs", MASK) or name.startswith("memory_"):
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
