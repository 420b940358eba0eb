"""Frames of named arrays and a few facts between a process and the child that runs a graph; nothing is unpickled.

A frame is two lengths (uint32, little-endian), a JSON object of the facts and of each array's name, dtype and shape,
and the arrays' bytes one after another.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from typing import IO, Any, get_args

import numpy as np
from numpy.typing import NDArray

from agents.snapshots.card import DType

MAX_HEAD = 2**16
MAX_BODY = 2**30
_LENGTHS = struct.Struct("<II")
_DTYPES = frozenset(get_args(DType))


class FrameError(Exception):
    """Bytes that are no frame."""


def write_frame(stream: IO[bytes], arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> None:
    """Write arrays of a card's dtypes, and facts that JSON holds."""
    layout = [[name, array.dtype.name, array.shape] for name, array in arrays.items()]
    head = json.dumps({"arrays": layout, "facts": facts}).encode()
    body = [np.ascontiguousarray(array).tobytes() for array in arrays.values()]
    stream.write(_LENGTHS.pack(len(head), sum(map(len, body))) + head)
    for part in body:
        stream.write(part)
    stream.flush()


def read_frame(stream: IO[bytes]) -> tuple[dict[str, NDArray[Any]], dict[str, Any]] | None:
    """The next frame's arrays and facts, None at the end of the stream; raises FrameError for anything else."""
    lengths = stream.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    head_size, body_size = _LENGTHS.unpack(lengths)
    if head_size > MAX_HEAD or body_size > MAX_BODY:
        raise FrameError(f"expected at most {MAX_HEAD} and {MAX_BODY} bytes, got {head_size} and {body_size}")
    head, body = stream.read(head_size), stream.read(body_size)
    if len(head) < head_size or len(body) < body_size:
        return None
    try:
        facts = json.loads(head)
        return _arrays(facts["arrays"], body), dict(facts["facts"])
    except (ValueError, TypeError, KeyError, RecursionError, OverflowError) as error:
        raise FrameError(f"expected arrays, got: {error}") from error


def _arrays(layout: Any, body: bytes) -> dict[str, NDArray[Any]]:
    arrays: dict[str, NDArray[Any]] = {}
    at = 0
    for name, dtype, shape in layout:
        if dtype not in _DTYPES or not all(type(size) is int and size >= 0 for size in shape) or len(shape) > 16:
            raise ValueError(f"an array of {dtype!r} {shape!r}")
        count = math.prod(shape)
        array = np.frombuffer(body, dtype, count=count, offset=at) if count else np.zeros(0, dtype)
        arrays[str(name)] = array.reshape(shape)
        at += array.nbytes
    if at != len(body):
        raise ValueError(f"{len(body)} bytes for arrays of {at}")
    return arrays
