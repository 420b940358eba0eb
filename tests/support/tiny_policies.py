"""Tiny policies as ONNX graphs, and their cards."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from onnx import TensorProto, helper, numpy_helper

from agents.snapshots.card import SnapshotCard
from agents.spaces import action_signature, observation_signature

OBSERVATIONS, ACTIONS = spaces.Box(-1, 1, (4,), np.float32), spaces.Discrete(5)


def build_policy(favourite: int = 2, *, masked: bool = True, weight: float = 3.0) -> bytes:
    """A graph whose likeliest action is `favourite`, more so the greater `weight`."""
    bias = np.zeros(5, np.float32)
    bias[favourite] = weight
    weights = np.random.default_rng(0).normal(0, 0.1, (4, 5)).astype(np.float32)
    inputs = [helper.make_tensor_value_info("observation", TensorProto.FLOAT, ["batch", 4])]
    nodes = [
        helper.make_node("Gemm", ["observation", "w", "b"], ["logits"]),
        helper.make_node("Softmax", ["logits"], ["shares"], axis=1),
    ]
    if masked:
        inputs.append(helper.make_tensor_value_info("action_mask", TensorProto.INT8, ["batch", 5]))
        nodes.append(helper.make_node("Cast", ["action_mask"], ["legal"], to=TensorProto.FLOAT))
        nodes.append(helper.make_node("Mul", ["shares", "legal"], ["action_probabilities"]))
    else:
        nodes.append(helper.make_node("Identity", ["shares"], ["action_probabilities"]))
    output = helper.make_tensor_value_info("action_probabilities", TensorProto.FLOAT, ["batch", 5])
    initial = [numpy_helper.from_array(weights, "w"), numpy_helper.from_array(bias, "b")]
    return finish_model(nodes, inputs, [output], initial)


def counter_model() -> bytes:
    """Plays the number of turns seen so far in the episode."""
    make = helper.make_tensor_value_info
    inputs = [
        make("observation", TensorProto.FLOAT, ["batch", 4]),
        make("state_in_count", TensorProto.FLOAT, ["batch", 1]),
    ]
    outputs = [
        make("action_probabilities", TensorProto.FLOAT, ["batch", 5]),
        make("state_out_count", TensorProto.FLOAT, ["batch", 1]),
    ]
    one = helper.make_tensor("one", TensorProto.FLOAT, [1], [1.0])
    places = helper.make_tensor("places", TensorProto.FLOAT, [5], [0, 1, 2, 3, 4])
    nodes = [
        helper.make_node("Add", ["state_in_count", "one"], ["state_out_count"]),
        helper.make_node("Equal", ["state_in_count", "places"], ["same"]),
        helper.make_node("Cast", ["same"], ["action_probabilities"], to=TensorProto.FLOAT),
    ]
    return finish_model(nodes, inputs, outputs, [one, places])


def finish_model(nodes: Any, inputs: Any, outputs: Any, weights: Any) -> bytes:
    graph = helper.make_graph(nodes, "policy", inputs, outputs, weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    return model.SerializeToString()


def make_card(name: str, **changes: Any) -> SnapshotCard:
    fields = {
        "game": "test/game",
        "observation": observation_signature(OBSERVATIONS),
        "action": action_signature(ACTIONS),
        "masked": True,
    }
    return SnapshotCard(name=name, **(fields | changes))
