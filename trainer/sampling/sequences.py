"""The layout of IMPALA and APPO: pieces of equal length, each of one lane's decisions one after the other.

A piece has ``sequence`` decisions at most and one row more, because what follows on its last decision is valued by
the learner.  Rows that are no decisions are masked from the loss, and V-trace (Espeholt et al. 2018, arXiv 1802.01561,
eq. 1) must stop at them: their behaviour is written down as all but infinitely more likely than it was, so that their
importance weights rho and c are 0.  With RLlib's own extra row (connector AddOneTsToEpisodesAndTruncate: its reward is
0 and its discount 0, but its weight 1) the row's temporal difference -V would take the bootstrap away again from the
decision before.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from trainer.sampling.lanes import Fragment

NO_DECISION = 1e4
"""Log probability of the behaviour in rows that are none: the policy's over it is exactly 0 in float32."""

UNUSED = "action_dist_inputs"
"""A column that these algorithms do not read."""


def sequence_columns(fragment: Fragment, *, sequence: int) -> dict[str, NDArray[Any]]:
    """Rows (pieces x (sequence + 1), …) with `rewards`, `terminateds` and `loss_mask`, piece by piece.

    A piece may hold several episodes: nothing follows on a terminated decision; a truncated one is followed by a row
    with the last observation; a piece's last one is followed by the next decision.
    """
    closed, terminated = fragment.closed, fragment.terminated
    cut = closed & fragment.truncated & ~terminated
    taken = closed.astype(np.intp) + cut  # rows of a decision; one more where an episode was cut off
    piece, offset = np.divmod(taken.cumsum(axis=0) - taken, sequence)
    pieces = np.where(closed, piece + 1, 0).max(axis=0, initial=0)
    row = (pieces.cumsum() - pieces + piece) * (sequence + 1) + offset
    goes_on = np.concatenate([closed[1:], np.zeros_like(closed[:1])]) & (offset < sequence - 1)
    followed = closed & ~terminated & ~cut & ~goes_on

    flat = np.arange(closed.size).reshape(closed.shape)
    source = np.full(pieces.sum() * (sequence + 1), flat[closed][0])  # a row that means nothing is a copy of any
    source[row[closed]] = flat[closed]
    source[row[followed] + 1] = flat[followed] + closed.shape[1]
    columns = _gather(fragment, source, cut=cut, behind=row[cut] + 1)
    for name, values in (("rewards", fragment.rewards), ("terminateds", terminated), ("loss_mask", closed)):
        columns[name] = np.zeros(len(source), values.dtype)
        columns[name][row[closed]] = values[closed]
    columns["action_logp"][~columns["loss_mask"]] = NO_DECISION
    return columns


def _gather(
    fragment: Fragment, source: NDArray[np.intp], *, cut: NDArray[np.bool_], behind: NDArray[np.intp]
) -> dict[str, NDArray[Any]]:
    """The rows `source` of the fragment's columns; those `behind` decisions that were `cut` off have what was last."""
    columns = {}
    for name, column in fragment.columns.items():
        if name != UNUSED and not name.startswith("last_"):
            columns[name] = column.reshape(-1, *column.shape[2:])[source]
            if f"last_{name}" in fragment.columns:
                columns[name][behind] = fragment.columns[f"last_{name}"][cut]
    return columns
