"""Several learners: how a batch is shared out, and that they stay equal."""

import numpy as np
import pytest
from ray.rllib.utils.minibatch_utils import ShardEpisodesIterator

from arcade.games import find_game
from trainer.algorithms.make import make_algorithm
from trainer.config.reading import make_config
from trainer.sampling.rollout import Decisions


def decisions(env_steps, **rows):
    """So many rows a policy, numbered."""
    return Decisions(
        {id: {"obs": np.arange(count), "wide": np.zeros((count, 2))} for id, count in rows.items()}, env_steps
    )


@pytest.mark.parametrize("learners", [2, 3])
def test_every_row_is_some_learners_and_every_policy_is_with_all(learners):
    shares = list(ShardEpisodesIterator([decisions(100, main=157, rare=1, none=0)], num_shards=learners))
    assert len(shares) == learners
    for share in shares:
        assert sum(len(part) for part in share) in (100 // learners, 100 // learners + 1)
        assert sum(len(part.columns["rare"]["obs"]) for part in share) == 1
        assert all(part.columns["main"]["wide"].shape == (len(part.columns["main"]["obs"]), 2) for part in share)
    seen = np.concatenate([part.columns["main"]["obs"] for share in shares for part in share])
    assert set(seen) == set(range(157))
    assert len(seen) <= 157 + learners - 1


def test_what_several_runners_played_is_shared_out_evenly():
    shares = list(ShardEpisodesIterator([decisions(60, main=90) for _ in range(3)], num_shards=2))
    assert [sum(len(part) for part in share) for share in shares] == [90, 90]
    assert [sum(len(part.columns["main"]["obs"]) for part in share) for share in shares] == [135, 135]


@pytest.mark.parametrize(
    ("algorithm", "policies"),
    [("PPO", {"kind": "shared_value_function"}), ("APPO", {"kind": "independent", "shared_encoder": True})],
)
def test_two_learners_stay_equal(algorithm, policies, ray_cluster):
    """Also in the critic or encoder that their policies share, and in running statistics."""
    settings = {
        "game": "mpe/simple_tag_v3", "algorithm": algorithm, "policies": policies,
        "training": {"batch": 96, "minibatch": 48}, "wrappers": {"normalise": True}, "network": {"hidden": [16, 16]},
        "resources": {"games": 4, "learners": 2, "cpus_per_learner": 0},
    }  # fmt: skip
    algo = make_algorithm(make_config(settings), find_game(settings["game"]))
    before = weights_of(algo)[0]
    for _ in range(3):
        algo.train()
    first, second = weights_of(algo)
    assert first.keys() == second.keys() == before.keys()
    shared = {name for name in first if name.startswith(("critic", "encoder"))}
    assert shared
    changed = {name for name in first if not np.array_equal(first[name], before[name])}
    assert changed >= {name for name in shared if name.endswith("weight")}
    for name, weight in first.items():
        assert second[name] == pytest.approx(weight, abs=1e-6), name
    algo.stop()


def weights_of(algorithm):
    """Of each learner: module and name to weight or statistic."""
    results = algorithm.learner_group.foreach_learner(
        lambda learner: {
            f"{id}/{name}": weight
            for id, module in learner.module.items()
            for name, weight in module.unwrapped().get_state().items()
        }
    )
    return [result.get() for result in results]
