"""APPO: several gradient steps a batch against one target policy, so that its clipping has an effect."""

import json

import pytest
from ray.rllib.core.learner.training_data import TrainingData

from tests.support.runners import SPEC, Turns
from tests.support.runs import finish, make_run
from trainer.algorithms.appo import clip_fraction
from trainer.algorithms.make import make_algorithm_config
from trainer.config.reading import make_config
from trainer.sampling.runner import SelfPlayRunner


@pytest.mark.parametrize(("epochs", "steps"), [(1, 1), (1, 4), (3, 4)])
def test_the_policy_leaves_the_clipping_range_within_a_batch_and_not_before(epochs, steps, monkeypatch):
    monkeypatch.setattr("trainer.sampling.runner.make_vector_env", Turns)
    training = {"batch": 160, "minibatch": 160 // steps, "sequence": 8, "epochs": epochs, "lr": 0.05, "clip": 0.1}
    run = make_config({"game": SPEC.id, "algorithm": "APPO", "training": training, "resources": {"games": 4}})
    config = make_algorithm_config(run, SPEC, Turns(SPEC, 1))
    runner = SelfPlayRunner(config=config, worker_index=0)
    learner = config.build_learner(spaces=runner.get_spaces())
    step, fractions = learner.learn_directly, []

    def measured(*args):
        loss = step(*args)
        fractions.append(float(clip_fraction(learner._decisions("main"), clip=0.1)))
        return loss

    monkeypatch.setattr(learner, "learn_directly", measured)
    for _ in range(2):
        fractions.clear()
        learner.update(
            training_data=TrainingData(episodes=runner.sample()), num_epochs=config.num_epochs,
            minibatch_size=config.minibatch_size,
        )  # fmt: skip
        assert len(fractions) >= epochs * steps
        assert fractions[0] == 0
        runner.module["main"].set_state(learner.module["main"].get_state())
    assert (max(fractions) > 0) == (epochs * steps > 1)


def test_the_metrics_of_a_run_have_the_clip_fraction(tmp_path, ray_cluster):
    settings = {
        "algorithm": "APPO", "steps": 1536, "resources": {"games": 8}, "evaluation": {"steps": 0},
        "training": {"batch": 512, "minibatch": 128, "epochs": 3, "lr": 0.05}, "freeze": {"at_start": False},
    }  # fmt: skip
    finish(make_run("house/volley", settings, tmp_path))
    lines = [json.loads(line) for line in (tmp_path / "runs/test/metrics.jsonl").read_text().splitlines()]
    assert 0 < max(line.get("clip_fraction", 0.0) for line in lines) <= 1
