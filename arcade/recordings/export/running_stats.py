"""RunningStats: minimum, maximum, mean and deviation of columns, in one pass."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


class RunningStats:
    """Sums over the rows of each column, by name."""

    def __init__(self) -> None:
        self._sums: dict[str, list[Any]] = {}  # count, minimum, maximum, sum, sum of squares

    def add(self, columns: Mapping[str, NDArray[Any]]) -> None:
        """Count more rows."""
        for name, values in columns.items():
            rows = np.asarray(values, np.float64).reshape(len(values), -1)
            found = [len(rows), rows.min(0), rows.max(0), rows.sum(0), (rows**2).sum(0)]
            known = self._sums.get(name)
            if known is not None:
                found = [
                    known[0] + found[0], np.minimum(known[1], found[1]), np.maximum(known[2], found[2]),
                    known[3] + found[3], known[4] + found[4],
                ]  # fmt: skip
            self._sums[name] = found

    def as_json(self) -> dict[str, dict[str, Any]]:
        """Return each column's figures, a number a part."""
        found = {}
        for name, (count, low, high, total, squares) in self._sums.items():
            mean = total / count
            deviation = np.sqrt(np.maximum(squares / count - mean**2, 0))
            figures = {"min": low, "max": high, "mean": mean, "std": deviation}
            found[name] = {key: value.tolist() for key, value in figures.items()} | {"count": [count]}
        return found
