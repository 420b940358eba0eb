"""A run with a time budget: it freezes by time, says how long it has left, ends by itself, and its files tell all."""

import time
from types import SimpleNamespace

from agents.snapshots.store import SnapshotStore
from arcade.games import find_game
from arcade.match.batch.make import make_vector_env
from arcade.session.training.run_files import read_run_files
from tests.support.event_log import EventLog
from tests.support.runs import VOLLEY, close, make_run
from trainer.config.reading import make_config
from trainer.league.lineage import FIRST_MINUTES, Lineage
from trainer.sampling.plan import make_plan


class Clock:
    """Advances by ten seconds at each look."""

    now = 0.0

    def __call__(self):
        self.now += 10.0
        return self.now


def make_lineage(folder, monkeypatch):
    """A lineage of a run that freezes each hour, and its clock."""
    config = make_config({"game": "house/volley", "freeze": {"save_steps": 0, "win_rate": 0, "minutes": 60.0}})
    spec, clock = find_game("house/volley"), SimpleNamespace(monotonic=lambda: clock.now, now=0.0)
    monkeypatch.setattr("trainer.league.lineage.time", clock)
    plan = make_plan(config.policies, make_vector_env(spec, 1))
    store = SnapshotStore(folder / "snapshots")
    return Lineage(plan.policies[0], config, spec, run_id="r", store=store, alone=True), clock


def test_the_first_snapshot_by_time_comes_soon_however_long_the_training(tmp_path, monkeypatch):
    lineage, clock = make_lineage(tmp_path, monkeypatch)
    lineage.frozen, lineage.names = 1, ["r-0"]  # the untrained policy
    clock.now = FIRST_MINUTES * 60
    assert lineage.due(1000) == "time"
    lineage.frozen, lineage.names = 2, ["r-0", "r-1"]
    assert lineage.due(1000) == ""
    clock.now = 60 * 60
    assert lineage.due(1000) == "time"


def test_a_run_that_continues_a_snapshot_has_an_opponent_and_makes_none_too_soon(tmp_path, monkeypatch):
    lineage, clock = make_lineage(tmp_path, monkeypatch)
    lineage.names = ["volley-1"]
    clock.now = FIRST_MINUTES * 60
    assert lineage.due(1000) == ""
    clock.now = 60 * 60
    assert lineage.due(1000) == "time"


def test_a_run_with_a_budget_ends_by_itself_and_freezes_its_last_part(tmp_path, ray_cluster, monkeypatch):
    settings = VOLLEY | {"minutes": 10.0, "evaluation": {"steps": 0}}
    settings |= {"freeze": {"save_steps": 0, "win_rate": 0, "minutes": 2.0, "at_end": True, "placement_games": 0}}
    run = make_run("house/volley", settings, tmp_path)
    clock = SimpleNamespace(monotonic=Clock(), time=time.time)
    for module in ("trainer.runs.training", "trainer.league.lineage"):
        monkeypatch.setattr(f"{module}.time", clock)
    with EventLog.of(run.server._publisher, run.server.endpoints["events"]):
        run.run()
        close(run)
    cards = SnapshotStore(tmp_path / "snapshots").list(run.spec.id)
    assert run.server.status.seconds_left == 0
    assert len(cards) > 2, "some were frozen on the way"
    assert cards[-1].step == run.step, "what it learnt last can be played against"
    files = read_run_files(tmp_path / "runs" / "test")
    assert (files.status.game, files.status.algorithm) == ("house/volley", "PPO")
    assert (files.status.step, files.status.snapshots) == (run.step, len(cards))
    assert [member.name for member in files.pools["main"]] == [card.name for card in cards]
    assert files.curves.of("steps_per_second")
