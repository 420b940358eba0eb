"""Moments: a cache of shown ticks in bounded memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import zstandard

from agents.seats.controller import AgentID
from arcade.match.recording.observations import mapped
from arcade.match.stage.tick import Tick

BUDGET = 160 << 20
"""Bytes, packed."""

SMALL = 4096
"""Bytes from which on an array is packed."""

OVERHEAD = 4096
"""Rough bytes of a tick beside its arrays."""


@dataclass(frozen=True, slots=True)
class _Packed:
    data: bytes
    shape: tuple[int, ...]
    dtype: np.dtype[Any]


class _Unpacking(Mapping[AgentID, Any]):
    """Observations, each unpacked on access."""

    def __init__(self, packed: Mapping[AgentID, Any], unpack: Callable[[Any], Any]) -> None:
        self._packed, self._unpack = packed, unpack

    def __getitem__(self, agent: AgentID) -> Any:
        return self._unpack(self._packed[agent])

    def __iter__(self) -> Iterator[AgentID]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)


class Moments:
    """Half of the memory holds all of the newest ticks, half a sample of the whole match.

    >>> moments = Moments()
    >>> moments.keep(Tick(3, ()))
    >>> moments.at(3).index, moments.at(4), moments.near(9).index, moments.run_end(3)
    (3, None, 3, 4)
    """

    def __init__(self, budget: int = BUDGET) -> None:
        self._share = budget // 2
        self._newest: OrderedDict[int, tuple[Tick, int]] = OrderedDict()
        self._spread: dict[int, tuple[Tick, int]] = {}
        self._newest_bytes = self._spread_bytes = 0
        self._every = 1  # ticks from one of `_spread` to the next
        self._pack = zstandard.ZstdCompressor(level=-3).compress  # a screen of a game in well under a millisecond
        self._unpack = zstandard.ZstdDecompressor().decompress

    @property
    def bytes(self) -> int:
        """Rough size in memory."""
        return self._newest_bytes + self._spread_bytes

    def keep(self, tick: Tick) -> None:
        """Remember a tick; its frame and observations are copied."""
        if tick.index in self._newest:
            self._newest.move_to_end(tick.index)
            return
        packed, size = self._packed(tick)
        self._newest[tick.index] = packed, size
        self._newest_bytes += size
        while self._newest_bytes > self._share and len(self._newest) > 1:
            self._newest_bytes -= self._newest.popitem(last=False)[1][1]
        if tick.index % self._every == 0 and tick.index not in self._spread:
            self._spread[tick.index] = packed, size
            self._spread_bytes += size
            self._thin()

    def at(self, index: int) -> Tick | None:
        """That tick, None where it is not remembered."""
        found = self._newest.get(index) or self._spread.get(index)
        return self._unpacked(found[0]) if found else None

    def near(self, index: int) -> Tick | None:
        """The tick closest to that one, None where nothing is remembered."""
        known = self._newest.keys() | self._spread.keys()
        return self.at(min(known, key=lambda one: (abs(one - index), one))) if known else None

    def run_end(self, index: int) -> int:
        """The first tick from `index` on that is not remembered."""
        while index in self._newest or index in self._spread:
            index += 1
        return index

    def _thin(self) -> None:
        while self._spread_bytes > self._share and len(self._spread) > 1:
            self._every *= 2
            for index in [index for index in self._spread if index % self._every]:
                self._spread_bytes -= self._spread.pop(index)[1]

    def _packed(self, tick: Tick) -> tuple[Tick, int]:
        sizes = [OVERHEAD]

        def pack(leaf: Any) -> Any:
            packed, size = self._pack_leaf(leaf)
            sizes.append(size)
            return packed

        observations = {agent: mapped(seen, pack) for agent, seen in tick.observations.items()}
        return replace(tick, frame=pack(tick.frame), observations=observations), sum(sizes)

    def _unpacked(self, tick: Tick) -> Tick:
        observations = _Unpacking(tick.observations, lambda packed: mapped(packed, self._unpack_leaf))
        return replace(tick, frame=self._unpack_leaf(tick.frame), observations=observations)

    def _pack_leaf(self, value: Any) -> tuple[Any, int]:
        """A large array packed, another one copied, and the bytes that it takes."""
        if not isinstance(value, np.ndarray):
            return value, 0
        if value.nbytes < SMALL or value.dtype.hasobject:
            return value.copy(), value.nbytes
        # Copied: the result lies in a block as large as the worst case, whose rest the heap can hardly use again.
        data = bytes(memoryview(self._pack(np.ascontiguousarray(value).data)))
        return _Packed(data, value.shape, value.dtype), len(data)

    def _unpack_leaf(self, value: Any) -> Any:
        if isinstance(value, _Packed):
            return np.frombuffer(self._unpack(value.data), value.dtype).reshape(value.shape)
        return value
