"""Random numbers of many seats at once, each from its own generator and independent of the others."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.policies.batch import Seats, Seeds, grown

_BLOCK = 128  # numbers drawn ahead for a seat: one number at a time costs a tenth of a microsecond, in Python


class SeatGenerators:
    """A generator for each seat, made when the seat first draws."""

    def __init__(self) -> None:
        self._generators: list[np.random.Generator | None] = []
        self._seeds = np.zeros(0, np.int64)
        self._blocks = np.zeros((0, _BLOCK))
        self._used = np.zeros(0, np.intp)

    def begin(self, seats: Seats, seeds: Seeds) -> None:
        """Seed `seats` anew."""
        needed = int(seats.max(initial=-1)) + 1
        if needed > len(self._generators):
            self._seeds, self._used = grown(self._seeds, needed), grown(self._used, needed)
            self._blocks = grown(self._blocks, needed)
            self._generators += [None] * (len(self._seeds) - len(self._generators))
        self._seeds[seats], self._used[seats] = seeds, _BLOCK
        for seat in seats.tolist():
            self._generators[seat] = None

    def of(self, seats: Seats) -> SeatDraws:
        """The draws of `seats`, a row each."""
        return SeatDraws(self, seats)

    def generator(self, seat: int) -> np.random.Generator:
        """The generator itself, for a policy that takes nothing else."""
        found = self._generators[seat]
        if found is None:
            found = self._generators[seat] = np.random.default_rng(int(self._seeds[seat]))
        return found

    def number(self, seat: int) -> float:
        """The next uniform number of one seat."""
        used = int(self._used[seat])
        if used == _BLOCK:
            self._blocks[seat] = self.generator(seat).random(_BLOCK)
            used = 0
        self._used[seat] = used + 1
        return float(self._blocks[seat, used])

    def numbers(self, seats: Seats) -> NDArray[np.float64]:
        """The next uniform number of each seat, float64 (B,)."""
        used = self._used[seats]
        for seat in seats[used == _BLOCK].tolist():
            self._blocks[seat] = self.generator(seat).random(_BLOCK)
            self._used[seat] = 0
        drawn: NDArray[np.float64] = self._blocks[seats, self._used[seats]]
        self._used[seats] += 1
        return drawn


class SeatDraws:
    """Draws each row of a batch from the generator of its own seat, as if that seat had asked alone.

    Has the methods of numpy's Generator that policies use.  A policy draws uniform numbers or normal ones, never both.
    """

    def __init__(self, generators: SeatGenerators, seats: Seats) -> None:
        self._generators, self._seats = generators, seats

    def random(self, shape: tuple[int, ...] | int | None = None, dtype: Any = np.float64) -> Any:
        """Of `shape` and `dtype`, 0 <= number < 1, the first axis in the order of the seats; a float for None."""
        if shape is None:
            return self._generators.number(int(self._seats[0]))
        count = int(np.prod(shape)) // max(1, len(self._seats))
        if count == 1:
            return self._generators.numbers(self._seats).reshape(shape).astype(dtype, copy=False)
        rows = [self._generators.numbers(self._seats) for _ in range(count)]
        return np.stack(rows, axis=1).reshape(shape).astype(dtype, copy=False)

    def standard_normal(self, shape: tuple[int, ...], dtype: Any = np.float32) -> NDArray[Any]:
        """float32 of `shape`; the first axis is the seats'."""
        own = [
            self._generators.generator(seat).standard_normal(shape[1:], dtype=dtype) for seat in self._seats.tolist()
        ]
        return np.array(own, dtype).reshape(shape)


RandomNumbers = np.random.Generator | SeatDraws
