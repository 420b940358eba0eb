"""Which actions count as the same, and for how many decisions a player stays with one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.snapshots.card import ActionSignature

Classes = NDArray[np.int64]
"""(T, parts): rows are equal where the actions count as the same."""

POSITIONS = 5
"""Into so many equal parts the range of each entry of a box is divided."""


def classes_of(actions: NDArray[Any], action: ActionSignature) -> Classes:
    """Of actions (T, *shape): discrete ones as they are; an entry of a box by its part of the range, or, where that
    has no end, by its sign."""
    rows = actions.reshape(len(actions), -1)
    if action.kind != "box":
        return rows.astype(np.int64)
    low, high = np.array(action.low, np.float64), np.array(action.high, np.float64)
    bounded = np.isfinite(low) & np.isfinite(high) & (high > low)
    width = np.where(bounded, high - low, 1.0)
    parts = np.clip((rows - np.where(bounded, low, 0.0)) / width * POSITIONS, 0, POSITIONS - 1)
    return np.where(bounded, np.floor(parts), np.sign(rows)).astype(np.int64)


def same(first: Classes, second: Classes) -> NDArray[np.bool_]:
    """(T,): row by row."""
    equal: NDArray[np.bool_] = (first == second).all(axis=1)
    return equal


def changes(classes: Classes) -> NDArray[np.bool_]:
    """(T,): where a row is another one than the row before; False in the first."""
    return np.concatenate([np.zeros(min(1, len(classes)), np.bool_), ~same(classes[1:], classes[:-1])])


def run_lengths(classes: Classes) -> NDArray[np.int64]:
    """How many decisions each action lasted, in order; without the last, which the episode's end cut short."""
    starts = np.flatnonzero(changes(classes))
    return np.diff(np.concatenate([np.zeros(min(1, len(classes)), np.int64), starts])).astype(np.int64)
