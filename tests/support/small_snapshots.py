"""Snapshots that play volley, made by hand in a moment."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from agents.snapshots.store import SnapshotCard, SnapshotStore
from agents.spaces import action_signature, observation_signature
from arcade.games import find_game


def save_volley_snapshot(
    store: SnapshotStore, name: str, *, agents: tuple[str, ...] = (), step: int = 0, **rules: float
) -> None:
    """A policy whose every action is as likely; each is an hour newer than the one saved before it."""
    spec = find_game("house/volley")
    env = spec.make()
    space, actions = env.observation_space(spec.agents[0]), env.action_space(spec.agents[0])
    (size,), count = space.shape, int(actions.n)
    graph = helper.make_graph(
        [
            helper.make_node("MatMul", ["observation", "w"], ["logits"]),
            helper.make_node("Softmax", ["logits"], ["action_probabilities"], axis=1),
        ],
        "policy",
        [helper.make_tensor_value_info("observation", TensorProto.FLOAT, ["batch", size])],
        [helper.make_tensor_value_info("action_probabilities", TensorProto.FLOAT, ["batch", count])],
        [numpy_helper.from_array(np.zeros((size, count), np.float32), "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    card = SnapshotCard(
        name=name,
        game=spec.id,
        agents=agents,
        step=step,
        observation=observation_signature(space),
        action=action_signature(actions),
        **rules,  # type: ignore[arg-type]  # frame_skip is a whole number
        created=datetime.now(UTC) + timedelta(hours=1 + len(store.list(spec.id))),
    )
    store.save(card, model.SerializeToString())
