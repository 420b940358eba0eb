"""Frozen graphs say what torch says, for every kind of space a policy can have."""

import numpy as np
import pytest
import torch
from gymnasium import spaces

from agents.onnx_policy import OnnxPolicy
from agents.snapshot import SnapshotCard, SnapshotStore
from agents.spaces import action_signature, observation_signature
from trainer.config import ConfigError
from trainer.league.export import Exporter, ExportError
from trainer.league.freezing import load_weights
from trainer.networks.seat import SeatNetwork, SpaceError

SPACES = {
    "vector": (spaces.Box(-1, 1, (13,), np.float32), spaces.Discrete(6), False),
    "board": (spaces.Box(0, 1, (6, 7, 2), np.int8), spaces.Discrete(7), True),
    "picture": (spaces.Box(0, 255, (8, 6, 3), np.uint8), spaces.Box(-2, 2, (2,), np.float32), False),
    "screen": (spaces.Box(0, 255, (210, 160, 3), np.uint8), spaces.Discrete(6), False),
    "number": (spaces.Discrete(5, start=3), spaces.Discrete(4), True),
    "bits": (spaces.MultiBinary(9), spaces.Discrete(3), False),
}


def samples(space, action, masked, rows=40):
    space.seed(1)
    seen = np.stack([np.asarray(space.sample()) for _ in range(rows)])
    if not masked:
        return seen, None
    masks = (np.random.default_rng(2).random((rows, int(action.n))) < 0.5).astype(np.int8)
    masks[:, -1] = 1
    return seen, masks


def snapshot_of(network, kind, store, name):
    space, action, masked = SPACES[kind]
    seen, masks = samples(space, action, masked)
    data = Exporter(space, action, masked=masked).export(network, observations=seen, masks=masks)
    card = SnapshotCard(
        name=name,
        game="test/game",
        observation=observation_signature(space),
        action=action_signature(action),
        masked=masked,
    )
    return store.save(card, data)


@pytest.mark.parametrize("kind", SPACES)
def test_a_snapshot_plays_as_the_network_it_was_frozen_from(kind, tmp_path):
    torch.manual_seed(3)
    space, action, masked = SPACES[kind]
    network = SeatNetwork(space, action, (16, 8))
    with torch.no_grad():
        for weight in network.parameters():
            weight.add_(0.3 * torch.randn(weight.shape))
    policy = OnnxPolicy(snapshot_of(network, kind, SnapshotStore(tmp_path), "one"))
    seen, masks = samples(space, action, masked)
    outputs, values = policy.evaluate(seen, masks)
    with torch.no_grad():
        mask = None if masks is None else torch.as_tensor(masks)
        expected = network.policy(torch.as_tensor(seen), mask)
        assert values == pytest.approx(network.value(torch.as_tensor(seen)).numpy(), abs=1e-5)
    if "action_probabilities" in outputs:
        probabilities = torch.softmax(expected, dim=1).numpy()
        assert outputs["action_probabilities"] == pytest.approx(probabilities, abs=1e-5)
        if masks is not None:
            assert outputs["action_probabilities"][masks == 0].max() == 0.0
    else:
        assert outputs["action_mean"] == pytest.approx(expected[:, :2].numpy(), abs=1e-5)


def test_one_exporter_freezes_the_weights_of_the_moment(tmp_path):
    space, action, _ = SPACES["vector"]
    exporter = Exporter(space, action, masked=False)
    seen, _ = samples(space, action, False)
    network = SeatNetwork(space, action, (8,))
    first = exporter.export(network, observations=seen, masks=None)
    with torch.no_grad():
        network.pi.layers[0].bias.add_(1.0)
    second = exporter.export(network, observations=seen, masks=None)
    with torch.no_grad():
        network.pi.layers[0].bias.sub_(1.0)
    assert second != first
    assert exporter.export(network, observations=seen, masks=None) == first


def test_a_network_that_the_graph_does_not_hold_is_refused():
    space, action, _ = SPACES["vector"]
    exporter = Exporter(space, action, masked=False)
    seen, _ = samples(space, action, False)
    exporter.export(SeatNetwork(space, action, (8,)), observations=seen, masks=None)
    with pytest.raises(ExportError, match="initializer network"):
        exporter.export(SeatNetwork(space, action, (9,)), observations=seen, masks=None)


def test_a_snapshots_weights_go_back_into_a_network(tmp_path):
    space, action, _ = SPACES["vector"]
    torch.manual_seed(4)
    network, other = SeatNetwork(space, action, (16, 8)), SeatNetwork(space, action, (16, 8))
    snapshot = snapshot_of(network, "vector", SnapshotStore(tmp_path), "parent")
    load_weights(other, snapshot)
    seen = torch.as_tensor(samples(space, action, False)[0])
    with torch.no_grad():
        assert torch.equal(other.policy(seen), network.policy(seen))
    with pytest.raises(ConfigError, match=r"ppo\.hidden"):
        load_weights(SeatNetwork(space, action, (4,)), snapshot)


def test_spaces_that_cannot_be_learnt_are_named():
    with pytest.raises(SpaceError, match="MultiDiscrete"):
        SeatNetwork(SPACES["vector"][0], spaces.MultiDiscrete([2, 2]), (8,))
    with pytest.raises(SpaceError, match="Dict"):
        SeatNetwork(spaces.Dict({"a": spaces.Discrete(2)}), spaces.Discrete(2), (8,))
