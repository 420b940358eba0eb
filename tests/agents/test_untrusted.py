"""Snapshots from elsewhere run in a child with limits on memory and time until somebody trusts them."""

from __future__ import annotations

import contextlib
import gc
import io
import json
import struct
import time

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper
from typer.testing import CliRunner

from agents.policies.adapters import wait_for
from agents.policies.snapshot import SnapshotBatch
from agents.policies.snapshot_controller import SnapshotController
from agents.seats.controller import ControllerError, Turn
from agents.snapshots import sessions
from agents.snapshots.array_frames import FrameError, read_frame, write_frame
from agents.snapshots.onnx_policy import OnnxPolicy, check_outputs
from agents.snapshots.sessions import ChildSession, LocalSession, SessionError
from agents.snapshots.snapshot import make_snapshot
from agents.snapshots.store import BUNDLED, SnapshotError, SnapshotStore, open_store
from agents.snapshots.trust import is_trusted, trust
from arcade.commands.cli import app
from tests.support.processes import is_alive
from tests.support.tiny_policies import build_policy, finish_model, make_card

DEADLINE = 60.0
OBSERVATION = helper.make_tensor_value_info("observation", TensorProto.FLOAT, ["batch", 4])
SHARES = helper.make_tensor_value_info("action_probabilities", TensorProto.FLOAT, ["batch", 5])


def stranger(graph: bytes):
    """A snapshot as it comes from somebody else."""
    return make_snapshot(make_card("stranger", masked=False), graph)


def policy_of(nodes, weights) -> bytes:
    return finish_model(nodes, [OBSERVATION], [SHARES], weights)


def hungry() -> bytes:
    """Takes 2 GiB, more than a child may, as soon as its first observation is not zero."""
    nodes = [
        helper.make_node("ReduceMax", ["observation"], ["top"], keepdims=0),
        helper.make_node("Cast", ["top"], ["count"], to=TensorProto.INT64),
        helper.make_node("Reshape", ["count", "one"], ["rows"]),
        helper.make_node("Mul", ["rows", "much"], ["size"]),
        helper.make_node("ConstantOfShape", ["size"], ["room"]),
        helper.make_node("ReduceSum", ["room"], ["sum"], keepdims=0),
        helper.make_node("MatMul", ["observation", "w"], ["logits"]),
        helper.make_node("Add", ["logits", "sum"], ["more"]),
        helper.make_node("Softmax", ["more"], ["action_probabilities"], axis=1),
    ]
    weights = [
        numpy_helper.from_array(np.array([1]), "one"),
        numpy_helper.from_array(np.array([2**29]), "much"),
        numpy_helper.from_array(np.zeros((4, 5), np.float32), "w"),
    ]
    return policy_of(nodes, weights)


def slow(count: int = 4000, size: int = 700) -> bytes:
    """Many multiplications of large matrices, one after another: minutes."""
    nodes = [helper.make_node("ReduceMax", ["observation"], ["top"], keepdims=0)]
    nodes.append(helper.make_node("Add", ["m", "top"], ["p0"]))
    nodes += [helper.make_node("MatMul", [f"p{i}", "m"], [f"p{i + 1}"]) for i in range(count)]
    nodes += [
        helper.make_node("ReduceMax", [f"p{count}"], ["end"], keepdims=0),
        helper.make_node("MatMul", ["observation", "w"], ["logits"]),
        helper.make_node("Add", ["logits", "end"], ["more"]),
        helper.make_node("Softmax", ["more"], ["action_probabilities"], axis=1),
    ]
    weights = [
        numpy_helper.from_array(np.eye(size, dtype=np.float32), "m"),
        numpy_helper.from_array(np.zeros((4, 5), np.float32), "w"),
    ]
    return policy_of(nodes, weights)


def child_of(policy) -> int:
    assert isinstance(policy._session, ChildSession)
    return policy._session.pid


def wait_for_the_end(pid):
    end = time.monotonic() + DEADLINE
    while is_alive(pid):
        assert time.monotonic() < end, f"process {pid} lives on"
        time.sleep(0.02)


ONES = np.ones((1, 4), np.float32)


def test_a_child_decides_as_this_process_does(store, card):
    own = store.save(card("same", masked=False), build_policy(masked=False))
    theirs = make_snapshot(card("same", masked=False), own.onnx)
    assert (own.trusted, theirs.trusted) == (True, False)
    seen = np.random.default_rng(2).normal(size=(64, 4)).astype(np.float32)
    ours, apart = (SnapshotBatch(one) for one in (own, theirs))
    for batch in (ours, apart):
        batch.begin(np.arange(64), range(64))
    assert ours.act(np.arange(64), seen, None).tolist() == apart.act(np.arange(64), seen, None).tolist()
    assert ours.act_one(3, seen[3], None) == apart.act_one(3, seen[3], None)


def test_memory_of_a_child_is_kept(counter, card):
    theirs = make_snapshot(card("counter", masked=False), counter.onnx)
    batch = SnapshotBatch(theirs)
    batch.begin(np.arange(2), [1, 2])
    seen = np.zeros((2, 4), np.float32)
    assert [batch.act(np.arange(2), seen, None).tolist() for _ in range(3)] == [[0, 0], [1, 1], [2, 2]]


def test_a_graph_that_takes_all_memory_ends_in_an_error_and_plays_on():
    policy = OnnxPolicy(stranger(hungry()))
    rng = np.random.default_rng(0)
    assert policy.decide(0 * ONES, None, rng).probabilities.shape == (1, 5)
    with pytest.raises(ControllerError, match="snapshot 'stranger' failed"):
        policy.decide(ONES, None, rng)


def test_a_graph_that_takes_for_ever_is_ended(monkeypatch):
    policy = OnnxPolicy(stranger(slow()))
    policy._session._timed.limit = 0.2
    child = child_of(policy)
    for _ in range(2):
        with pytest.raises(ControllerError, match=r"'stranger' failed: it gave no answer in 0.2 s and was ended"):
            policy.decide(ONES, None, np.random.default_rng(0))
    wait_for_the_end(child)


def test_a_trusted_graph_that_takes_for_ever_frees_its_thread_and_can_be_asked_again():
    session = LocalSession(slow())
    session.timed.limit = 0.2
    for _ in range(2):
        with pytest.raises(SessionError, match=r"no answer in 0\.2 s"):
            session.run({"observation": ONES})
    quick = LocalSession(build_policy(masked=False))
    quick.timed.stopped = False
    assert quick.run({"observation": ONES})["action_probabilities"].shape == (1, 5)


def test_a_seat_of_a_stranger_never_waits_in_the_window(seat):
    controller = SnapshotController(stranger(build_policy(masked=False)))
    controller.reset(seat, seed=1)
    controller.observe(Turn("one", 0, np.zeros(4, np.float32)))
    assert controller._thinking is not None  # on the thread for inference
    assert wait_for([controller])[0] in range(5)


def test_a_child_ends_with_its_policy():
    policy = OnnxPolicy(stranger(build_policy(masked=False)))
    child = child_of(policy)
    assert is_alive(child)
    del policy
    gc.collect()
    wait_for_the_end(child)


def test_a_graph_that_does_not_load_says_so():
    model = onnx.load_from_string(build_policy(masked=False))
    model.graph.node[0].input[1] = "nowhere"
    with pytest.raises(SnapshotError, match=r"stranger: expected a graph that runs, got: .*nowhere"):
        OnnxPolicy(stranger(model.SerializeToString()))


def test_a_child_that_dies_is_no_end_of_ours(monkeypatch):
    policy = OnnxPolicy(stranger(build_policy(masked=False)))
    policy._session._process.kill()
    with pytest.raises(ControllerError, match="its process ended"):
        policy.decide(ONES, None, np.random.default_rng(0))


SHAPES = {
    "wide": {"action_probabilities": np.ones((1, 7), np.float32)},
    "other kind": {"action_probabilities": np.ones((1, 5), np.float64)},
    "nan": {"action_probabilities": np.full((1, 5), np.nan, np.float32)},
    "negative": {"action_probabilities": np.full((1, 5), -1, np.float32)},
    "infinite": {"action_probabilities": np.full((1, 5), np.inf, np.float32)},
    "values": {"value": np.ones((3, 3), np.float32)},
    "state": {"state_out_a": np.ones((1, 9), np.float32)},
}


@pytest.mark.parametrize("case", SHAPES)
def test_outputs_that_no_policy_has_are_refused(case):
    feed = {"observation": ONES, "state_in_a": np.ones((1, 2), np.float32)}
    good = {"action_probabilities": np.ones((1, 5), np.float32), "value": np.ones(1, np.float32)}
    check_outputs(good, feed, make_card("x"))
    with pytest.raises(SessionError, match="expected"):
        check_outputs(good | SHAPES[case], feed, make_card("x"))


def frame_of(arrays, facts=None):
    stream = io.BytesIO()
    write_frame(stream, arrays, facts or {})
    return stream.getvalue()


def test_frames_bring_arrays_and_facts_back():
    arrays = {"a": np.arange(6, dtype=np.int8).reshape(2, 3), "b": np.zeros((0, 4)), "c": np.array(True)}
    back, facts = read_frame(io.BytesIO(frame_of(arrays, {"error": "x"})))
    assert facts == {"error": "x"}
    assert {name: (one.dtype, one.tolist()) for name, one in back.items()} == {
        name: (one.dtype, one.tolist()) for name, one in arrays.items()
    }


HEADS = [
    b"", b"{}", b"[]", b'{"arrays": 1, "facts": {}}', b'{"arrays": [["a", "object", [1]]], "facts": {}}',
    b'{"arrays": [["a", "float32", [-1]]], "facts": {}}', b'{"arrays": [["a", "float32", [9999999]]], "facts": {}}',
    b'{"arrays": [["a", "float32", [1e999]]], "facts": {}}', b'{"arrays": [], "facts": 3}', b"[" * 60_000,
    b'{"arrays": [["a", "float32", [99999999999999999999999999]]], "facts": {}}',
]  # fmt: skip


@pytest.mark.parametrize("head", HEADS)
def test_a_lying_child_is_refused(head):
    with pytest.raises(FrameError):
        read_frame(io.BytesIO(struct.pack("<II", len(head), 4) + head + b"1234"))


def test_a_frame_of_gigabytes_is_refused_unread():
    with pytest.raises(FrameError, match="at most"):
        read_frame(io.BytesIO(struct.pack("<II", 10, 2**31)))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_bytes_are_a_frame_an_end_or_an_error(data):
    raw = bytearray(frame_of({"a": ONES}))
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(FrameError):
        read_frame(io.BytesIO(bytes(raw)))


def test_what_comes_in_from_elsewhere_is_not_trusted_and_what_is_made_here_is(tmp_path, card, policy):
    theirs = SnapshotStore(tmp_path / "theirs")
    graph = policy(4, weight=1.25)
    model = onnx.load_from_string(graph)
    model.producer_name = "somebody else"
    made = make_snapshot(card("gift"), model.SerializeToString())
    folder = theirs.root / "gift"
    folder.mkdir(parents=True)
    (folder / "policy.onnx").write_bytes(made.onnx)
    (folder / "card.json").write_bytes(made.card.model_dump_json().encode())
    assert not theirs.get("gift").trusted
    assert not theirs.get(str(folder)).trusted
    assert theirs.save(card("own"), graph).trusted
    assert theirs.get("own").trusted
    trust(made.card.sha256)
    assert theirs.get("gift").trusted
    assert SnapshotStore(tmp_path / "user", bundled=[BUNDLED]).get("volley-7").trusted


@pytest.mark.parametrize("word", ["", "../../x", "A" * 64, "0" * 63])
def test_only_a_digest_can_be_trusted(word):
    with pytest.raises(ValueError, match="SHA-256"):
        is_trusted(word)


def test_people_trust_a_snapshot_by_a_command(card, model):
    store = open_store()
    graph = onnx.load_from_string(build_policy())
    graph.producer_name = "a friend"
    made = make_snapshot(card("gift", game="house/volley"), graph.SerializeToString())
    folder = store.root / "gift"
    folder.mkdir()
    (folder / "policy.onnx").write_bytes(made.onnx)
    (folder / "card.json").write_bytes(made.card.model_dump_json().encode())
    listed = CliRunner().invoke(app, ["snapshots", "list"])
    assert "arcade snapshots trust NAME" in listed.output
    assert json.loads(CliRunner().invoke(app, ["snapshots", "list", "--json"]).stdout)["untrusted"] == ["gift"]
    assert CliRunner().invoke(app, ["snapshots", "trust", "gift"]).exit_code == 0
    assert json.loads(CliRunner().invoke(app, ["snapshots", "list", "--json"]).stdout)["untrusted"] == []
    assert sessions.LIMIT < 30  # a match gives a seat up after that
