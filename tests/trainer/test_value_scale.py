"""Values of any size: the critic learns them in their own deviations, and says them in the unit of rewards."""

import numpy as np
import pytest
import torch
from ray.rllib.core.learner.training_data import TrainingData

from arcade.games import find_game
from arcade.match.batch.make import make_vector_env
from trainer.algorithms.make import make_algorithm_config
from trainer.algorithms.value_moments import Scale, moved, scale_of
from trainer.algorithms.value_scale import normalised_outputs
from trainer.algorithms.vtrace import normalised_rewards, vtrace
from trainer.config.reading import make_config
from trainer.runs.stopping import CutOffError
from trainer.sampling.runner import SelfPlayRunner

SPEC = find_game("mpe/simple_spread_v3")


def explained(*, iterations, kind="parameter_sharing", **training):
    """How much of the value targets the critic explains after some updates, and the learner."""
    run = make_config({
        "game": SPEC.id, "seed": 3, "resources": {"games": 16}, "policies": {"kind": kind},
        "training": {"batch": 2048, "minibatch": 256, "epochs": 4, **training},
    })  # fmt: skip
    config = make_algorithm_config(run, SPEC, make_vector_env(SPEC, 1))
    runner = SelfPlayRunner(config=config, worker_index=0)
    torch.manual_seed(0)
    learner = config.build_learner(spaces=runner.get_spaces())
    for _ in range(iterations):
        for id in learner.module.keys():  # noqa: SIM118
            runner.module[id].set_state(learner.module[id].get_state())
        data = TrainingData(episodes=runner.sample())
        result = learner.update(training_data=data, minibatch_size=256, num_epochs=4, shuffle_batch_per_epoch=True)
    policy = runner.plan.policies[0].id
    return float(result[policy]["vf_explained_var"].peek()), learner


def test_moments_follow_the_targets_of_many_batches():
    rng, moments = np.random.default_rng(0), None
    for _ in range(80):
        values = rng.normal(-1400, 300, 256)
        moments = moved(moments, [len(values), values.sum(), (values**2).sum()])
    scale = scale_of(moments)
    assert scale.mean == pytest.approx(-1400, abs=20)
    assert scale.deviation == pytest.approx(300, rel=0.1)
    assert moved(moments, [0.0, 0.0, 0.0]) == moments


def test_the_first_batch_counts_whole():
    assert scale_of(moved(None, [4.0, 40.0, 404.0])) == pytest.approx((10.0, 1.0))
    assert scale_of([0.0, 0.0, 0.0]) == Scale(0.0, 1.0)


def test_a_layer_says_normalised_values_for_a_time_and_the_same_as_before_afterwards():
    layer, rows = torch.nn.Linear(3, 1), torch.randn(5, 3)
    before = layer(rows)
    with normalised_outputs({layer: Scale(-7.0, 4.0)}):
        assert torch.allclose(layer(rows), (before + 7) / 4, atol=1e-6)
    assert torch.allclose(layer(rows), before, atol=1e-5)


def test_a_layer_of_an_update_that_is_cut_off_is_as_before_too():
    layer, rows = torch.nn.Linear(3, 1), torch.randn(5, 3)
    before = layer(rows)
    with pytest.raises(CutOffError), normalised_outputs({layer: Scale(-7.0, 4.0)}):
        raise CutOffError
    assert torch.allclose(layer(rows), before, atol=1e-5)


def test_values_far_from_1_are_learnt_sooner():
    scaled, learner = explained(iterations=5, scale_values=True)
    assert scaled > explained(iterations=5)[0] + 0.1
    assert learner.moments["main"][1] < 0  # the returns of this game are negative


def test_one_critic_of_several_policies_has_one_scale():
    _, learner = explained(iterations=1, kind="shared_value_function", scale_values=True)
    assert learner.moments.keys() == {"critic"}


def test_the_moments_are_in_checkpoints():
    _, learner = explained(iterations=1, scale_values=True)
    _, fresh = explained(iterations=1, scale_values=True, gamma=0.5)
    fresh.set_state(learner.get_state())
    assert fresh.moments == learner.moments


def pieces():
    """Three pieces of three decisions and one row more; the second has an end in its middle, the third ends early."""
    torch.manual_seed(1)
    rows = {"rewards": torch.randn(3, 4)}
    rows["terminateds"] = torch.tensor([[0, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0]]).bool()
    decided = torch.tensor([[1, 1, 1, 0], [1, 1, 1, 0], [1, 1, 0, 0]])
    return rows, torch.randn(3, 4) * 3 - 7, decided * torch.rand(3, 4)


def test_v_trace_of_normalised_rewards_and_values_is_the_normalised_v_trace():
    (rows, values, weights), scale = pieces(), Scale(-7.0, 4.0)
    targets, advantages = vtrace(rows, values, weights, gamma=0.9)
    small = rows | {"rewards": normalised_rewards(rows, scale, gamma=0.9)}
    small_targets, small_advantages = vtrace(small, scale.normalised(values), weights, gamma=0.9)
    torch.testing.assert_close(small_targets, scale.normalised(targets), atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(small_advantages, advantages / 4, atol=1e-5, rtol=1e-5)


def off_policy_errors(algorithm, **training):
    """The critic's mean square error in deviations of its targets, after some updates."""
    run = make_config({
        "game": SPEC.id, "seed": 3, "algorithm": algorithm, "resources": {"games": 16},
        "policies": {"kind": "parameter_sharing"}, "training": {"batch": 1024, "minibatch": 256, **training},
    })  # fmt: skip
    config = make_algorithm_config(run, SPEC, make_vector_env(SPEC, 1))
    runner = SelfPlayRunner(config=config, worker_index=0)
    torch.manual_seed(0)
    learner = config.build_learner(spaces=runner.get_spaces())
    id = runner.plan.policies[0].id
    for _ in range(6):
        runner.module[id].set_state(learner.module[id].get_state())
        data = TrainingData(episodes=runner.sample())
        learner.update(training_data=data, num_epochs=4, minibatch_size=config.minibatch_size)
    rows = learner.whole_batch(TrainingData(episodes=runner.sample())).policy_batches[id]
    with torch.no_grad():
        errors = (
            learner.value_targets(id, rows) - learner.module[id].unwrapped().compute_values(rows)[rows["loss_mask"]]
        )
    return float(errors.square().mean() / learner.value_targets(id, rows).var())


@pytest.mark.parametrize("algorithm", ["IMPALA", "APPO"])
def test_critics_of_v_trace_learn_values_far_from_1_sooner(algorithm):
    assert off_policy_errors(algorithm, scale_values=True) < 0.8 * off_policy_errors(algorithm)
