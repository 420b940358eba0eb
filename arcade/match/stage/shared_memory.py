"""Memory that a stage and its child share: slots for each seat's observation and mask, and two for the frame.

It is an anonymous file whose descriptor the child inherits, so it has no name, and the kernel frees it with the last
process that holds it: however either side dies, nothing is left behind.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from agents.seats.controller import AgentID
from arcade.match.stage.tick import Frame

_PAGE = mmap.ALLOCATIONGRANULARITY

Key = tuple[str, AgentID]
"""``("observation", agent)`` or ``("mask", agent)``."""

Slot = tuple[int, tuple[int, ...], str]
"""Byte offset, shape, dtype string of one array in the shared memory."""


def seat_slots(seats: Mapping[AgentID, tuple[Any, Any]]) -> tuple[dict[Key, Slot], int]:
    """Slots for the observations that are one array of a fixed shape and for masks, and the bytes that they take."""
    slots: dict[Key, Slot] = {}
    offset = 0
    for agent, (space, action_space) in seats.items():
        arrays: list[tuple[str, tuple[int, ...], np.dtype[Any]]] = []
        if isinstance(space, spaces.Box | spaces.MultiBinary | spaces.MultiDiscrete):
            arrays.append(("observation", tuple(int(n) for n in space.shape or ()), np.dtype(space.dtype)))
        if isinstance(action_space, spaces.Discrete):
            arrays.append(("mask", (int(action_space.n),), np.dtype(np.int8)))
        for kind, shape, dtype in arrays:
            slots[kind, agent] = (offset, shape, dtype.str)
            offset += -(-int(np.prod(shape)) * dtype.itemsize // 64) * 64
    return slots, offset


class SharedArrays:
    """The mapped memory: observations and masks first, then two frame slots that take turns.

    A frame read from it stays as it is until the second step after its own: the child draws into the other slot.
    """

    def __init__(self, descriptor: int, slots: Mapping[Key, Slot], slot_bytes: int) -> None:
        self._descriptor, self._slots = descriptor, slots
        self.drawn = 0  # pictures written so far
        self._frames_at = -(-slot_bytes // _PAGE) * _PAGE
        self._memory: mmap.mmap | None = None
        self._views: dict[Key, NDArray[Any]] = {}
        self._frame_views: dict[tuple[int, tuple[int, ...]], Frame] = {}
        self._map(max(self._frames_at, _PAGE))

    def write(self, key: Key, value: Any) -> bool:
        """Copy an array in; False where it does not fit its slot (another shape or dtype than the space's)."""
        view = self._views.get(key)
        if view is None:
            return False
        array = np.asarray(value)
        if array.shape != view.shape or array.dtype != view.dtype:
            return False
        view[...] = array
        return True

    def read(self, key: Key) -> NDArray[Any]:
        """A copy of what was written last."""
        return self._views[key].copy()

    def write_frame(self, frame: Frame) -> int:
        """Copy a picture in, making room where it is larger than any before; returns its number."""
        self.drawn += 1
        self._frame_view(self.drawn, frame.shape)[...] = frame
        return self.drawn

    def read_frame(self, index: int, shape: Sequence[int]) -> Frame:
        """A view of the picture with that number, read-only by agreement."""
        return self._frame_view(index, tuple(shape))

    def close(self) -> None:
        self._views.clear()
        self._frame_views.clear()
        self._memory = None  # unmapped when the last view of it is gone, wherever that is held

    def _frame_view(self, index: int, shape: tuple[int, ...]) -> Frame:
        key = (index % 2, shape)
        if key not in self._frame_views:
            room = -(-int(np.prod(shape)) // _PAGE) * _PAGE
            self._map(self._frames_at + 2 * room)
            view = np.ndarray(shape, np.uint8, self._memory, self._frames_at + (index % 2) * room)
            self._frame_views[key] = view
        return self._frame_views[key]

    def _map(self, size: int) -> None:
        if self._memory is not None and len(self._memory) >= size:
            return
        if os.fstat(self._descriptor).st_size < size:
            os.ftruncate(self._descriptor, size)
        memory = self._memory = mmap.mmap(self._descriptor, size)
        self._frame_views.clear()
        self._views = {
            key: np.ndarray(shape, dtype, memory, offset) for key, (offset, shape, dtype) in self._slots.items()
        }
