"""Frozen graphs say what torch says, for every kind of network and of space a policy can have."""

from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from gymnasium import spaces

from agents.snapshots.onnx_policy import OnnxPolicy
from agents.snapshots.snapshot import read_snapshot
from agents.snapshots.store import SnapshotCard, SnapshotStore
from agents.spaces import action_signature, observation_signature
from trainer.config import ConfigError
from trainer.config.reading import make_config
from trainer.league.export import Exporter, ExportError, load_weights
from trainer.networks.encoders import FeatureExtractor
from trainer.networks.make import make_network

VECTOR = spaces.Box(-1, 1, (13,), np.float32)
SIX = spaces.Discrete(6)
SPACES = {
    "vector": (VECTOR, SIX, False),
    "doubles": (spaces.Box(-9, 9, (5, 4), np.float64), SIX, True),
    "board": (spaces.Box(0, 1, (6, 7, 2), np.int8), spaces.Discrete(7), True),
    "bytes": (spaces.Box(0, 255, (128,), np.uint8), SIX, False),
    "screen": (spaces.Box(0, 255, (90, 64, 3), np.uint8), SIX, False),
    "small screen": (spaces.Box(0, 255, (20, 17, 3), np.uint8), spaces.Box(-2, 2, (2,), np.float32), False),
    "number": (spaces.Discrete(5, start=3), spaces.Discrete(4, start=1), True),
    "numbers": (spaces.MultiDiscrete([3, 4]), SIX, False),
    "bits": (spaces.MultiBinary(9), spaces.Discrete(3), False),
    "box": (VECTOR, spaces.Box(np.array([0, -3], np.float32), np.array([1, 9], np.float32)), False),
    "unbounded": (VECTOR, spaces.Box(-np.inf, np.inf, (2, 2), np.float32), False),
    "parts": (VECTOR, spaces.MultiDiscrete([3, 2]), False),
    "switches": (VECTOR, spaces.MultiBinary(3), False),
}
NETWORKS = {
    "plain": {"network": {"hidden": [16, 8]}},
    "stack": {"wrappers": {"stack": 3, "normalise": True, "grey": False}, "network": {"hidden": [16]}},
    "lstm": {"wrappers": {"stack": 2}, "network": {"hidden": [16], "lstm": 8, "activation": "relu"}},
}
ROWS, TICKS = 8, 5


def run_of(kind="plain", **settings):
    return make_config({"game": "house/volley", **NETWORKS[kind], **settings})


def network_of(kind, spaces_of):
    """One that has learnt a little: no weight is what it was, running statistics have seen something."""
    space, action, _ = SPACES[spaces_of]
    torch.manual_seed(3)
    network = make_network(run_of(kind), space, action)
    with torch.no_grad():
        for weight in network.parameters():
            weight.add_(0.2 * torch.randn(weight.shape))
    network.observe_rows(network.shrink(torch.as_tensor(samples(spaces_of, rows=50)[0])))
    return network


def samples(spaces_of, rows=40):
    space, action, masked = SPACES[spaces_of]
    space.seed(1)
    seen = np.stack([np.asarray(space.sample()) for _ in range(rows)])
    if not masked:
        return seen, None
    masks = (np.random.default_rng(2).random((rows, int(action.n))) < 0.5).astype(np.int8)
    masks[:, -1] = 1
    return seen, masks


def freeze(network, spaces_of, store, name="one"):
    space, action, masked = SPACES[spaces_of]
    seen, masks = samples(spaces_of)
    data = Exporter(space, action, masked=masked).export(network, observations=seen, masks=masks)
    card = SnapshotCard(
        name=name,
        game="test/game",
        observation=observation_signature(space),
        action=action_signature(action),
        masked=masked,
    )
    return store.save(card, data)


@pytest.mark.parametrize("kind", NETWORKS)
@pytest.mark.parametrize("spaces_of", SPACES)
def test_a_snapshot_plays_an_episode_as_the_network_it_was_frozen_from(kind, spaces_of, tmp_path):
    network, action = network_of(kind, spaces_of), SPACES[spaces_of][1]
    freeze(network, spaces_of, SnapshotStore(tmp_path))
    policy = OnnxPolicy(SnapshotStore(tmp_path).get("one", game="test/game"))
    seen, masks = samples(spaces_of, rows=ROWS * TICKS)
    state, memory = policy.initial_state(ROWS), network.begin(ROWS)
    assert set(state) == {f"state_in_{name}" for name in network.memory}
    for tick in range(TICKS):
        rows = slice(tick * ROWS, (tick + 1) * ROWS)
        mask = None if masks is None else masks[rows]
        played = policy.decide(seen[rows], mask, np.random.default_rng(tick), state=state)
        with torch.no_grad():
            heads = network(torch.as_tensor(seen[rows]), None if mask is None else torch.as_tensor(mask), memory)
            ours = network.distribution.graph_outputs(heads.inputs)
        theirs, values = policy.evaluate(seen[rows], mask, state=state)
        for name, outputs in ours.items():
            assert theirs[name] == pytest.approx(outputs.numpy(), abs=2e-5)
        assert values == pytest.approx(heads.value.numpy(), abs=2e-5)
        assert all(action.contains(one if np.ndim(one) else int(one)) for one in played.actions)
        if mask is not None:
            assert theirs["action_probabilities"][mask == 0].max() == 0.0
        state, memory = played.state, heads.memory


def test_one_exporter_freezes_the_weights_and_statistics_of_the_moment():
    network = network_of("stack", "vector")
    exporter = Exporter(VECTOR, SIX, masked=False)
    seen, _ = samples("vector")
    first = exporter.export(network, observations=seen, masks=None)
    before = {name: part.clone() for name, part in network.state_dict().items()}
    with torch.no_grad():
        network.pi.layers[0].bias.add_(1.0)
    second = exporter.export(network, observations=seen, masks=None)
    network.load_state_dict(before)
    network.observe_rows(torch.as_tensor(seen) * 3)
    third = exporter.export(network, observations=seen, masks=None)
    network.load_state_dict(before)
    assert len({first, second, third}) == 3
    assert exporter.export(network, observations=seen, masks=None) == first


def test_a_network_that_the_graph_does_not_hold_is_refused():
    exporter = Exporter(VECTOR, SIX, masked=False)
    seen, _ = samples("vector")
    exporter.export(network_of("plain", "vector"), observations=seen, masks=None)
    wider = make_network(run_of(network={"hidden": [17, 8]}), VECTOR, SIX)
    with pytest.raises(ExportError, match=r"initializer network\.pi\.layers\.0\.weight of shape \(17, 13\)"):
        exporter.export(wider, observations=seen, masks=None)
    deeper = make_network(run_of(network={"hidden": [16, 8, 8]}), VECTOR, SIX)
    with pytest.raises(ExportError, match="initializer network"):
        exporter.export(deeper, observations=seen, masks=None)
    shallower = make_network(run_of(network={"hidden": [16]}), VECTOR, SIX)
    with pytest.raises(ExportError, match="initializer"):
        exporter.export(shallower, observations=seen, masks=None)


def test_a_graph_that_answers_otherwise_is_refused(monkeypatch):
    exporter = Exporter(VECTOR, SIX, masked=False)
    seen, _ = samples("vector")
    network = network_of("plain", "vector")
    exporter.export(network, observations=seen, masks=None)
    monkeypatch.setattr("trainer.league.export._filled", lambda template, network: template)
    with pytest.raises(ExportError, match=r"within 1e-05 of torch, got a difference"):
        exporter.export(network, observations=seen, masks=None)


def test_shared_layers_are_in_the_graph_of_each_policy(tmp_path):
    space, action, _ = SPACES["small screen"]
    eyes = FeatureExtractor(run_of(), space, shared=True)
    policies = [make_network(run_of(), space, action, eyes=eyes, critic=critic) for critic in (True, False)]
    snapshots = [freeze(p, "small screen", SnapshotStore(tmp_path), f"p-{i}") for i, p in enumerate(policies)]
    for snapshot in snapshots:
        names = {tensor.name for tensor in onnx.load_from_string(snapshot.onnx).graph.initializer}
        assert "network.eyes.first.layers.0.weight" in names
    assert OnnxPolicy(snapshots[1]).evaluate(samples("small screen")[0])[1] is None


@pytest.mark.parametrize("kind", NETWORKS)
@pytest.mark.parametrize("spaces_of", ["screen", "vector", "box"])
def test_a_snapshots_weights_go_back_into_a_network(kind, spaces_of, tmp_path):
    network = network_of(kind, spaces_of)
    other = make_network(run_of(kind), *SPACES[spaces_of][:2])
    load_weights(other, freeze(network, spaces_of, SnapshotStore(tmp_path)))
    for name, part in network.state_dict().items():
        assert torch.equal(other.state_dict()[name], part), name


def test_the_players_that_ship_can_be_gone_on_from():
    snapshot = read_snapshot(Path(__file__).parents[2] / "assets/snapshots/volley-7")
    shape, dtype = snapshot.card.observation.shape, np.dtype(snapshot.card.observation.dtype)
    space = spaces.Box(-np.inf, np.inf, shape, dtype)
    network = make_network(make_config({"game": "house/volley"}), space, spaces.Discrete(snapshot.card.action.n))
    load_weights(network, snapshot)
    seen = np.random.default_rng(1).normal(size=(5, *shape)).astype(dtype)
    with torch.no_grad():
        ours = network.distribution.graph_outputs(network(torch.as_tensor(seen)).inputs)["action_probabilities"]
    assert OnnxPolicy(snapshot).evaluate(seen)[0]["action_probabilities"] == pytest.approx(ours.numpy(), abs=1e-5)


def test_weights_of_another_architecture_are_refused_by_name(tmp_path):
    snapshot = freeze(network_of("plain", "vector"), "vector", SnapshotStore(tmp_path), "parent")
    narrower = make_network(run_of(network={"hidden": [4, 8]}), VECTOR, SIX)
    before = narrower.pi.layers[-1].weight.clone()
    with pytest.raises(ConfigError, match=r"pi\.layers\.0\.weight of shape \(4, 13\) in snapshot 'parent'.*network"):
        load_weights(narrower, snapshot)
    assert torch.equal(narrower.pi.layers[-1].weight, before)
    with pytest.raises(ConfigError, match=r"body\.layers\.0\.weight of shape .* got it absent"):
        load_weights(make_network(run_of(network={"hidden": [16, 8], "lstm": 8}), VECTOR, SIX), snapshot)
    with pytest.raises(ConfigError, match=r"expected vf.* absent in snapshot"):
        load_weights(make_network(run_of(), VECTOR, SIX, critic=False), snapshot)


def test_two_actions_of_equal_worth_do_not_keep_a_network_from_being_frozen():
    network = make_network(run_of(algorithm="DQN"), VECTOR, SIX)
    with torch.no_grad():
        for weight in network.parameters():
            weight.zero_()
        network.advantage.layers[-1].bias[:] = torch.tensor([0.0, 1.0, 1.0 + 1e-7, 0.0, 0.0, 0.0])
    seen, _ = samples("vector")
    assert not network.distribution.is_stable(network(torch.as_tensor(seen)).inputs.detach().numpy()).any()
    assert network.distribution.is_stable(np.array([[1.0, 0.9, 0.0]])).all()
    Exporter(VECTOR, SIX, masked=False).export(network, observations=seen, masks=None)
