"""Snapshots that play volley, made by hand in a moment."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from agents.snapshots.card import ObservationSignature
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


def save_memory_snapshot(store: SnapshotStore, name: str, game: str) -> None:
    """A policy of an Atari game whose every action follows from the console's memory."""
    spec, rng = find_game(game), np.random.default_rng(1)
    env = spec.make()
    actions = env.action_space(spec.agents[0])
    weights = rng.normal(0, 10, (128, int(actions.n))).astype(np.float32)
    env.reset(seed=1)
    usual = env.unwrapped.ale.getRAM().astype(np.float32)  # what stays so says nothing
    env.close()
    graph = helper.make_graph(
        [
            helper.make_node("Cast", ["observation"], ["memory"], to=TensorProto.FLOAT),
            helper.make_node("Sub", ["memory", "usual"], ["change"]),
            helper.make_node("MatMul", ["change", "w"], ["logits"]),
            helper.make_node("Softmax", ["logits"], ["action_probabilities"], axis=1),
        ],
        "policy",
        [helper.make_tensor_value_info("observation", TensorProto.UINT8, ["batch", 128])],
        [helper.make_tensor_value_info("action_probabilities", TensorProto.FLOAT, ["batch", int(actions.n)])],
        [numpy_helper.from_array(weights, "w"), numpy_helper.from_array(usual, "usual")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    card = SnapshotCard(
        name=name, game=spec.id, obs_type="ram", observation=ObservationSignature(shape=(128,), dtype="uint8"),
        action=action_signature(actions),
    )  # fmt: skip
    store.save(card, model.SerializeToString())


def save_connect_four_snapshot(store: SnapshotStore, name: str, *, hidden: int = 64) -> None:
    """A masked network with random weights, of the size of a trained one."""
    spec, rng = find_game("classic/connect_four_v3"), np.random.default_rng(0)
    place = spec.make()
    space = place.observation_space("player_0")["observation"]
    size, count = int(np.prod(space.shape)), 7
    widths = [size, hidden, hidden, count]
    weights = [rng.normal(0, 0.1, shape).astype(np.float32) for shape in pairwise(widths)]
    layers = [helper.make_node("Cast", ["observation"], ["x"], to=TensorProto.FLOAT)]
    layers.append(helper.make_node("Flatten", ["x"], ["h0"], axis=1))
    for i in range(len(weights)):
        layers.append(helper.make_node("MatMul", [f"h{i}", f"w{i}"], [f"m{i}"]))
        layers.append(helper.make_node("Tanh", [f"m{i}"], [f"h{i + 1}"]))
    layers.append(helper.make_node("Softmax", [f"h{len(weights)}"], ["shares"], axis=1))
    layers.append(helper.make_node("Cast", ["action_mask"], ["legal"], to=TensorProto.FLOAT))
    layers.append(helper.make_node("Mul", ["shares", "legal"], ["action_probabilities"]))
    graph = helper.make_graph(
        layers,
        "policy",
        [
            helper.make_tensor_value_info("observation", TensorProto.INT8, ["batch", *space.shape]),
            helper.make_tensor_value_info("action_mask", TensorProto.INT8, ["batch", count]),
        ],
        [helper.make_tensor_value_info("action_probabilities", TensorProto.FLOAT, ["batch", count])],
        [numpy_helper.from_array(weight, f"w{i}") for i, weight in enumerate(weights)],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    card = SnapshotCard(
        name=name, game=spec.id, masked=True, observation=observation_signature(space),
        action=action_signature(place.action_space("player_0")),
    )  # fmt: skip
    store.save(card, model.SerializeToString())
