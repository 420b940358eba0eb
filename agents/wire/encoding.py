"""Encodes values as msgpack and decodes them, with arrays as an extension type and limits on every size.

No object arrays and no pickle: nothing that is read here can run code.
"""

from __future__ import annotations

import functools
import math
import struct
from typing import Any

import msgpack
import msgspec
import numpy as np
from numpy.typing import NDArray

from agents.wire.limits import (
    MAX_ARRAY_BYTES,
    MAX_DIMS,
    MAX_LIST,
    MAX_MAP,
    MAX_MESSAGE_BYTES,
    MAX_PARTS,
    MAX_STRING_BYTES,
)

ARRAY_TYPE = 1  # msgpack extension type

DTYPES = (
    "bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
    "float16", "float32", "float64",
)  # fmt: skip
"""An array's dtype byte is the index here."""

_FROM_CODE = tuple(np.dtype(name).newbyteorder("<") for name in DTYPES)
_TO_CODE = {np.dtype(name).newbyteorder("<").str: code for code, name in enumerate(DTYPES)}
_CACHED = 256  # headers: a match uses a handful


class WireError(ValueError):
    """Bytes that are no value, or one beyond a limit."""


def pack(value: Any) -> bytes:
    """msgpack bytes of numbers, text, bytes, lists, maps and arrays; raises WireError for anything else."""
    try:
        return _ENCODER.encode(value)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise WireError(f"expected values that msgpack holds, got: {error}") from error


def unpack(data: bytes | msgspec.Raw) -> Any:
    """The value of `data`, arrays read-only; raises WireError for anything but one whole value in bounds.

    By msgpack, which has limits; msgspec decodes values of any type without them.
    """
    if len(data) > MAX_MESSAGE_BYTES:
        raise WireError(f"expected at most {MAX_MESSAGE_BYTES} bytes, got {len(data)}")
    try:
        return msgpack.unpackb(
            data,
            ext_hook=read_array,
            **(_counting() if len(data) > MAX_PARTS else {}),  # fewer bytes hold no more parts
            strict_map_key=True,
            max_str_len=MAX_STRING_BYTES,
            max_bin_len=MAX_MESSAGE_BYTES,
            max_ext_len=MAX_MESSAGE_BYTES,
            max_array_len=MAX_LIST,
            max_map_len=MAX_MAP,
        )
    except WireError:
        raise
    except (ValueError, TypeError, RecursionError, msgpack.UnpackException) as error:
        raise WireError(f"expected one msgpack value, got: {error or type(error).__name__}") from error


def _counting() -> dict[str, Any]:
    """Hooks that raise WireError for more than MAX_PARTS lists and maps."""
    count = 0

    def hook(part: Any) -> Any:
        nonlocal count
        count += 1
        if count > MAX_PARTS:
            raise WireError(f"expected at most {MAX_PARTS} lists and maps in a value, got more")
        return part

    return {"list_hook": hook, "object_hook": hook}


def _extend(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        header = _header(value.dtype.str, value.shape)
        little = value.astype(value.dtype.newbyteorder("<")) if value.dtype.byteorder == ">" else value
        return msgspec.msgpack.Ext(ARRAY_TYPE, header + little.tobytes())
    if isinstance(value, (np.bool_, np.integer, np.floating)):
        return value.item()
    raise TypeError(f"a {type(value).__name__}")


_ENCODER = msgspec.msgpack.Encoder(enc_hook=_extend)


@functools.lru_cache(_CACHED)
def _header(dtype: str, shape: tuple[int, ...]) -> bytes:
    """dtype byte, number of axes, two zero bytes, the sizes as uint32, zeros up to a multiple of 8."""
    code = _TO_CODE.get(np.dtype(dtype).newbyteorder("<").str)
    if code is None or len(shape) > MAX_DIMS:
        raise TypeError(f"an array of {dtype} with {len(shape)} axes")
    header = struct.pack(f"<BBxx{len(shape)}I", code, len(shape), *shape)
    return header + bytes(-len(header) % 8)


def read_array(kind: int, data: Any) -> NDArray[Any]:
    """The array of an extension; raises WireError for any other bytes."""
    if kind != ARRAY_TYPE:
        raise WireError(f"expected the extension type {ARRAY_TYPE}, got: {kind}")
    start = (4 + 4 * data[1] + 7) & ~7 if len(data) > 1 else 0
    dtype, shape, size = _layout(data[:start])
    if len(data) - start != size:
        raise WireError(f"expected {size} bytes for an array {dtype} {shape}, got {len(data) - start}")
    if dtype.kind == "b":  # any byte may come, and numpy takes only 0 and 1
        return np.ndarray(shape, np.uint8, data, start).astype(np.bool_)
    return np.ndarray(shape, dtype, data, start)


@functools.lru_cache(_CACHED)
def _layout(header: bytes) -> tuple[np.dtype[Any], tuple[int, ...], int]:
    if len(header) < 8 or header[0] >= len(DTYPES) or header[1] > MAX_DIMS:
        raise WireError(f"expected an array's dtype, axes (at most {MAX_DIMS}) and sizes, got: {header[:4]!r}")
    dtype, axes = _FROM_CODE[header[0]], header[1]
    if len(header) < 4 + 4 * axes:
        raise WireError(f"expected {axes} sizes in an array's header, got {len(header)} bytes")
    shape = struct.unpack_from(f"<{axes}I", header, 4)
    if dtype.itemsize * math.prod(size or 1 for size in shape) > MAX_ARRAY_BYTES:
        raise WireError(f"expected an array of at most {MAX_ARRAY_BYTES} bytes, got: {dtype} {shape}")
    return dtype, shape, dtype.itemsize * math.prod(shape)
