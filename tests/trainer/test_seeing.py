"""What the wrappers' and the network's settings do to what a policy can learn."""

import pytest

from tests.support.training_games import score

FEW = {"batch": 512, "minibatch": 128, "lr": 3e-3, "epochs": 4}
pytestmark = pytest.mark.usefixtures("ray_cluster")


@pytest.mark.parametrize("network", [{}, {"convolution": False}, {"lstm": 8, "sequence": 2, "activation": "relu"}])
def test_a_picture_is_learnt_from(network):
    assert score("spot", iterations=6, network={"hidden": [16], **network}, training=FEW) > 0.9


def test_normalised_numbers_are_learnt_from_however_far_from_0():
    network = {"hidden": [16]}
    assert score("far", iterations=6, network=network, wrappers={"normalise": True}, training=FEW) > 0.9
    assert score("far", iterations=6, network=network, training=FEW) < 0.5
