"""How a replay lies on disk: version 2.

A replay is one append-only file.  It begins with the line ``PettingZoo Arcade replay 2``; then comes one Zstandard
frame (RFC 8878) that is flushed twice a second at least, and in it records in the layout of `agents.records`, each a
list:

    ["head", {...}]        game, kwargs, agents, seed, lineup, settings, versions, created
    ["source", {...}]      who decides in a seat from a tick on, a Source; it replaces an earlier one of that tick
    ["layout", [[agent, shape], ...]]   how the observations of ticks that name it lie in their bytes; they count from 0
    ["tick", index, time, digest, acting, actions, rewards, masks, ends, sent, seen]
                           index 0 is the reset; time: since the tick recorded before, or since play stood again
                           where it went back to, in tenths of a millisecond;
                           digest: `tick_digest`; acting: None where it is as at the tick before; actions: what was
                           really done since then; rewards: those that are not 0; masks: those that there are; ends:
                           "terminated" or "truncated"; sent: what seats had sent where rules had them do otherwise;
                           seen: None, or [layout, bytes of each observation or the place of an equal one,
                           values]; all from actions to sent are lists of [agent, value]
    ["seat", {...}]        a seat changed hands: the SeatChange as JSON
    ["rewind", index]      play went back to that tick and on from there: what was recorded after it is void
    ["end", {...}]         the MatchResult as JSON; missing where the arcade was killed

A file cut off anywhere reads up to its last whole record that was flushed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.seats.controller import AgentID
from arcade.match.recording.buffers import Buffers

VERSION = 2
SUFFIX = ".replay"
FAMILY = b"PettingZoo Arcade replay "
MAGIC = FAMILY + b"%d\n" % VERSION
TIME_UNIT = 1e-4
"""Seconds of one count of a tick's time."""

MAX_TICKS = 2**21
"""Ten hours at 60 a second: a recording ends there, and no reader takes more."""

_KINDS = "biufcSU"
_DTYPE = re.compile(rf"[<>|=][{_KINDS}][0-9]{{1,5}}")

Shape = tuple[Any, ...]
"""How one value lies in the bytes of a tick.

("array", dtype, size, …), ("number", dtype), ("dict", key, Shape, key, Shape, …), ("tuple", Shape, …),
("list", Shape, …), or ("value",): not in the bytes, but the next of the values beside them.
"""


class Part(NamedTuple):
    """One observation as it lies in a record."""

    shape: Shape
    data: bytes | bytearray
    values: Sequence[Any]


def copied(value: Any) -> Any:
    """An action that nobody else can change any more."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, dict):
        return {key: copied(part) for key, part in value.items()}
    return tuple(map(copied, value)) if isinstance(value, tuple | list) else value


def pack_part(value: Any, buffers: Buffers) -> Part:
    """The bytes of an observation."""
    if type(value) is np.ndarray and value.dtype.kind in _KINDS:
        return Part(("array", value.dtype.str, *value.shape), buffers.copy(value), ())
    parts: list[bytes] = []
    values: list[Any] = []
    shape = _lay(value, parts, values)
    return Part(shape, b"".join(parts), values)


def _lay(value: Any, parts: list[bytes], values: list[Any]) -> Shape:
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind in _KINDS:
        parts.append(value.tobytes())
        return ("array" if isinstance(value, np.ndarray) else "number", value.dtype.str, *value.shape)
    if isinstance(value, dict):
        return ("dict", *(each for key, part in value.items() for each in (key, _lay(part, parts, values))))
    if isinstance(value, tuple | list):
        return ("tuple" if isinstance(value, tuple) else "list", *(_lay(part, parts, values) for part in value))
    values.append(value)
    return ("value",)


def unpack_seen(layout: Iterable[tuple[AgentID, Shape]], parts: list[Any], values: Iterable[Any]) -> dict[AgentID, Any]:
    """The observations of a record, arrays read-only; raises ValueError where they do not lie as the layout says."""
    rest, seen = iter(values), {}
    for (agent, shape), part in zip(layout, parts, strict=True):
        data = parts[part] if isinstance(part, int) and 0 <= part < len(parts) else part
        if not isinstance(data, bytes):
            raise ValueError(f"expected the bytes of an observation, got: {part!r:.40}")
        reader = _SeenReader(data, rest)
        seen[agent] = reader.take(shape)
        if reader.at != len(data):
            raise ValueError(f"expected {reader.at} bytes of an observation, got: {len(data)}")
    return seen


class _SeenReader:
    """Takes one value after another out of an observation's bytes."""

    def __init__(self, data: bytes, values: Iterator[Any]) -> None:
        self.at = 0
        self._data, self._values = data, values

    def take(self, shape: Iterable[Any]) -> Any:
        match tuple(shape):
            case ("array", str() as dtype, *sizes):
                return self._array(dtype, sizes)
            case ("number", str() as dtype):
                return self._array(dtype, [])[()]
            case ("dict", *pairs) if len(pairs) % 2 == 0:
                return {key: self.take(part) for key, part in zip(pairs[::2], pairs[1::2], strict=True)}
            case ("tuple", *parts):
                return tuple(map(self.take, parts))
            case ("list", *parts):
                return list(map(self.take, parts))
            case ("value",):
                return self._value()
        raise ValueError(f"expected the layout of an observation, got: {shape!r:.80}")

    def _value(self) -> Any:
        for value in self._values:
            return value
        raise ValueError("expected one more value beside the observations, got none")

    def _array(self, word: str, sizes: list[Any]) -> NDArray[Any]:
        if not _DTYPE.fullmatch(word) or not all(type(size) is int and size >= 0 for size in sizes):
            raise ValueError(f"expected an array's dtype and sizes, got: {word!r:.40} {sizes!r:.80}")
        array: NDArray[Any] = np.ndarray(tuple(sizes), word, self._data, self.at)
        self.at += array.nbytes
        return array
