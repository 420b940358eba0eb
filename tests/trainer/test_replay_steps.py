"""The gradient steps of DQN and SAC: their step size falls over the run, and Adam has the run's epsilon."""

import pytest
from ray.rllib.core.learner.training_data import TrainingData

from tests.support.runners import SPEC, Turns
from trainer.algorithms.make import make_algorithm_config
from trainer.algorithms.replay import Replay
from trainer.config.reading import make_config
from trainer.sampling.runner import SelfPlayRunner


@pytest.mark.parametrize("algorithm", ["DQN", "SAC"])
def test_step_sizes_fall_over_the_steps_of_the_run(algorithm, monkeypatch):
    monkeypatch.setattr("trainer.sampling.runner.make_vector_env", Turns)
    training = {"batch": 80, "minibatch": 32, "lr": 1e-3, "lr_end": 0.2, "adam_epsilon": 1e-4}
    run = make_config({
        "game": SPEC.id, "algorithm": algorithm, "steps": 1000, "training": training, "resources": {"games": 4},
    })  # fmt: skip
    config = make_algorithm_config(run, SPEC, Turns(SPEC, 1))
    runner, buffer = SelfPlayRunner(config=config, worker_index=0), Replay(capacity=500, seed=0)
    learner = config.build_learner(spaces=runner.get_spaces())
    buffer.add(runner.sample())
    sizes = {}
    for steps in (0, 500, 5000):
        data = TrainingData(episodes=buffer.sample(32))
        learner.update(training_data=data, timesteps={"num_env_steps_sampled_lifetime": steps})
        groups = [adam.param_groups[0] for _, adam in learner.get_optimizers_for_module("main")]
        assert {group["eps"] for group in groups} == {1e-4}
        (sizes[steps],) = {group["lr"] for group in groups}
    assert [sizes[0], sizes[500], sizes[5000]] == pytest.approx([1e-3, 6e-4, 2e-4])
