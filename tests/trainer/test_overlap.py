"""Playing ahead changes when things hold, and nothing else."""

import numpy as np
import pytest

from agents.snapshots.store import SnapshotStore
from tests.support.runners import SPEC, Turns, freeze, meet
from trainer.algorithms.make import make_algorithm_config
from trainer.config.reading import make_config
from trainer.sampling.runner import OverlappedRunner, SelfPlayRunner


@pytest.fixture
def make_runner(monkeypatch):
    monkeypatch.setattr("trainer.sampling.runner.make_vector_env", Turns)
    made = []

    def make(*, overlap, worker_index=1, **opponents):
        settings = {
            "game": SPEC.id, "opponents": opponents, "training": {"batch": 80, "minibatch": 40},
            "resources": {"games": 4, "runners": 1, "overlap": overlap},
        }  # fmt: skip
        config = make_algorithm_config(make_config(settings), SPEC, Turns(SPEC, 1))
        made.append(config.env_runner_cls(config=config, worker_index=worker_index))
        return made[-1]

    yield make
    for runner in made:
        runner.stop()


def rows(runner):
    (decisions,) = runner.sample()
    return decisions.columns["main"]


def logits(runner):
    """What the policy of the newest fragment gives for the fourth ply."""
    columns = rows(runner)
    return columns["action_dist_inputs"][columns["obs"][:, 0] == 3][0]


def halve(runner):
    """Other weights, as RLlib sends them."""
    state = runner.get_state()
    state["rl_module"] = {"main": {name: weight / 2 for name, weight in state["rl_module"]["main"].items()}}
    runner.set_state(state)


def test_the_same_is_played_told_and_counted(make_runner):
    ahead, plain = make_runner(overlap=True), make_runner(overlap=False)
    assert isinstance(ahead, OverlappedRunner)
    assert type(plain) is SelfPlayRunner
    ahead.set_state(plain.get_state())
    for _ in range(4):
        expected, found = rows(plain), rows(ahead)
        assert expected.keys() == found.keys()
        for name, column in expected.items():
            assert np.array_equal(column, found[name]), name
        report = plain.pop_report()
        assert report.results
        assert ahead.pop_report() == report  # with the generator as it was before the fragment under way
        steps = [runner.get_metrics()["num_env_steps_sampled"].peek() for runner in (ahead, plain)]
        assert steps[0] == steps[1] == 80


def test_new_weights_hold_from_the_fragment_after_the_one_under_way(make_runner):
    runner = make_runner(overlap=True)
    before = logits(runner)
    halve(runner)
    assert logits(runner) == pytest.approx(before)
    assert logits(runner) != pytest.approx(before, rel=1e-3)


def test_opponents_join_between_fragments(make_runner, tmp_path):
    runner = make_runner(overlap=True, play_against_latest_model_ratio=0.0)
    runner.sample()
    store = SnapshotStore(tmp_path)
    for name in ("one", "two"):
        meet(runner, freeze(runner, store, name))
    runner.sample()  # was under way as it came
    assert {result.opponent for result in runner.pop_report().results} == {""}
    runner.sample()
    runner.pop_report()  # games that began without it end
    runner.sample()
    assert {result.opponent for result in runner.pop_report().results} == {"two"}
    assert list(runner.opponents.snapshots) == ["two"]  # the newest mix has all that are met


def test_an_error_of_the_thread_is_raised_by_the_next_sample(make_runner, monkeypatch):
    runner, step = make_runner(overlap=True), Turns.step
    ticks = iter(range(runner.run.ticks))

    def fail_after_a_fragment(self, actions):
        if next(ticks, None) is None:
            raise ValueError("no such move")
        step(self, actions)

    monkeypatch.setattr(Turns, "step", fail_after_a_fragment)
    runner.sample()
    with pytest.raises(ValueError, match="no such move"):
        runner.sample()


def test_in_the_drivers_process_nothing_is_played_ahead(make_runner):
    runner = make_runner(overlap=True, worker_index=0)
    before = logits(runner)
    halve(runner)
    assert logits(runner) != pytest.approx(before, rel=1e-3)
