"""Normalisation: each batch is learnt from with the statistics that it was drawn with, and stacks follow the newest."""

import copy

import numpy as np
import pytest
import torch
from gymnasium import spaces
from ray.rllib.core.learner.learner import Learner
from ray.rllib.core.learner.training_data import TrainingData

from tests.support.runners import SPEC, Turns
from trainer.algorithms.make import make_algorithm_config
from trainer.algorithms.replay import Replay
from trainer.config.reading import make_config
from trainer.networks.make import make_network
from trainer.sampling.runner import SelfPlayRunner

TRAINING = {"PPO": {"minibatch": 40}, "IMPALA": {"minibatch": 80, "sequence": 8}, "DQN": {"minibatch": 64}}


@pytest.mark.parametrize("algorithm", TRAINING)
def test_a_batch_is_learnt_with_the_statistics_that_it_was_drawn_with(algorithm, monkeypatch):
    monkeypatch.setattr("trainer.sampling.runner.make_vector_env", Turns)
    run = make_config({
        "game": SPEC.id, "algorithm": algorithm, "training": {"batch": 80, **TRAINING[algorithm]},
        "resources": {"games": 4}, "wrappers": {"normalise": True},
    })  # fmt: skip
    config = make_algorithm_config(run, SPEC, Turns(SPEC, 1))
    runner = SelfPlayRunner(config=config, worker_index=0)
    learner = config.build_learner(spaces=runner.get_spaces())
    module = learner.module["main"]
    moments, step, learnt_with = module.network.eyes.preprocess.moments, learner._update, []

    def update(batch):
        learnt_with.append((float(moments.count), moments.mean.tolist(), forwarded(module, batch["main"])))
        return step(batch)

    monkeypatch.setattr(learner, "_update", update)
    counts = []
    for _ in range(2):
        played = runner.network("main").eyes.preprocess.moments
        drawn_with, episodes = (float(played.count), played.mean.tolist()), runner.sample()
        learnt_with.clear()
        Learner.update(learner, training_data=data_of(config, episodes), minibatch_size=config.minibatch_size)
        assert {count for count, _, _ in learnt_with} == {drawn_with[0]}
        assert all(mean == drawn_with[1] for _, mean, _ in learnt_with)
        if algorithm == "PPO":  # the first minibatch is evaluated by the policy that acted
            ours, theirs = learnt_with[0][2]
            np.testing.assert_allclose(ours, theirs, atol=1e-5)
        counts.append(float(moments.count))
        runner.module["main"].set_state(module.get_state())
    assert 0 < counts[0] < counts[1]


def test_a_fragment_played_ahead_is_learnt_with_the_statistics_that_it_was_played_with(monkeypatch):
    """The policy all but stays the same, and other statistics would change what it does."""
    monkeypatch.setattr("trainer.sampling.runner.make_vector_env", Turns)
    run = make_config({
        "game": SPEC.id, "training": {"batch": 80, "minibatch": 40, "lr": 1e-12},
        "resources": {"games": 4, "runners": 1, "overlap": True}, "wrappers": {"normalise": True},
    })  # fmt: skip
    config = make_algorithm_config(run, SPEC, Turns(SPEC, 1))
    runner = config.env_runner_cls(config=config, worker_index=1)
    learner = config.build_learner(spaces=runner.get_spaces())
    network = learner.module["main"].network
    with torch.no_grad():
        network.pi.layers[-1].weight.mul_(100)
    means = []
    for _ in range(4):
        runner.set_state({"rl_module": copy.deepcopy(learner.module.get_state())})  # as ray sends it
        data = TrainingData(episodes=runner.sample())
        settings = {"num_epochs": config.num_epochs, "minibatch_size": config.minibatch_size}
        figures = learner.update(training_data=data, timesteps={}, **settings)
        assert float(figures["main"]["mean_kl_loss"].peek()) < 1e-6  # of rounding
        means.append(float(network.eyes.preprocess.moments.count))
    assert means == sorted(set(means)), "they move nevertheless"
    runner.stop()


def forwarded(module, batch):
    """The inputs of the action distribution now, and as recorded where they are."""
    with torch.no_grad():
        now = module._forward(batch)["action_dist_inputs"].numpy()
    return now, batch["action_dist_inputs"].numpy() if "action_dist_inputs" in batch else now


def data_of(config, episodes):
    if config.algo_class.__name__.startswith("Replay"):
        buffer = Replay(capacity=500, seed=0)
        buffer.add(episodes)
        episodes = buffer.sample(64)
    return TrainingData(episodes=episodes)


def test_stacked_observations_are_all_normalised_by_the_newest_statistics():
    run = make_config({"game": "test/game", "wrappers": {"normalise": True, "stack": 3}, "network": {"hidden": [8]}})
    network = make_network(run, spaces.Box(-9, 9, (2,), np.float32), spaces.Discrete(2))
    first, second = torch.tensor([[4.0, -1.0]]), torch.tensor([[5.0, 2.0]])
    before = network.decide(first, None, network.begin(1)).memory
    network.observe_rows(torch.randn((50, 2), generator=torch.Generator().manual_seed(0)) * 3 + 2)
    after = network.decide(first, None, network.begin(1)).memory
    assert torch.equal(network.decide(second, None, before).inputs, network.decide(second, None, after).inputs)
