"""A2C, IMPALA and APPO: what one update does, by hand, and that they learn."""

import copy

import numpy as np
import pytest
import torch
from ray.rllib.core.learner.training_data import TrainingData

from tests.support.runners import SPEC, Turns
from trainer.algorithms.make import make_algorithm, make_algorithm_config
from trainer.config.reading import make_config
from trainer.sampling.runner import SelfPlayRunner

ALGORITHMS = ["A2C", "IMPALA", "APPO"]
VALUE_LOSS, ENTROPY, GRAD_CLIP = 0.7, 0.02, 0.4


class Choices(Turns):
    """At each of its plies a seat is paid for action 1 and fined for action 0."""

    def step(self, actions):
        paid = np.where(self.acting, 2.0 * actions[0] - 1.0, 0.0)
        super().step(actions)
        self.rewards[:] = paid


def make_run(algorithm, **training):
    training = {"batch": 80, "gamma": 1.0, "entropy": ENTROPY, "value_loss": VALUE_LOSS, "lr": 0.01} | training
    if algorithm != "A2C":
        training |= {"minibatch": 80, "sequence": 64} | ({"epochs": 1} if algorithm == "APPO" else {})
    return make_config(
        {"game": SPEC.id, "algorithm": algorithm, "training": training, "resources": {"games": 4}, "seed": 1}
    )


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_one_update_on_policy_is_the_plain_policy_gradient_and_value_step(algorithm, monkeypatch, ray_cluster):
    """In a game whose returns are known; torch does here what RLlib's learner must do."""
    monkeypatch.setattr("trainer.sampling.runner.make_vector_env", Turns)
    config = make_algorithm_config(make_run(algorithm, grad_clip=GRAD_CLIP), SPEC, Turns(SPEC, 1))
    runner = SelfPlayRunner(config=config, worker_index=0)
    learner = config.build_learner(spaces=runner.get_spaces())
    learner.module["main"].set_state(runner.module["main"].get_state())
    network = copy.deepcopy(runner.network("main"))
    episodes = runner.sample()
    learner.update(training_data=TrainingData(episodes=episodes), timesteps={})

    columns = episodes[0].columns["main"]
    rows = columns.get("loss_mask", np.ones(len(columns["obs"]), np.bool_))
    seen, actions = torch.as_tensor(columns["obs"][rows]), torch.as_tensor(columns["actions"][rows])
    returns = torch.where(seen[:, 0] % 2 == 0, 1.0, -1.0)  # whoever moves last wins
    assert len(seen) == 80
    heads = network.decide(seen, None, {})
    policy = torch.distributions.Categorical(logits=heads.inputs)
    advantages = (returns - heads.value).detach()
    square = VALUE_LOSS if algorithm == "A2C" else VALUE_LOSS / 2  # RLlib halves it in one and not in the other
    loss = -policy.log_prob(actions) * advantages - ENTROPY * policy.entropy() + square * (heads.value - returns) ** 2
    adam = torch.optim.Adam(network.parameters(), lr=0.01, eps=1e-5)
    loss.mean().backward()
    assert torch.nn.utils.clip_grad_norm_(network.parameters(), GRAD_CLIP) > GRAD_CLIP
    adam.step()
    for name, weight in network.state_dict().items():
        learnt = learner.module["main"].unwrapped().network.state_dict()[name]
        assert learnt.numpy() == pytest.approx(weight.numpy(), abs=5e-5), name  # of steps of 0.01


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_better_action_is_learnt_and_a_checkpoint_goes_on_from_there(algorithm, monkeypatch, tmp_path, ray_cluster):
    for place in ("trainer.sampling.runner.make_vector_env", "trainer.algorithms.make.make_vector_env"):
        monkeypatch.setattr(place, Choices)
    run = make_run(algorithm, lr=0.02)
    algorithm_of_run = make_algorithm(run, SPEC)
    for _ in range(20):
        algorithm_of_run.train()
    assert chance_of_the_better(algorithm_of_run) > 0.9
    algorithm_of_run.save_to_path(tmp_path / "saved")
    learnt = state_of(algorithm_of_run)
    algorithm_of_run.stop()
    again = make_algorithm(run, SPEC)
    assert chance_of_the_better(again) < 0.7
    again.restore_from_path(tmp_path / "saved")
    assert chance_of_the_better(again) > 0.9
    restored = state_of(again)
    assert restored.keys() == learnt.keys()
    for name, weight in learnt.items():
        assert np.array_equal(restored[name], weight), name
    again.train()
    assert chance_of_the_better(again) > 0.9
    again.stop()


def chance_of_the_better(algorithm):
    network = algorithm.env_runner.network("main")
    with torch.no_grad():
        logits = network(torch.arange(5.0)[:, None]).inputs
    return float(logits.softmax(dim=1)[:, 1].min())


def state_of(algorithm):
    """All that the learner's policy is made of, a target network included."""
    return algorithm.learner_group.get_weights()["main"]
