"""Snapshots whose actions are arrays play whole matches: from a seat, from the pool and from a policy server."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces
from onnx import TensorProto, helper, numpy_helper

from agents.seats.controller import SeatChoice, SeatSpec
from agents.snapshots.card import ActionSignature
from agents.snapshots.onnx_policy import OnnxPolicy
from agents.snapshots.store import SnapshotCard, SnapshotError, SnapshotStore
from agents.spaces import action_signature, observation_signature
from agents.wire.server import PolicyServer
from arcade.match.batch.in_process import Series, play_series
from arcade.match.play.result import MatchResult
from tests.support.counting_games import LENGTH
from tests.support.kind_games import SPACES, kind_spec

OBSERVATION = spaces.Box(-1e6, 1e6, (3,), np.float32)


def save(store: SnapshotStore, kind: str, name: str, *, part: np.ndarray[Any, Any] | None = None) -> None:
    """A policy that draws from everything there is, or where `part` says so: shares, chances of a 1, or means."""
    signature = action_signature(SPACES[kind])
    outputs = _outputs(signature) if part is None else _outputs(signature, part.astype(np.float32))
    nodes = [helper.make_node("MatMul", ["observation", f"no {port}"], [f"nil {port}"]) for port in outputs]
    nodes += [helper.make_node("Add", [f"nil {port}", f"row {port}"], [f"flat {port}"]) for port in outputs]
    weights, ports = [], []
    for port, row in outputs.items():
        weights.append(numpy_helper.from_array(np.zeros((3, row.size), np.float32), f"no {port}"))
        weights.append(numpy_helper.from_array(row.reshape(1, -1), f"row {port}"))
        sizes = signature.shape or () if signature.kind == "box" else (row.size,)
        weights.append(numpy_helper.from_array(np.array([-1, *sizes]), f"sizes {port}"))
        nodes.append(helper.make_node("Reshape", [f"flat {port}", f"sizes {port}"], [port]))
        ports.append(helper.make_tensor_value_info(port, TensorProto.FLOAT, ["batch", *sizes]))
    seen = helper.make_tensor_value_info("observation", TensorProto.FLOAT, ["batch", 3])
    graph = helper.make_graph(nodes, "policy", [seen], ports, weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    observation = observation_signature(OBSERVATION)
    card = SnapshotCard(name=name, game=kind_spec(kind).id, observation=observation, action=signature)
    store.save(card, model.SerializeToString())


def _outputs(signature: ActionSignature, part: np.ndarray[Any, Any] | None = None) -> dict[str, np.ndarray[Any, Any]]:
    if signature.kind == "box":
        size = int(np.prod(signature.shape or ()))
        spread = np.full(size, 1.0 if part is None else -30.0, np.float32)
        return {"action_mean": np.zeros(size, np.float32) if part is None else part, "action_log_std": spread}
    if signature.kind == "multi_binary":
        return {"action_probabilities": np.full(signature.n or 0, 0.5, np.float32) if part is None else part}
    even = np.concatenate([np.full(n, 1 / n, np.float32) for n in signature.nvec or ()])
    return {"action_probabilities": even if part is None else part}


@contextmanager
def serving(store: SnapshotStore) -> Iterator[str]:
    with PolicyServer(store, endpoint="tcp://127.0.0.1:*") as server:
        thread = threading.Thread(target=server.run)
        thread.start()
        try:
            yield server.endpoint
        finally:
            server.stop()
            thread.join(60)


def play(store: SnapshotStore, kind: str, ann: str, bob: str, *, seed: int = 3) -> MatchResult:
    lineup = {"ann": SeatChoice(*ann.split("=")), "bob": SeatChoice(*bob.split("="))}
    [result] = play_series(kind_spec(kind), lineup, Series(seed=seed), store=store).matches
    assert result.error == ""
    assert result.ticks == LENGTH
    assert result.late == {"ann": 0, "bob": 0}
    return result


@pytest.fixture
def store(tmp_path: Path) -> SnapshotStore:
    return SnapshotStore(tmp_path / "snapshots")


@pytest.mark.parametrize("kind", SPACES)
def test_every_way_to_a_snapshot_plays_its_actions(store: SnapshotStore, kind: str) -> None:
    save(store, kind, "even")
    first = play(store, kind, "snapshot=even", "pool=")
    assert len(set(first.returns.values())) == 2  # each seat draws for itself
    assert play(store, kind, "snapshot=even", "pool=").returns == first.returns
    assert play(store, kind, "snapshot=even", "pool=", seed=4).returns != first.returns
    with serving(store) as endpoint:
        remote = play(store, kind, f"remote={endpoint}/even", f"remote={endpoint}/even")
        assert remote.lineup == {"ann": "even", "bob": "even"}
        assert remote.returns["ann"] == pytest.approx(first.returns["ann"])  # the same draws from the same seed
        assert play(store, kind, f"remote={endpoint}/even", "snapshot=even").returns == pytest.approx(remote.returns)


@pytest.mark.parametrize(
    ("kind", "part", "action"),
    [
        ("box", [9, -9, -9], [1, 0, -9]),
        ("box of integers", [0.4, 0.6, -3, 30], [[0, 1], [0, 9]]),
        ("multi_discrete", [0, 1, 1, 0, 0, 1], [1, 0, 2]),
        ("multi_discrete of two axes", [0, 1, 1, 1, 0, 0, 1], [[1, 0], [0, 2]]),
        ("multi_binary", [1, 0, 0, 1], [1, 0, 0, 1]),
        ("multi_binary of two axes", [1, 0, 0, 1, 1, 1], [[1, 0, 0], [1, 1, 1]]),
    ],
)
def test_the_parts_of_an_action_stand_where_the_space_has_them(
    store: SnapshotStore, kind: str, part: list[float], action: Any
) -> None:
    save(store, kind, "certain", part=np.array(part))
    policy = OnnxPolicy(store.get("certain"))
    for greedy in (False, True):
        found = policy.decide(np.zeros((2, 3), np.float32), None, np.random.default_rng(1), greedy=greedy).actions
        assert np.allclose(found, [action, action], atol=1e-6)
    result = play(store, kind, "snapshot=certain", "snapshot=certain")
    assert result.returns == pytest.approx(dict.fromkeys(("ann", "bob"), LENGTH * float(np.sum(action))), abs=1e-3)


def test_parts_that_do_not_begin_at_0_are_not_taken_for_such_that_do() -> None:
    with pytest.raises(TypeError, match="starts at 0"):
        action_signature(spaces.MultiDiscrete([2, 3], start=[1, 0]))


def test_another_shape_of_as_many_parts_does_not_fit(store: SnapshotStore) -> None:
    save(store, "multi_binary of two axes", "wide")
    wide = store.get("wide")
    flat = SeatSpec(game="test", agent="ann", observation_space=OBSERVATION, action_space=spaces.MultiBinary(6))
    with pytest.raises(SnapshotError, match="multi_binary"):
        wide.check(flat)
