"""Random numbers of many seats at once, each seat's own: what comes of a match does not hang on who plays beside it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.policies.draws import SeatDraws

_BLOCK = 128  # draws made at once: one of its own takes a tenth of a microsecond, in Python


class LaneGenerators:
    """A generator for each lane of a batch, seeded as a match seeds the controllers of its seats."""

    def __init__(self, lanes: int) -> None:
        self._generators: list[np.random.Generator] = [np.random.default_rng(0)] * lanes
        self._blocks = np.zeros((lanes, _BLOCK))
        self._used = np.full(lanes, _BLOCK)

    def begin(self, lane: int, seed: int) -> None:
        """An episode begins there."""
        self._generators[lane] = np.random.default_rng(seed)
        self._used[lane] = _BLOCK

    def of(self, lanes: NDArray[np.intp]) -> LaneDraws:
        """The draws for a row a lane."""
        return LaneDraws(self, lanes)

    def normal(self, lane: int, shape: tuple[int, ...]) -> NDArray[np.float32]:
        """float32 of `shape`; a policy draws normal numbers alone or none."""
        return self._generators[lane].standard_normal(shape, dtype=np.float32)

    def uniform(self, lanes: NDArray[np.intp], count: int) -> NDArray[np.float64]:
        """float64 (lanes, count), the next numbers of each."""
        return np.stack([self._next(lanes) for _ in range(count)], axis=1)

    def _next(self, lanes: NDArray[np.intp]) -> NDArray[np.float64]:
        used = self._used[lanes]
        for lane in lanes[used == _BLOCK].tolist():
            self._blocks[lane] = self._generators[lane].random(_BLOCK)
            self._used[lane] = 0
        drawn: NDArray[np.float64] = self._blocks[lanes, self._used[lanes]]
        self._used[lanes] += 1
        return drawn


class LaneDraws(SeatDraws):
    """The draws of some lanes, a row each."""

    def __init__(self, own: LaneGenerators, lanes: NDArray[np.intp]) -> None:
        self._own, self._lanes = own, lanes

    def random(self, shape: tuple[int, ...] | int) -> NDArray[Any]:
        """As SeatDraws; a number alone is that of the rows."""
        row = () if isinstance(shape, int) else shape[1:]
        drawn = self._own.uniform(self._lanes, int(np.prod(row)))
        return drawn.reshape(len(self._lanes), *row)

    def standard_normal(self, shape: tuple[int, ...]) -> NDArray[Any]:
        return np.array([self._own.normal(lane, shape[1:]) for lane in self._lanes.tolist()])
