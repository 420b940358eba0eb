"""Where a policy's random numbers come from: one generator, or one a seat for answers that are inferred together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


class SeatDraws:
    """Draws each row of a batch from the generator of its own seat, as if that seat had asked alone."""

    def __init__(self, generators: Sequence[np.random.Generator]) -> None:
        self._generators = generators

    def random(self, shape: tuple[int, ...]) -> NDArray[Any]:
        """float64 of `shape`, from 0 up to but not 1; the first axis is the batch."""
        if shape[1:] == (1,):  # several times as fast as an array a row
            return np.array([rng.random() for rng in self._generators])[:, None]
        return np.array([rng.random(shape[1:]) for rng in self._generators])

    def standard_normal(self, shape: tuple[int, ...]) -> NDArray[Any]:
        """float32 of `shape`; the first axis is the batch."""
        return np.array([rng.standard_normal(shape[1:], dtype=np.float32) for rng in self._generators])


Draws = np.random.Generator | SeatDraws
