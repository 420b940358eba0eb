"""Learners on a device of their own: the same update as on the processor, with no tensor left behind there."""

import numpy as np
import pytest
import torch
from ray.rllib.core.learner.training_data import TrainingData

from tests.support.fake_device import DeviceTensor, fake_device
from tests.support.runners import SPEC, Turns
from trainer.algorithms.make import make_algorithm_config
from trainer.algorithms.replay import Replay
from trainer.config.algorithms import ALGORITHMS
from trainer.config.reading import make_config
from trainer.sampling.runner import SelfPlayRunner

SETTINGS = {
    "IMPALA": {"minibatch": 80, "sequence": 8}, "APPO": {"minibatch": 80, "sequence": 8},
    "DQN": {"minibatch": 32, "n_step": 1, "target_every": 0}, "SAC": {"minibatch": 32},
    "A2C": {}, "PPO": {"minibatch": 40},
}  # fmt: skip


@pytest.mark.parametrize("algorithm", sorted(SETTINGS))
def test_an_update_on_another_device_is_the_same_update(algorithm, monkeypatch):
    assert SETTINGS.keys() == {name for name, one in ALGORITHMS.items() if not one.searches}  # Turns is no board game
    monkeypatch.setattr("trainer.sampling.runner.make_vector_env", Turns)
    run = make_config({
        "game": SPEC.id, "algorithm": algorithm, "training": {"batch": 80, "lr": 0.01, **SETTINGS[algorithm]},
        "resources": {"games": 4}, "wrappers": {"normalise": True, "stack": 2}, "seed": 1,
    })  # fmt: skip
    config = make_algorithm_config(run, SPEC, Turns(SPEC, 1))
    runner = SelfPlayRunner(config=config, worker_index=0)
    episodes = [runner.sample() for _ in range(2)]
    here = updated(config, runner, episodes)
    with fake_device():
        there = updated(config, runner, episodes)
    assert all(isinstance(weight, DeviceTensor) for weight in there.values())
    for name, weight in here.items():
        assert there[name].held.numpy() == pytest.approx(weight.numpy(), abs=1e-6), name


def updated(config, runner, episodes):
    """The learner's weights and statistics after a batch of each of the episodes."""
    np.random.seed(3)
    torch.manual_seed(3)
    learner = config.build_learner(spaces=runner.get_spaces())
    learner.module["main"].set_state(runner.module["main"].get_state())
    buffer = Replay(capacity=500, seed=0)
    for batch in episodes:
        if config.algo_class.__name__.startswith("Replay"):
            buffer.add(batch)
            batch = buffer.sample(32)
        learner.update(training_data=TrainingData(episodes=batch), minibatch_size=config.minibatch_size)
    weights = dict(learner.module["main"].unwrapped().state_dict())
    return weights
