"""The arcade finds a trainer that runs and believes what it says, and no more."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from arcade.session.training.run_link import NewestTrainer
from arcade.session.training.runs import find_newest
from arcade.session.training.strength import strength_text
from arcade.session.worker import Worker

DEAD = 2**22 + 1  # above Linux's largest process id


@dataclass
class News:
    name: str
    data: dict


@dataclass
class Wire:
    """A subscription whose events the test writes."""

    endpoint: str
    waiting: list[News] = field(default_factory=list)
    closed: bool = False

    def poll(self) -> list[News]:
        news, self.waiting = self.waiting, []
        return news

    def close(self) -> None:
        self.closed = True


def write_run(runs: Path, name: str, *, pid: int, at: float = 0.0) -> None:
    path = runs / name / "endpoints.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"control": "tcp://127.0.0.1:1", "events": f"tcp://{name}:1", "pid": pid}))
    os.utime(path, (at, at))


@pytest.fixture
def link(tmp_path, monkeypatch):
    wires: list[Wire] = []

    def subscribe(endpoint: str) -> Wire:
        wires.append(Wire(endpoint))
        return wires[-1]

    monkeypatch.setattr("arcade.session.training.client.EventSubscriber", subscribe)
    with Worker() as worker:
        link = NewestTrainer(tmp_path, worker=worker)
        link.wires, link.worker = wires, worker
        yield link


def look(link, now: float) -> list[tuple[str, str]]:
    link.update(now)
    link.worker.settle(timeout=300)
    return news(link, now)


def news(link, now: float) -> list[tuple[str, str]]:
    link.update(now)
    return [(event.game, event.name) for event in link.take_frozen()]


def test_the_newest_run_whose_process_lives_is_found(tmp_path) -> None:
    assert find_newest(tmp_path) is None
    write_run(tmp_path, "old", pid=os.getpid(), at=1)
    write_run(tmp_path, "new", pid=os.getpid(), at=2)
    write_run(tmp_path, "crashed", pid=DEAD, at=3)
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "endpoints.json").write_text('{"events": ')
    assert find_newest(tmp_path).events == "tcp://new:1"


def test_events_become_status_and_frozen_snapshots(link, tmp_path) -> None:
    write_run(tmp_path, "run-1", pid=os.getpid())
    look(link, 0.0)
    [wire] = link.wires
    assert wire.endpoint == "tcp://run-1:1"
    wire.waiting = [
        News("status", {"state": "running", "step": 1000}),
        News("win_rates", {"win_rate": 0.6, "rates": {"volley-1": 0.5, "volley-2": 0.7}}),
        News("metrics", {"step": 2000, "loss": 0.1}),
        News("snapshot_frozen", {"name": "volley-3", "game": "house/volley", "step": 2000}),
        News("metrics", {"step": "many", "game": 5, "win_rate": 17.0}),
    ]
    assert news(link, 0.5) == [("house/volley", "volley-3")]
    assert news(link, 0.6) == []
    assert (link.status.step, link.status.state) == (2000, "running")
    assert link.client.win_rate == 0.6
    assert link.curves.of("loss") == {"": [(2000, 0.1)]}


def test_only_a_snapshot_that_measures_better_is_a_better_opponent(link, tmp_path) -> None:
    write_run(tmp_path, "run-1", pid=os.getpid())
    look(link, 0.0)
    counted = []
    for now, rate in enumerate((0.2, 0.5, 0.4, 0.5, 0.6), start=1):
        measured = News("metrics", {"step": now * 1000, "win_rate_random": rate})
        link.wires[0].waiting = [measured, News("snapshot_frozen", {"name": f"volley-{now}", "game": "house/volley"})]
        news(link, float(now))
        counted.append(link.arrivals)
    assert counted == [1, 2, 2, 2, 3]


def test_a_trainer_that_ends_is_forgotten_and_its_successor_heard(link, tmp_path) -> None:
    write_run(tmp_path, "run-1", pid=os.getpid(), at=1)
    look(link, 0.0)
    link.wires[0].waiting = [News("metrics", {"step": 2000, "loss": 0.1})]
    news(link, 0.5)
    (tmp_path / "run-1" / "endpoints.json").unlink()
    look(link, 5.0)
    assert link.client is None
    assert link.wires[0].closed
    write_run(tmp_path, "run-2", pid=os.getpid(), at=2)
    look(link, 10.0)
    assert [wire.endpoint for wire in link.wires] == ["tcp://run-1:1", "tcp://run-2:1"]
    assert not link.curves.of("loss"), "it is another run"


def test_what_was_measured_before_the_window_opened_is_told_with_its_matches(link, tmp_path) -> None:
    write_run(tmp_path, "run-1", pid=os.getpid())
    (tmp_path / "run-1" / "metrics.jsonl").write_text('{"step": 500, "win_rate_scripted": 0.25}\n')
    (tmp_path / "run-1" / "config.toml").write_text("[evaluation]\ngames = 32\n")
    look(link, 0.0)
    look(link, 0.1)
    link.wires[0].waiting = [News("metrics", {"step": 1000, "win_rate_random": 0.75})]
    news(link, 0.2)
    assert strength_text(link.strength) == "Wins 25% against the game's bot (32 matches)"
