"""APPO: several gradient steps a batch against one target network, so that its clipping has an effect."""

import json

import numpy as np
import pytest
from ray.rllib.core.learner.learner import Learner
from ray.rllib.core.learner.training_data import TrainingData

from tests.support.runners import SPEC, Turns
from tests.support.runs import finish, make_run
from trainer.algorithms.appo import clip_fraction
from trainer.algorithms.make import make_algorithm_config
from trainer.config.reading import make_config
from trainer.sampling.runner import SelfPlayRunner


@pytest.mark.parametrize(("epochs", "steps"), [(1, 1), (1, 4), (3, 4)])
def test_the_policy_leaves_the_clipping_range_within_a_batch_and_the_target_follows_behind_it(
    epochs, steps, monkeypatch
):
    monkeypatch.setattr("trainer.sampling.runner.make_vector_env", Turns)
    training = {"batch": 160, "minibatch": 160 // steps, "sequence": 8, "epochs": epochs, "lr": 0.05, "clip": 0.1}
    run = make_config({"game": SPEC.id, "algorithm": "APPO", "training": training, "resources": {"games": 4}})
    config = make_algorithm_config(run, SPEC, Turns(SPEC, 1))
    runner = SelfPlayRunner(config=config, worker_index=0)
    learner = config.build_learner(spaces=runner.get_spaces())
    module, fractions = learner.module["main"], []

    def measured(*args, **kwargs):
        fractions.append(float(clip_fraction(*args, **kwargs)))
        return fractions[-1]

    monkeypatch.setattr("trainer.algorithms.appo.clip_fraction", measured)
    for _ in range(2):
        fractions.clear()
        Learner.update(
            learner, training_data=TrainingData(episodes=runner.sample()), num_epochs=config.num_epochs,
            minibatch_size=config.minibatch_size,
        )  # fmt: skip
        assert len(fractions) >= epochs * steps
        assert fractions[0] == 0  # the policy is the target network before the first step
        ((main, target),) = module.get_target_network_pairs()
        for name, weight in main.state_dict().items():
            assert np.array_equal(weight, target.state_dict()[name]), name
        runner.module["main"].set_state(module.get_state())
    assert (max(fractions) > 0) == (epochs * steps > 1)
    learner.shutdown()


def test_the_metrics_of_a_run_have_the_clip_fraction(tmp_path, ray_cluster):
    settings = {
        "algorithm": "APPO", "steps": 1536, "resources": {"games": 8}, "evaluation": {"steps": 0},
        "training": {"batch": 512, "minibatch": 128, "epochs": 3, "lr": 0.05}, "freeze": {"at_start": False},
    }  # fmt: skip
    finish(make_run("house/volley", settings, tmp_path))
    lines = [json.loads(line) for line in (tmp_path / "runs/test/metrics.jsonl").read_text().splitlines()]
    assert 0 < max(line.get("clip_fraction", 0.0) for line in lines) <= 1


def test_an_error_anywhere_in_the_learner_thread_is_raised_by_the_next_update(monkeypatch):
    """RLlib's own update waits for ever."""
    monkeypatch.setattr("trainer.sampling.runner.make_vector_env", Turns)
    training = {"batch": 80, "minibatch": 80}
    run = make_config({"game": SPEC.id, "algorithm": "IMPALA", "training": training, "resources": {"games": 4}})
    config = make_algorithm_config(run, SPEC, Turns(SPEC, 1))
    runner = SelfPlayRunner(config=config, worker_index=0)
    learner = config.build_learner(spaces=runner.get_spaces())

    def fail(rows):
        raise ArithmeticError("no statistics today")

    monkeypatch.setattr(learner.module["main"], "observe_rows", fail)
    with pytest.raises(RuntimeError, match="the learner thread ended: no statistics today"):
        learner.update(training_data=TrainingData(episodes=runner.sample()), timesteps={})
    learner.shutdown()
