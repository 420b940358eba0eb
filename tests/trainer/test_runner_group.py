"""The driver of an asynchronous algorithm waits for no runner between iterations."""

from pathlib import Path
from types import SimpleNamespace

import pytest
import ray

from agents.matchmaking.pool import Member
from tests.support.runs import close, make_run
from trainer.runs.checkpoint import read_generators
from trainer.sampling.runner import Report
from trainer.sampling.runner_group import RunnerGroup


class Runner:
    """Plays a fragment until a file appears."""

    def __init__(self):
        self.told, self.reports = [], 0

    def apply(self, call):
        return call(self)

    def play(self, path):
        import time

        while not Path(path).exists():
            time.sleep(0.01)

    def pop_report(self):
        self.reports += 1
        return Report(alive=frozenset({f"report {self.reports}"}))


@pytest.fixture
def actor(ray_cluster):
    actor = ray.remote(num_cpus=0)(Runner).remote()
    yield actor
    ray.kill(actor)


def group_of(actor, local):
    manager = SimpleNamespace(actors=lambda: {1: actor})
    return RunnerGroup(
        SimpleNamespace(env_runner=local, env_runner_group=SimpleNamespace(_worker_manager=manager)), waits=False
    )


def names(reports):
    return [name for report in reports for name in report.alive]


def test_nothing_waits_for_a_runner_in_the_middle_of_a_fragment(actor, tmp_path):
    local = Runner()
    group = group_of(actor, local)
    playing = actor.play.remote(str(tmp_path / "go"))
    for number in range(3):
        group.tell(lambda runner, number=number: runner.told.append(number))
        assert names(group.reports()) == [f"report {number + 1}"]  # the local one's alone
    assert local.told == [0, 1, 2]
    (tmp_path / "go").touch()
    ray.get([playing, actor.apply.remote(lambda runner: None)])
    assert ray.get(actor.apply.remote(lambda runner: runner.told)) == [0]  # later ones were not piled up
    group.tell(lambda runner: runner.told.append(3))
    assert ray.get(actor.apply.remote(lambda runner: runner.told)) == [0, 3]
    assert names(group.reports()) == ["report 4", "report 1"]
    ray.get(actor.apply.remote(lambda runner: None))
    assert names(group.reports()) == ["report 5", "report 2"]


def test_a_lost_runner_has_no_report(actor, tmp_path):
    group = group_of(actor, Runner())
    group.reports()
    ray.kill(actor)
    ray.wait([group._asked[1]], timeout=60)
    assert names(group.reports()) == ["report 2"]


def test_a_checkpoint_waits_for_no_runner_and_has_its_newest_generator(tmp_path, ray_cluster):
    settings = {
        "algorithm": "IMPALA", "resources": {"games": 8, "runners": 1}, "evaluation": {"steps": 0},
        "training": {"batch": 512, "minibatch": 256}, "freeze": {"at_start": False},
    }  # fmt: skip
    run = make_run("house/volley", settings, tmp_path)
    try:
        while "1" not in run.runners.generators:
            run._iterate()
        (actor,) = run.runners._actors.values()
        busy = actor.apply.remote(wait_for(tmp_path / "go"))
        path = run.save_checkpoint()
        assert not ray.wait([busy], timeout=0)[0]
        saved = read_generators(path)
        assert saved.keys() == {"0", "1"}
        (tmp_path / "go").touch()
    finally:
        close(run)
    again = make_run("house/volley", settings, tmp_path, resume=True)
    try:
        (actor,) = again.runners._actors.values()
        assert ray.get(actor.apply.remote(lambda runner: runner.rng.bit_generator.state)) == saved["1"]
        assert read_generators(again.save_checkpoint()) == saved  # before a runner has reported again
    finally:
        close(again)


def wait_for(path):
    """A call that lasts until a file appears."""

    def wait(runner):
        import time

        while not path.exists():
            time.sleep(0.01)

    return wait


@pytest.mark.parametrize("algorithm", ["IMPALA", "APPO"])
def test_a_remote_runner_meets_what_was_frozen_and_tells_of_it(algorithm, tmp_path, ray_cluster):
    settings = {
        "algorithm": algorithm, "steps": 16_384, "resources": {"games": 8, "runners": 1}, "evaluation": {"steps": 0},
        "training": {"batch": 512, "minibatch": 256}, "wrappers": {"max_ticks": 16},
        "freeze": {"save_steps": 4096}, "opponents": {"play_against_latest_model_ratio": 0.0},
    }  # fmt: skip
    run = make_run("house/volley", settings, tmp_path)
    try:
        for lineage in run.lineages:
            run._freeze(lineage, "start")
        while not run.lineages[0].pool.recent().games and run.iteration < 200:
            run._iterate()
        assert run.lineages[0].pool.members[0] == Member("test-0000", "snapshot", "main", 0)
        assert run.lineages[0].pool.recent().games
    finally:
        close(run)
