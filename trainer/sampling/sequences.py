"""The layout of IMPALA and APPO: pieces of equal length, each with successive decisions of one seat.

A piece has at most ``sequence`` decisions and one row more, since the learner values the observation after its last
decision.  Rows without a decision are masked from the loss, and V-trace (Espeholt et al. 2018, arXiv 1802.01561, eq. 1)
must stop at them: their recorded log probability is so high that their importance weights rho and c are 0.  With
RLlib's own extra row (connector AddOneTsToEpisodesAndTruncate: its reward is 0 and its discount 0, but its weight 1)
the row's temporal difference -V would cancel the bootstrap of the decision before.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from trainer.sampling.rollout import Fragment

NO_DECISION = 1e4
"""Log probability of rows without a decision: the policy's probability over it is exactly 0 in float32."""

UNUSED = "action_dist_inputs"
"""A column that these algorithms ignore."""


def sequence_columns(fragment: Fragment, *, sequence: int) -> dict[str, NDArray[Any]]:
    """Rows (pieces x (sequence + 1), …) with `rewards`, `terminateds` and `loss_mask`, piece by piece.

    A piece may hold several episodes.  A truncated decision is followed by a row with the last observation, a piece's
    last decision by the next one, a terminated decision by neither.
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
    return columns


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
