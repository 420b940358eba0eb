"""Graphs and cards of snapshots; where the onnx library is installed, its reading of an accepted graph must be ours."""

from __future__ import annotations

import importlib.util
from contextlib import suppress
from typing import Any

from pydantic import ValidationError

from agents.snapshots.card import ActionSignature, ObservationSignature, SnapshotCard
from agents.snapshots.graph import Graph, GraphError, Port, read_graph
from agents.snapshots.snapshot import check_graph
from tests.fuzz.parser import Parser

_HAS_ONNX = importlib.util.find_spec("onnx") is not None


def read(data: bytes) -> None:
    """Read a card where it begins as JSON, else a graph."""
    if data[:1] == b"{":
        _check(SnapshotCard.model_validate_json(data), _GRAPH)
        return
    graph = read_graph(data)
    if _HAS_ONNX:
        _compare(data, graph)
    for card in (_CARD, _CARD.model_copy(update={"masked": True})):
        _check(card, graph)


def _check(card: SnapshotCard, graph: Graph) -> None:
    with suppress(GraphError):
        check_graph(card, graph)


def _compare(data: bytes, graph: Graph) -> None:
    """Raise AssertionError where protobuf reads other ports than we did."""
    import onnx

    whole = onnx.ModelProto.FromString(data).graph  # raises DecodeError for what is no protobuf: a finding
    weights = {tensor.name for tensor in whole.initializer}
    for ports, ours in ((whole.input, graph.inputs), (whole.output, graph.outputs)):
        names = [port.name for port in ports if ports is whole.output or port.name not in weights]
        assert names == list(ours), f"protobuf has the ports {names}, we have {list(ours)}"
        for port in ports:
            if port.name in ours:
                _compare_sizes(port, ours[port.name].shape)


def _compare_sizes(port: Any, shape: tuple[int | None, ...]) -> None:
    sizes = port.type.tensor_type.shape.dim
    theirs = tuple(size.dim_value if size.HasField("dim_value") else None for size in sizes)
    assert theirs == shape, f"protobuf has {theirs}, we have {shape}"


def make_seeds() -> dict[str, bytes]:
    """Graphs of two kinds of policies, and their card."""
    from tests.support.tiny_policies import build_policy, counter_model, make_card

    box = {"kind": "box", "shape": (2,), "dtype": "float32", "low": (-1.0, -1.0), "high": (1.0, float("inf"))}
    return {
        "policy": build_policy(),
        "unmasked": build_policy(masked=False),
        "recurrent": counter_model(),
        "card": make_card("first").model_dump_json(exclude_none=True).encode(),
        "card-box": make_card("first", action=box).model_dump_json(exclude_none=True).encode(),
    }


_CARD = SnapshotCard(
    name="first",
    game="test/game",
    observation=ObservationSignature(shape=(4,), dtype="float32"),
    action=ActionSignature(kind="discrete", n=5),
)
_GRAPH = Graph(
    {"observation": Port("observation", "float32", (None, 4)), "action_mask": Port("action_mask", "int8", (None, 5))},
    {"action_probabilities": Port("action_probabilities", "float32", (None, 5))},
)

PARSER = Parser(
    "graphs",
    read,
    (GraphError, ValidationError),
    make_seeds,
    (
        b"\x0a\x00", b"\x12\x00", b"\x2a\x00", b"\x5a\x00", b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        b"\x80\x80\x00",
        b"observation", b"action_mask", b"action_probabilities", b"state_in_", b"state_out_", b"Loop", b"If", b"Gemm",
        b"ai.onnx", b"\x08\x01", b"\x70\x01", b'"shape":[', b'"discrete"', b'"box"', b'"multi_discrete"', b'"nvec":[',
        b'"multi_binary"', b"1e999", b"9" * 400, b"NaN", b'"Infinity"', b"[" * 200, b"null", b"-1", b"\\ud800",
    ),
)  # fmt: skip
