"""A run that is not running shows what its files tell: its game, its steps and all its opponents."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.run_lock import RunLock, announce
from arcade.session.training.run_cards import RunCards
from arcade.session.training.run_files import read_run_files
from arcade.session.training.run_link import RunLink
from arcade.session.training.runs import find_runs
from arcade.session.training.words import training_text
from arcade.session.worker import Worker

SNAPSHOTS = [{"name": f"run-1-{n:04}", "step": n * 1000} for n in range(28)]


@pytest.fixture
def worker() -> Iterator[Worker]:
    with Worker() as worker:
        yield worker


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A stopped run, as a version that noted no pools left it."""
    folder = tmp_path / "run-1"
    folder.mkdir()
    (folder / "config.toml").write_text('game = "house/volley"\nalgorithm = "PPO"\n[opponents]\nfixed = ["scripted"]\n')
    (folder / "metrics.jsonl").write_text('{"step": 500, "score": 1.0}\n{"step": 27500, "score": 2.0}\n')
    write_manifest(folder, sessions=[{"pid": 5, "ended": "2026-11-22T10:00:00+00:00"}])
    return folder


def write_manifest(folder: Path, **more: object) -> None:
    results = {"win_rates": {"run-1-0003": 0.75, "run-1-0004": 7.0}}
    manifest = {"game": "house/volley", "algorithm": "PPO", "snapshots": SNAPSHOTS, "results": results, **more}
    (folder / "manifest.json").write_text(json.dumps(manifest))


def settled(link: RunLink, worker: Worker) -> RunLink:
    """After its first look."""
    link.update(0.0)
    deadline = time.monotonic() + 300
    while link.state == "looking" or worker.busy:
        assert time.monotonic() < deadline
        worker.settle()
    return link


def test_a_stopped_run_lists_its_opponents_and_is_not_starting(run, worker) -> None:
    link = settled(RunLink(worker=worker, folder=run), worker)
    assert link.state == "ended"
    assert (link.status.game, link.status.algorithm, link.status.step) == ("house/volley", "PPO", 27500)
    [members] = link.pools.of.values()
    assert [member.name for member in members] == ["scripted", *(entry["name"] for entry in SNAPSHOTS)]
    assert {member.name: member.win_rate for member in members if member.win_rate is not None} == {"run-1-0003": 0.75}
    assert link.curves.of("score") == {"": [(500, 1.0), (27500, 2.0)]}
    link.close()


def test_a_trainer_that_ends_is_stopping_and_one_that_begins_is_starting(run, worker) -> None:
    with RunLock(run):
        assert settled(RunLink(worker=worker, folder=run), worker).state == "starting"
        write_manifest(run, sessions=[{"pid": os.getpid(), "ended": "now"}])
        assert settled(RunLink(worker=worker, folder=run), worker).state == "stopping"


def test_a_run_that_starts_again_promises_no_first_opponent(run, worker) -> None:
    with RunLock(run):
        link = settled(RunLink(worker=worker, folder=run), worker)
        link.update(5.0)
        assert training_text(link, "Volley") == "Training Volley: starting again, 0:05 so far."


def test_a_run_killed_before_its_first_checkpoint_is_known_by_its_settings(run) -> None:
    (run / "manifest.json").unlink()
    files = read_run_files(run)
    assert files.status.game == "house/volley"
    assert [found.game for found in find_runs(run.parent)] == ["house/volley"]


def test_a_run_that_was_just_started_is_listed_before_its_trainer_has_written_anything(run) -> None:
    runs = run.parent
    (runs / "chess-2.json").write_text('{"game": "classic/chess_v6"}')
    assert [card.found.run for card in RunCards(runs).find()] == [run.name]
    first, second = RunCards(runs).find({"chess-2": 0})
    assert (first.found.game, first.state()) == ("classic/chess_v6", "Starting …")
    assert second.found.run == run.name
    assert "Ended" in second.state()


def test_a_trainer_that_writes_its_last_checkpoint_is_not_starting(run) -> None:
    with RunLock(run):
        assert find_runs(run.parent)[0].is_starting
        write_manifest(run, sessions=[{"pid": os.getpid(), "ended": "now"}])
        assert not find_runs(run.parent)[0].is_starting
    own = {run.name: os.getpid()}
    assert not find_runs(run.parent, own)[0].is_starting, "it has let go of the run, and its process still ends"


def test_a_training_that_outlives_its_window_is_found_while_it_starts(tmp_path) -> None:
    (tmp_path / "chess-2.json").write_text('{"game": "classic/chess_v6"}')
    with RunLock(tmp_path / "chess-2"):
        [card] = RunCards(tmp_path).find()
        assert (card.found.game, card.state()) == ("classic/chess_v6", "Starting …")
    assert not RunCards(tmp_path).find(), "without its trainer there is no training"


def test_it_is_found_even_before_its_trainer_has_locked_the_run(tmp_path, worker) -> None:
    """A second window would call it stopped, and offer to start another one."""
    folder = tmp_path / "chess-2"
    (tmp_path / "chess-2.json").write_text('{"game": "classic/chess_v6"}')
    (tmp_path / "chess-2.log").touch()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as trainer:
        announce(folder, trainer.pid)
        [card] = RunCards(tmp_path).find()
        assert (card.found.game, card.state()) == ("classic/chess_v6", "Starting …")
        link = settled(RunLink(worker=worker, folder=folder), worker)
        assert (link.state, link.can_start_again) == ("starting", False)
        trainer.communicate(b"\n")
    [card] = RunCards(tmp_path).find()
    assert card.state() == "Could not start"


@pytest.mark.parametrize("text", ["", "[]", '{"snapshots": 5}', '{"snapshots": [1, {"name": 5}]}', '{"results": [1]}'])
def test_odd_files_are_an_empty_run(tmp_path, text) -> None:
    for name in ("manifest.json", "config.toml", "metrics.jsonl"):
        (tmp_path / name).write_text(text)
    files = read_run_files(tmp_path)
    assert (files.pools, files.status.step) == ({}, 0)
