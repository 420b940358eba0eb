"""Strict reader of protobuf messages: what it accepts, every protobuf library reads alike.

https://protobuf.dev/programming-guides/encoding gives the bytes.  Where libraries merge, skip or cut short (fields that
come twice, unknown fields, other wire types, integers that are too long), this reader refuses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from agents.snapshots.errors import GraphError

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
_SIZES = {FIXED64: 8, FIXED32: 4}
_VARINTS = re.compile(rb"(?:[\x80-\xff]{0,8}+[\x00-\x7f]|[\x80-\xff]{9}[\x00\x01])*+")

Value = int | memoryview
Message = dict[int, list[Value]]
"""The values of each field number, in order."""


class Field(NamedTuple):
    """A field of a message."""

    wire: int  # VARINT, FIXED64, BYTES or FIXED32
    repeated: bool = False
    packed: bool = False  # may also come as BYTES with many values
    is_pair: bool = False  # a message of two texts (StringStringEntryProto), which is only checked


Schema = Mapping[int, Field]

NUMBER, TEXT, FLOAT = Field(VARINT), Field(BYTES), Field(FIXED32)
TEXTS = Field(BYTES, repeated=True)
NUMBERS, FLOATS, DOUBLES = (Field(wire, repeated=True, packed=True) for wire in (VARINT, FIXED32, FIXED64))
MESSAGE, MESSAGES = TEXT, TEXTS
PAIRS = Field(BYTES, repeated=True, is_pair=True)
_PAIR: Schema = {1: TEXT, 2: TEXT}


class Budget:
    """Fields that a file may have in all: a small file could have millions, each of which costs time."""

    def __init__(self, fields: int) -> None:
        self._most = self._left = fields

    def spend(self, count: int) -> None:
        """Take `count` fields; raises GraphError where none are left."""
        self._left -= count
        if self._left < 0:
            raise GraphError(f"expected an ONNX model of at most {self._most} fields, got more")


def parse(message: memoryview, schema: Schema, *, what: str, budget: Budget) -> Message:
    """The fields of a message; raises GraphError where it is not exactly one of `schema`.  `what` is for people."""
    found: Message = {}
    at = count = 0
    while at < len(message):
        tag, at = _varint(message, at)
        number, wire = tag >> 3, tag & 7
        field = schema.get(number)
        if field is None or tag >> 32:
            raise GraphError(f"expected a known field of {what}, got number {number}")
        if wire != field.wire and not (field.packed and wire == BYTES):
            raise GraphError(f"expected field {number} of {what} with wire type {field.wire}, got {wire}")
        if number in found and not field.repeated:
            raise GraphError(f"expected field {number} of {what} once, got it twice")
        value, at = _value(message, at, wire)
        if field.packed and wire == BYTES:
            _check_packed(view(value), field.wire)
        elif field.is_pair:
            parse(view(value), _PAIR, what="metadata", budget=budget)
        found.setdefault(number, []).append(value)
        count += 1
        if not count % 1000:
            budget.spend(1000)
    budget.spend(count % 1000)
    return found


def _value(message: memoryview, at: int, wire: int) -> tuple[Value, int]:
    if wire == VARINT:
        return _varint(message, at)
    if wire == BYTES:
        size, at = _varint(message, at)
    else:
        size = _SIZES[wire]
    if size > len(message) - at:
        raise GraphError("expected a whole ONNX model, got one that is cut short or is none")
    return message[at : at + size], at + size


def _check_packed(values: memoryview, wire: int) -> None:
    """Raise GraphError where bytes are no whole number of values."""
    is_whole = bool(_VARINTS.fullmatch(values)) if wire == VARINT else len(values) % _SIZES[wire] == 0
    if not is_whole:
        raise GraphError("expected a whole ONNX model, got one that is cut short or is none")


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(message) and shift < 70:
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            if value >> 64:
                break
            return value, at
    raise GraphError("expected a whole ONNX model, got one that is cut short or is none")


def text(message: Message, number: int) -> str:
    """The text of a field, "" without one; raises GraphError for bytes that are not UTF-8."""
    return as_text(message[number][0]) if number in message else ""


def as_text(value: Value) -> str:
    """Bytes as text; raises GraphError where they are not UTF-8."""
    try:
        return bytes(view(value)).decode()
    except UnicodeDecodeError as error:
        raise GraphError("expected UTF-8 names in an ONNX model, got other bytes") from error


def view(value: Value) -> memoryview:
    """The bytes of a field that `parse` has found to be BYTES."""
    assert isinstance(value, memoryview)
    return value


def signed(message: Message, number: int, *, bits: int = 64) -> int | None:
    """The signed integer of a field, None without one; raises GraphError where it needs more than `bits`."""
    if number not in message:
        return None
    value = message[number][0]
    assert isinstance(value, int)
    value -= (value >> 63) << 64
    if not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise GraphError(f"expected an integer of {bits} bits, got: {value}")
    return value
