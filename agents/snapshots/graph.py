"""Inputs and outputs of an ONNX file, read without an ONNX library; finds weights in other files.

ONNX is protobuf: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto gives the field numbers used here,
and https://protobuf.dev/programming-guides/encoding the bytes.  So a store can refuse a bad file without
importing onnxruntime, and before any library acts on its contents.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

_DTYPES = {
    1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 9: "bool",
    10: "float16", 11: "float64", 12: "uint32", 13: "uint64",
}  # fmt: skip
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_EXTERNAL = 1  # TensorProto.DataLocation
_MAX_DEPTH = 64  # of messages inside messages: a graph inside a graph is three deep
_INNER = {
    "model": {7: "graph", 25: "function"},
    "graph": {1: "node", 5: "tensor", 15: "sparse"},
    "function": {7: "node"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse", 23: "sparse"},
    "sparse": {1: "tensor", 2: "tensor"},
}  # fmt: skip
"""By kind of message: the fields that may hold tensors, and their kinds."""


class GraphError(ValueError):
    """A file that is not an ONNX model, or has contents that a snapshot may not have."""


@dataclass(frozen=True, slots=True)
class Port:
    """An input or output of the graph."""

    name: str
    dtype: str  # numpy's name
    shape: tuple[int | None, ...]  # None where the graph leaves it open, as the batch


@dataclass(frozen=True, slots=True)
class Graph:
    """The inputs and outputs by name."""

    inputs: dict[str, Port]
    outputs: dict[str, Port]


Value = int | memoryview


def read_graph(model: bytes) -> Graph:
    """Read a model's ports; raises GraphError for broken bytes and for weights kept in other files."""
    view = memoryview(model)
    graphs = [value for number, value in _fields(view) if number == 7]
    if len(graphs) != 1:
        raise GraphError(f"expected an ONNX model with one graph, got {len(graphs)}")
    _refuse_external("model", view)
    weights = {_text(inner, 8) for number, inner in _fields(graphs[0]) if number == 5}
    inputs = {name: port for name, port in _ports(graphs[0], 11).items() if name not in weights}
    return Graph(inputs, _ports(graphs[0], 12))


def _ports(graph: Value, field: int) -> dict[str, Port]:
    ports = (_port(value) for number, value in _fields(graph) if number == field)
    return {port.name: port for port in ports}


def _port(value: Value) -> Port:
    tensor = _first(_first(value, 2), 1)  # ValueInfoProto.type, TypeProto.tensor_type
    dtype = _first(tensor, 1)
    sizes = tuple(_size(dim) for at, dim in _fields(_first(tensor, 2)) if at == 1)
    return Port(_text(value, 1), _DTYPES.get(dtype if isinstance(dtype, int) else 0, "unknown"), sizes)


def _size(dim: Value) -> int | None:
    value = _first(dim, 1)
    return value if isinstance(value, int) else None


def _first(message: Value, field: int) -> Value:
    return next((value for number, value in _fields(message) if number == field), memoryview(b""))


def _refuse_external(kind: str, message: Value, depth: int = 0) -> None:
    """Raise GraphError for a tensor with its values in another file, anywhere inside a message of that kind."""
    if depth > _MAX_DEPTH:
        raise GraphError(f"expected at most {_MAX_DEPTH} messages inside each other, got more")
    inner = _INNER.get(kind, {})
    for number, value in _fields(message):
        if number in inner:
            _refuse_external(inner[number], value, depth + 1)
        elif kind == "tensor" and (number == 13 or (number == 14 and value == _EXTERNAL)):
            raise GraphError("expected all weights inside policy.onnx, got weights in another file")


def _text(message: Value, field: int) -> str:
    for number, value in _fields(message):
        if number == field and isinstance(value, memoryview):
            try:
                return str(value, "utf-8")
            except UnicodeDecodeError as error:
                raise GraphError("expected UTF-8 names in an ONNX model, got other bytes") from error
    return ""


def _fields(message: Value) -> Iterator[tuple[int, Value]]:
    """Each field's number and value: an int, or the bytes of a string, a message or a packed list."""
    if not isinstance(message, memoryview):
        raise GraphError(f"expected a message inside an ONNX model, got the number {message}")
    at, end = 0, len(message)
    while at < end:
        tag, at = _varint(message, at)
        kind = tag & 7
        if kind == _VARINT:
            value, at = _varint(message, at)
            yield tag >> 3, value
            continue
        if kind == _BYTES:
            size, at = _varint(message, at)
        else:
            size = {_FIXED64: 8, _FIXED32: 4}.get(kind, end + 1)
        if size > end - at:
            raise GraphError("expected a whole ONNX model, got one that is cut short or is none")
        yield tag >> 3, message[at : at + size]
        at += size


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(message) and shift < 70:
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
    raise GraphError("expected a whole ONNX model, got one that is cut short or is none")
