"""One call of each runner an iteration: what is learnt is what RLlib's own loop learns."""

import numpy as np
import pytest
from ray.rllib.algorithms.ppo import PPO

from arcade.games import find_game
from arcade.match.batch.make import make_vector_env
from trainer.algorithms.make import make_algorithm_config
from trainer.config.reading import make_config
from trainer.sampling.few_calls import FewCalls

VOLLEY = find_game("house/volley")


def train(algorithm, resources):
    """The algorithm after four iterations, their results, and the weights of all its runners."""
    settings = {"game": VOLLEY.id, "seed": 3, "training": {"batch": 256, "minibatch": 64}, "resources": resources}
    run = make_config(settings | {"network": {"hidden": [16, 16]}})
    with make_vector_env(VOLLEY, 1) as batch:
        config = make_algorithm_config(run, VOLLEY, batch)
    config.algo_class = algorithm
    built = config.build_algo()
    try:
        if algorithm is PPO:  # its remote runners begin with weights of their own
            built.env_runner_group.sync_weights(from_worker_or_learner_group=built.learner_group)
        results = [built.train() for _ in range(4)]
        states = built.env_runner_group.foreach_env_runner(lambda runner: runner.module["main"].get_state())
    finally:
        built.stop()
    return results, states


@pytest.mark.parametrize(
    "resources",
    [{"games": 16, "runners": 0}, {"games": 8, "runners": 2}, {"games": 8, "runners": 2, "overlap": True}],
    ids=["in this process", "two runners", "two that play ahead"],
)
def test_the_same_is_learnt_and_counted(resources, ray_cluster):
    (ours, (local, *_)), (stock, (expected, *_)) = train(FewCalls, resources), train(PPO, resources)
    for name, weight in expected.items():
        assert np.array_equal(local[name], weight), name
    for key in ("num_env_steps_sampled", "num_env_steps_sampled_lifetime"):
        assert [one["env_runners"][key] for one in ours] == [one["env_runners"][key] for one in stock]
    for name in ("total_loss", "entropy", "vf_loss"):
        learnt = [[one["learners"]["main"][name] for one in results] for results in (ours, stock)]
        assert learnt[0] == learnt[1], name
