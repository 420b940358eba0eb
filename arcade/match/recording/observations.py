"""Packs observations into the bytes of a record and back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.seats.controller import AgentID

_KINDS = "biufcSU"
_DTYPE = re.compile(rf"[<>|=][{_KINDS}][0-9]{{1,5}}")

Shape = tuple[Any, ...]
"""The layout of one value in the bytes of a tick.

("array", dtype, size, …), ("number", dtype), ("dict", key, Shape, key, Shape, …), ("tuple", Shape, …),
("list", Shape, …), or ("value",): not in the bytes, but the next of the values beside them.
"""


class Part(NamedTuple):
    """One observation in a record."""

    shape: Shape
    data: bytes
    values: Sequence[Any]


def pack_part(value: Any) -> Part:
    """The bytes of an observation."""
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
    """The observations of a record, arrays read-only; raises ValueError where they don't match the layout."""
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
    """Reads one value after another from an observation's bytes."""

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
