"""A remote runner that dies is replaced, and the run goes on."""

import os
import signal
from types import SimpleNamespace

import numpy as np
import pytest

from tests.support.runs import close, make_run
from trainer.algorithms.make import FAILURES, Replacements, RunnerError

SETTINGS = {
    "steps": 100_000, "training": {"batch": 256, "minibatch": 128}, "evaluation": {"steps": 0},
    "freeze": {"placement_games": 0}, "resources": {"games": 8, "runners": 1},
}  # fmt: skip


def remote(run, look):
    """What `look` finds in the one remote runner."""
    (found,) = run.algorithm.env_runner_group.foreach_env_runner(look, local_env_runner=False)
    return found


def weights(runner):
    return np.concatenate([weight.reshape(-1) for weight in runner.module["main"].get_state().values()])


@pytest.mark.parametrize(("algorithm", "overlap"), [("PPO", True), ("APPO", False)])
def test_a_killed_runner_is_replaced_and_equipped_again(algorithm, overlap, tmp_path, ray_cluster):
    resources = SETTINGS["resources"] | {"overlap": overlap}
    run = make_run("house/volley", SETTINGS | {"algorithm": algorithm, "resources": resources}, tmp_path)
    try:
        run._freeze(run.lineages[0], "start")
        run._iterate()
        lost = remote(run, lambda runner: os.getpid())
        os.kill(lost, signal.SIGKILL)
        step, learnt = run.step, [weights(run.runner)]
        while not run.algorithm.env_runner_group.num_remote_worker_restarts():
            run._iterate()  # which waits for its env steps
            learnt.append(weights(run.runner))
        run._iterate()
        assert run.step > step
        assert remote(run, lambda runner: os.getpid()) != lost
        assert remote(run, lambda runner: list(runner.opponents.snapshots)) == ["test-0000"]
        acts_by = remote(run, weights)  # not those of a fresh runner; newer ones may be under way
        assert any(np.array_equal(acts_by, after) for after in [*learnt, weights(run.runner)])
    finally:
        close(run)


def test_runners_that_fail_again_and_again_end_the_run():
    steps, equipped = [0], []
    algorithm = SimpleNamespace(
        metrics=SimpleNamespace(peek=lambda key, default: steps[0]),
        env_runner=SimpleNamespace(equipment=lambda: "all"),
    )
    group = SimpleNamespace(foreach_env_runner=lambda call, remote_worker_ids, **_: equipped.append(remote_worker_ids))
    replacements = Replacements()

    def lose(index):
        replacements.on_env_runners_recreated(
            algorithm=algorithm, env_runner_group=group, env_runner_indices=[index], is_evaluation=False
        )

    for _ in range(3):
        for _ in range(FAILURES):
            lose(1)
        steps[0] += 1  # a fragment came
    for _ in range(FAILURES):
        lose(2)
    with pytest.raises(RunnerError, match=r"resources\.runners = 0"):
        lose(2)
    assert equipped == [[1]] * 3 * FAILURES + [[2]] * FAILURES
