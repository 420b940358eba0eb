"""Contents of an ONNX file, read and limited without an ONNX library.

So a store can refuse a bad file without importing onnxruntime, and before any library acts on its contents.
https://github.com/onnx/onnx/blob/main/onnx/onnx.proto gives the field numbers used here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from agents.snapshots.errors import GraphError
from agents.snapshots.operators import DOMAINS, OPERATORS
from agents.snapshots.protobuf import (
    DOUBLES,
    FLOAT,
    FLOATS,
    MESSAGE,
    MESSAGES,
    NUMBER,
    NUMBERS,
    PAIRS,
    TEXT,
    TEXTS,
    Budget,
    Message,
    Schema,
    Value,
    parse,
    signed,
    text,
    view,
)

__all__ = ["Graph", "GraphError", "Port", "read_graph"]

MAX_FIELDS = 250_000
MAX_NODES = 10_000
MAX_INITIALIZERS = 10_000
MAX_PORTS = 64
"""Of inputs, and of outputs."""

MAX_VALUES = 2**24
"""Of one row of all inputs, and of all outputs: 64 MiB of float32."""

MAX_AXES = 10

_DTYPES = {
    1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 9: "bool",
    10: "float16", 11: "float64", 12: "uint32", 13: "uint64",
}  # fmt: skip

_MODEL: Schema = {
    1: NUMBER, 2: TEXT, 3: TEXT, 4: TEXT, 5: NUMBER, 6: TEXT, 7: MESSAGE, 8: MESSAGES, 14: PAIRS, 20: MESSAGES,
    25: MESSAGES,
}  # fmt: skip
_OPSET: Schema = {1: TEXT, 2: NUMBER}
_GRAPH: Schema = {
    1: MESSAGES, 2: TEXT, 5: MESSAGES, 10: TEXT, 11: MESSAGES, 12: MESSAGES, 13: MESSAGES, 14: MESSAGES, 15: MESSAGES,
    16: PAIRS,
}  # fmt: skip
_NODE: Schema = {1: TEXTS, 2: TEXTS, 3: TEXT, 4: TEXT, 5: MESSAGES, 6: TEXT, 7: TEXT, 8: TEXT, 9: PAIRS}
_ATTRIBUTE: Schema = {
    1: TEXT, 2: FLOAT, 3: NUMBER, 4: TEXT, 5: MESSAGE, 6: MESSAGE, 7: FLOATS, 8: NUMBERS, 9: TEXTS, 10: MESSAGES,
    11: MESSAGES, 13: TEXT, 14: MESSAGE, 15: MESSAGES, 20: NUMBER, 21: TEXT, 22: MESSAGE, 23: MESSAGES,
}  # fmt: skip
_TENSOR: Schema = {
    1: NUMBERS, 2: NUMBER, 3: MESSAGE, 4: FLOATS, 5: NUMBERS, 6: TEXTS, 7: NUMBERS, 8: TEXT, 9: TEXT, 10: DOUBLES,
    11: NUMBERS, 12: TEXT, 13: MESSAGES, 14: NUMBER, 16: PAIRS,
}  # fmt: skip
_PORT: Schema = {1: TEXT, 2: MESSAGE, 3: TEXT, 4: PAIRS}
_TYPE: Schema = {1: MESSAGE, 6: TEXT}
_TENSOR_TYPE: Schema = {1: NUMBER, 2: MESSAGE}
_SHAPE: Schema = {1: MESSAGES}
_SIZE: Schema = {1: NUMBER, 2: TEXT, 3: TEXT}


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


def read_graph(model: bytes) -> Graph:
    """Read a model's ports; raises GraphError, naming what it is, for anything that a snapshot may not have."""
    return _Reader().read(model)


class _Reader:
    """Reads one model."""

    def __init__(self) -> None:
        self._budget = Budget(MAX_FIELDS)

    def read(self, model: bytes) -> Graph:
        whole = self._parse(memoryview(model), _MODEL, "the model")
        if 7 not in whole:
            raise GraphError("expected an ONNX model with one graph, got none")
        _refuse(whole, {20: "training", 25: "functions"}, "the model")
        for opset in whole.get(8, ()):
            self._parse(view(opset), _OPSET, "an operator set")
        graph = self._parse(view(whole[7][0]), _GRAPH, "the graph")
        _refuse(graph, {14: "quantization annotations", 15: "sparse weights"}, "the graph")
        self._each(graph, 1, self._check_node, "nodes", MAX_NODES)
        weights = set(self._each(graph, 5, self._check_tensor, "initializers", MAX_INITIALIZERS))
        inputs = self._ports(graph, 11, "inputs", apart=weights)
        outputs = self._ports(graph, 12, "outputs")
        for value in graph.get(13, ()):
            self._port(view(value))
        for ports in (inputs, outputs):
            _check_sizes(ports)
        return Graph(inputs, outputs)

    def _parse(self, message: memoryview, schema: Schema, what: str) -> Message:
        return parse(message, schema, what=what, budget=self._budget)

    def _each(self, graph: Message, number: int, read: Callable[[Value], str], what: str, most: int) -> list[str]:
        values: Sequence[Value] = graph.get(number, ())
        if len(values) > most:
            raise GraphError(f"expected at most {most} {what}, got {len(values)}")
        return [read(value) for value in values]

    def _check_node(self, value: Value) -> str:
        node = self._parse(view(value), _NODE, "a node")
        operator, domain = text(node, 4), text(node, 7)
        if domain not in DOMAINS:
            raise GraphError(f"expected operators of ONNX itself, got: {_short(operator)} of {_short(domain)}")
        if operator not in OPERATORS or 8 in node:
            raise GraphError(
                f"expected only operators that a policy needs, got: {_short(operator)}; loops, branches, sequences and "
                "texts are refused, see agents/snapshots/operators.py"
            )
        for attribute in node.get(5, ()):
            self._check_attribute(view(attribute), operator)
        return operator

    def _check_attribute(self, value: memoryview, operator: str) -> None:
        attribute = self._parse(value, _ATTRIBUTE, "an attribute")
        kinds = {
            6: "a graph", 11: "graphs", 14: "a type", 15: "types", 21: "a reference", 22: "sparse weights",
            23: "sparse weights",
        }  # fmt: skip
        _refuse(attribute, kinds, f"an attribute of {operator}")
        for tensor in (*attribute.get(5, ()), *attribute.get(10, ())):
            self._check_tensor(tensor)

    def _check_tensor(self, value: Value) -> str:
        """Its name."""
        tensor = self._parse(view(value), _TENSOR, "a tensor")
        if 13 in tensor or signed(tensor, 14, bits=32):
            raise GraphError("expected all weights inside policy.onnx, got weights in another file")
        _refuse(tensor, {3: "a segment", 6: "texts"}, "a tensor")
        return text(tensor, 8)

    def _ports(self, graph: Message, number: int, what: str, *, apart: Collection[str] = ()) -> dict[str, Port]:
        read = [self._port(view(value)) for value in graph.get(number, ())[: MAX_INITIALIZERS + MAX_PORTS]]
        ports = {port.name: port for port in read}
        if len(ports) < len(read):
            raise GraphError(f"expected {what} of different names, got a name twice")
        ports = {name: port for name, port in ports.items() if name not in apart}
        if len(ports) > MAX_PORTS:
            raise GraphError(f"expected at most {MAX_PORTS} {what}, got {len(ports)}")
        return ports

    def _port(self, value: memoryview) -> Port:
        port = self._parse(value, _PORT, "a port")
        kind = self._inner(port, 2, _TYPE, "a port")
        tensor = self._inner(kind, 1, _TENSOR_TYPE, "a type")
        shape = self._inner(tensor, 2, _SHAPE, "a tensor's type")
        sizes = tuple(self._size(view(size)) for size in shape.get(1, ()))
        return Port(text(port, 1), _DTYPES.get(signed(tensor, 1, bits=32) or 0, "unknown"), sizes)

    def _size(self, value: memoryview) -> int | None:
        size = self._parse(value, _SIZE, "a size")
        if 1 in size and 2 in size:
            raise GraphError("expected a size as a number or a name, got both")
        return signed(size, 1)

    def _inner(self, message: Message, number: int, schema: Schema, what: str) -> Message:
        return self._parse(view(message[number][0]), schema, what) if number in message else {}


def _check_sizes(ports: dict[str, Port]) -> None:
    total = 0
    for port in ports.values():
        sizes = [size for size in port.shape if size is not None]
        total += math.prod(sizes)
        if any(size < 0 for size in sizes) or total > MAX_VALUES or len(sizes) > MAX_AXES:
            raise GraphError(f"expected at most {MAX_VALUES} values a row, got {_short(port.name)} of {port.shape}")


def _refuse(message: Message, kinds: dict[int, str], what: str) -> None:
    for number, kind in kinds.items():
        if number in message:
            raise GraphError(f"expected no {kind} in {what}, got some")


def _short(name: str) -> str:
    return repr(name if len(name) <= 60 else name[:57] + "...")
