"""Graphs that no snapshot may have are refused by name, and the reader agrees with protobuf on every byte."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from google.protobuf.message import DecodeError
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper

from agents.snapshots.graph import MAX_NODES, MAX_VALUES, GraphError, read_graph
from agents.snapshots.operators import OPERATORS
from agents.snapshots.store import BUNDLED, SnapshotError, SnapshotStore
from tests.support.tiny_policies import OBSERVATIONS, build_policy, finish_model, make_card

OBSERVATION = helper.make_tensor_value_info("observation", TensorProto.FLOAT, ["batch", 4])
SHARES = helper.make_tensor_value_info("action_probabilities", TensorProto.FLOAT, ["batch", 5])


def endless_loop() -> bytes:
    """A graph of less than 400 bytes that adds 1 to its input 2^62 times."""
    make = helper.make_tensor_value_info
    body = helper.make_graph(
        [helper.make_node("Identity", ["c"], ["d"]), helper.make_node("Add", ["v", "v"], ["w"])], "b",
        [make("i", TensorProto.INT64, []), make("c", TensorProto.BOOL, []), make("v", TensorProto.FLOAT, None)],
        [make("d", TensorProto.BOOL, []), make("w", TensorProto.FLOAT, None)],
    )  # fmt: skip
    loop = helper.make_node("Loop", ["n", "t", "observation"], ["action_probabilities"], body=body)
    weights = [numpy_helper.from_array(np.array(2**62), "n"), numpy_helper.from_array(np.array(True), "t")]
    return finish_model([loop], [OBSERVATION], [SHARES], weights)


def changed(change) -> bytes:
    model = onnx.load_from_string(build_policy())
    change(model)
    return model.SerializeToString()


def with_node(*args, **attributes) -> bytes:
    return changed(lambda model: model.graph.node.append(helper.make_node(*args, **attributes)))


def with_function(model):
    made = helper.make_function("mine", "F", ["x"], ["y"], [helper.make_node("Identity", ["x"], ["y"])], [])
    model.functions.append(made)


EMPTY = helper.make_graph([], "g", [], [])
HOSTILE = {
    "loop": (endless_loop(), "'Loop'"),
    "scan": (with_node("Scan", ["x"], ["y"], body=EMPTY, num_scan_inputs=1), "'Scan'"),
    "if": (with_node("If", ["x"], ["y"], then_branch=EMPTY, else_branch=EMPTY), "'If'"),
    "sequence": (with_node("SequenceEmpty", [], ["y"]), "'SequenceEmpty'"),
    "foreign domain": (with_node("Gelu", ["x"], ["y"], domain="com.microsoft"), "'Gelu' of 'com.microsoft'"),
    "python": (with_node("PyOp", ["x"], ["y"], domain="ai.onnx.contrib"), "'PyOp'"),
    "function": (changed(with_function), "functions"),
    "graph attribute": (with_node("Relu", ["x"], ["y"], hidden=EMPTY), "a graph in an attribute of Relu"),
    "nodes": (changed(lambda m: m.graph.node.extend([m.graph.node[0]] * MAX_NODES)), "at most 10000 nodes"),
    "sizes": (
        changed(lambda m: m.graph.output.append(helper.make_tensor_value_info("v", 1, [MAX_VALUES, 2]))),
        "at most 16777216 values",
    ),
    "name twice": (changed(lambda m: m.graph.input.append(m.graph.input[0])), "a name twice"),
    "negative size": (
        changed(lambda m: m.graph.output.append(helper.make_tensor_value_info("v", 1, [-5]))),
        "got 'v'",
    ),
    "texts": (
        with_node("Constant", [], ["c"], value=helper.make_tensor("t", TensorProto.STRING, [1], [b"x"])),
        "texts in a tensor",
    ),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_graph_is_refused_by_name(case, tmp_path):
    graph, reason = HOSTILE[case]
    with pytest.raises(SnapshotError, match="hostile: expected") as refusal:
        SnapshotStore(tmp_path).save(make_card("hostile"), graph)
    assert reason in str(refusal.value)


def test_the_endless_loop_is_small():
    assert len(endless_loop()) < 400


def test_a_card_whose_open_sizes_would_take_all_memory_is_refused(tmp_path):
    huge = make_card("huge").model_dump()
    huge["observation"]["shape"] = (2**40,)
    open_graph = changed(lambda m: m.graph.input[0].type.tensor_type.shape.dim[1].ClearField("dim_value"))
    with pytest.raises(SnapshotError, match=str(2**40)):
        SnapshotStore(tmp_path).save(type(make_card("huge")).model_validate(huge), open_graph)
    assert OBSERVATIONS.shape == (4,)


def test_all_bundled_snapshots_are_accepted(tmp_path):
    store = SnapshotStore(tmp_path, bundled=[BUNDLED])
    assert [card.name for card in store.list() if not store.is_whole(card.name)] == []


TWICE = {
    "graph": lambda data: data + data,  # protobuf would merge the two graphs
    "operator": lambda data: data.replace(b"\x22\x07Softmax", b"\x22\x02If\x22\x03Add", 1),  # and take the last word
    "unknown field": lambda data: data + b"\xfa\x01\x00",
    "wire type": lambda data: data + b"\x39" + bytes(8),
    "long number": lambda data: data + b"\x28" + b"\xff" * 9 + b"\x7f",
    "long tag": lambda data: data + b"\xa8\x80\x80\x80\x80\x80\x01\x01",
    "group": lambda data: data + b"\x0b\x0c",
}


@pytest.mark.parametrize("case", TWICE)
def test_bytes_that_readers_could_read_in_two_ways_are_refused(case):
    graph = build_policy()
    read_graph(graph)
    with pytest.raises(GraphError):
        read_graph(TWICE[case](graph))


def test_a_graph_of_millions_of_fields_is_refused_in_a_moment():
    with pytest.raises(GraphError, match="at most 250000 fields"):
        read_graph(build_policy() + b"\x72\x00" * 10**6)


@st.composite
def mutated(draw):
    """A policy with bytes changed, removed, doubled or inserted."""
    data = bytearray(build_policy(masked=draw(st.booleans())))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data) - 1))
        size = draw(st.integers(0, 12))
        new = draw(st.one_of(st.binary(max_size=6), st.just(bytes(data[at : at + size]) * 2)))
        data[at : at + size] = new
    return bytes(data)


@settings(max_examples=400, deadline=None)
@given(mutated())
def test_what_the_reader_accepts_protobuf_reads_alike(data):
    try:
        graph = read_graph(data)
    except GraphError:
        return
    try:
        model = onnx.load_from_string(data)
    except DecodeError:
        return  # refused by both: onnxruntime reads by protobuf too
    assert {node.op_type for node in model.graph.node} <= OPERATORS
    assert not model.functions
    weights = {tensor.name for tensor in model.graph.initializer}
    assert graph.inputs == ports(port for port in model.graph.input if port.name not in weights)
    assert graph.outputs == ports(model.graph.output)


def ports(values):
    return {port.name: read_graph_port(port) for port in values}


def read_graph_port(port):
    """The port by protobuf's own reading."""
    from agents.snapshots.graph import Port

    tensor = port.type.tensor_type
    try:
        dtype = np.dtype(helper.tensor_dtype_to_np_dtype(tensor.elem_type)).name if tensor.elem_type else "unknown"
    except KeyError:
        dtype = "unknown"
    known = dtype if tensor.elem_type in {*range(1, 8), *range(9, 14)} else "unknown"
    sizes = tuple(size.dim_value if size.HasField("dim_value") else None for size in tensor.shape.dim)
    return Port(port.name, known, sizes)
