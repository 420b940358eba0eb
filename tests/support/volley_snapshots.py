"""Snapshots of volley that always play one action."""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from agents.files import folder
from agents.snapshots.card import SnapshotCard
from agents.snapshots.store import SnapshotStore
from agents.spaces import action_signature, observation_signature
from arcade.games.house.volley import parallel_env


def freeze(name: str, *, action: int, **facts: Any) -> None:
    """A snapshot that always plays `action`, in the user's store; `facts` are of its card."""
    env = parallel_env()
    observation, actions = env.observation_space("left_0"), env.action_space("left_0")
    size, selection = observation.shape[0], np.full(6, -30, np.float32)
    selection[action] = 30
    weights = [
        numpy_helper.from_array(np.zeros((size, 6), np.float32), "w"),
        numpy_helper.from_array(selection, "b"),
    ]
    nodes = [
        helper.make_node("MatMul", ["observation", "w"], ["m"]),
        helper.make_node("Add", ["m", "b"], ["logits"]),
        helper.make_node("Softmax", ["logits"], ["action_probabilities"], axis=1),
    ]
    ports = [
        helper.make_tensor_value_info(port, TensorProto.FLOAT, ["batch", wide])
        for port, wide in (("observation", size), ("action_probabilities", 6))
    ]
    graph = helper.make_graph(nodes, "policy", ports[:1], ports[1:], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    card = SnapshotCard(
        name=name,
        game="house/volley",
        observation=observation_signature(observation),
        action=action_signature(actions),
        **facts,
    )
    SnapshotStore(folder("snapshots")).save(card, model.SerializeToString())
