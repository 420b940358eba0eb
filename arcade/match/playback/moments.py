"""Moments: a cache of shown ticks in bounded memory."""

from __future__ import annotations

import pickle
from collections import OrderedDict

import zstandard

from arcade.match.stage.tick import Tick

BUDGET = 160 << 20
"""Bytes, packed."""

OVERHEAD = 512
"""Rough bytes of a tick beside its packed ones."""

Packed = tuple[bytes, ...]
"""A pickled tick, then each of its arrays."""


class Moments:
    """Half of the memory holds all of the newest ticks, half a sample of the whole match.

    >>> moments = Moments()
    >>> moments.keep(Tick(3, ()))
    >>> moments.at(3).index, moments.at(4), moments.near(9).index, moments.run_end(3)
    (3, None, 3, 4)
    """

    def __init__(self, budget: int = BUDGET) -> None:
        self._share = budget // 2
        self._newest: OrderedDict[int, Packed] = OrderedDict()
        self._spread: dict[int, Packed] = {}
        self._newest_bytes = self._spread_bytes = 0
        self._run = 0, 0  # the newest answer of `run_end`, and the tick that it was asked about
        self._every = 1  # ticks from one of `_spread` to the next
        self._compress = zstandard.ZstdCompressor(level=-3).compress  # a screen of a game in well under a millisecond
        self._decompress = zstandard.ZstdDecompressor().decompress

    @property
    def bytes(self) -> int:
        """Rough size in memory."""
        return self._newest_bytes + self._spread_bytes

    def keep(self, tick: Tick) -> None:
        """Remember a copy of a tick."""
        if tick.index in self._newest:
            self._newest.move_to_end(tick.index)
            return
        packed = self._packed(tick)
        self._newest[tick.index] = packed
        self._newest_bytes += _size(packed)
        while self._newest_bytes > self._share and len(self._newest) > 1:
            self._newest_bytes -= _size(self._newest.popitem(last=False)[1])
        if tick.index % self._every == 0 and tick.index not in self._spread:
            self._spread[tick.index] = packed
            self._spread_bytes += _size(packed)
            self._thin()

    def at(self, index: int) -> Tick | None:
        """That tick, None where it is not remembered."""
        if not (found := self._newest.get(index) or self._spread.get(index)):
            return None
        head, *arrays = map(self._decompress, found)
        tick: Tick = pickle.loads(head, buffers=arrays)  # noqa: S301  (our own memory)
        return tick

    def near(self, index: int) -> Tick | None:
        """The tick closest to that one, None where nothing is remembered."""
        known = self._newest.keys() | self._spread.keys()
        return self.at(min(known, key=lambda one: (abs(one - index), one))) if known else None

    def run_end(self, index: int) -> int:
        """The first tick from `index` on that is not remembered."""
        is_known = index in self._newest or index in self._spread
        start, end = self._run if is_known and self._run[0] <= index < self._run[1] else (index, index)
        while end in self._newest or end in self._spread:
            end += 1
        self._run = start, end
        return end

    def _thin(self) -> None:
        while self._spread_bytes > self._share and len(self._spread) > 1:
            self._every *= 2
            for index in [index for index in self._spread if index % self._every]:
                self._spread_bytes -= _size(self._spread.pop(index))

    def _packed(self, tick: Tick) -> Packed:
        arrays: list[pickle.PickleBuffer] = []
        head = pickle.dumps(tick, pickle.HIGHEST_PROTOCOL, buffer_callback=arrays.append)
        parts: list[bytes | memoryview] = [head, *(array.raw() for array in arrays)]
        # Copied: the result lies in a block as large as the worst case, whose rest the heap can hardly use again.
        return tuple(bytes(memoryview(self._compress(part))) for part in parts)


def _size(packed: Packed) -> int:
    return OVERHEAD + sum(map(len, packed))
