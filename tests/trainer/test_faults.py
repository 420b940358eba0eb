"""A remote runner that dies is replaced, and the run goes on."""

import os
import signal
from types import SimpleNamespace

import numpy as np
import pytest

from tests.trainer.test_self_play import close, make_run
from trainer.algorithms.lost_runners import FAILURES, Replacements, RunnerError

SETTINGS = {
    "steps": 100_000, "training": {"batch": 256, "minibatch": 128}, "evaluation": {"steps": 0},
    "freeze": {"placement_games": 0}, "resources": {"games": 8, "runners": 1},
}  # fmt: skip


def remote(run, look):
    """What `look` finds in the one remote runner."""
    (found,) = run.algorithm.env_runner_group.foreach_env_runner(look, local_env_runner=False)
    return found


@pytest.mark.parametrize(("algorithm", "overlap"), [("PPO", True), ("APPO", False)])
def test_a_killed_runner_is_replaced_and_equipped_again(algorithm, overlap, tmp_path, ray_cluster):
    resources = SETTINGS["resources"] | {"overlap": overlap}
    run = make_run("house/volley", SETTINGS | {"algorithm": algorithm, "resources": resources}, tmp_path)
    run._freeze(run.lineages[0], "start")
    run._iterate()
    assert remote(run, lambda runner: tuple(runner.opponents.snapshots)) == ("test-0000",)
    lost = remote(run, lambda runner: os.getpid())
    os.kill(lost, signal.SIGKILL)
    step, restarts = run.step, 0
    while not restarts:  # each waits for its env steps
        run._iterate()
        restarts = run.algorithm.env_runner_group.num_remote_worker_restarts()
    before = run.runner.module["main"].get_state()
    run._iterate()
    assert run.step > step
    assert remote(run, lambda runner: os.getpid()) != lost
    assert remote(run, lambda runner: tuple(runner.opponents.snapshots)) == ("test-0000",)
    weights = remote(run, lambda runner: runner.module["main"].get_state())
    newest = before if overlap else run.runner.module["main"].get_state()  # the others wait for the next fragment
    for name, weight in newest.items():
        assert np.array_equal(weights[name], weight), name
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
