"""A stop does not wait for a checkpoint under way that the last one replaces: of gigabytes, it takes long."""

import threading

import pytest

from agents.files import finish_folder
from agents.seal import check_seal, seal
from tests.support.processes import DEADLINE, wait_for
from tests.support.saved_algorithm import FILE, SavedAlgorithm
from trainer.runs import checkpoint
from trainer.runs.checkpoint import CheckpointFolder, read_state

LARGE = SavedAlgorithm(2**20)
WEIGHTS = f"algorithm/{FILE}"


@pytest.mark.parametrize("has_older", [True, False])
def test_it_is_abandoned_where_an_older_one_is_whole(has_older, tmp_path, monkeypatch):
    begun, stopped, emptied = threading.Event(), threading.Event(), []

    def seal_slowly(folder):
        if begun.is_set():
            return seal(folder)
        begun.set()
        weights = folder / WEIGHTS
        wait_for(lambda: stopped.is_set() and not (has_older and weights.stat().st_size), what="the end of the wait")
        emptied.append(not weights.stat().st_size)
        return seal(folder)

    folder = CheckpointFolder(tmp_path, keep_last=9, stopped=stopped.is_set)
    if has_older:
        folder.save(LARGE, {"number": 0}, step=0)
    monkeypatch.setattr(checkpoint, "seal", seal_slowly)
    folder.add({"score": 2.0})
    under_way = folder.save(LARGE, {"number": 1}, step=1, waits=False)
    folder.begin_measuring(under_way)
    folder.add({"score": 4.0})
    assert begun.wait(DEADLINE)
    stopped.set()
    newest = folder.save(LARGE, {"number": 2}, step=2)
    assert emptied == [has_older]
    found = folder.newest_first()
    assert [read_state(path)["number"] for path in found] == ([2, 0] if has_older else [2, 1])
    for path in found:
        check_seal(path)
    assert newest != under_way, "the figures of one would be taken for the other's"
    assert folder.value(newest) == (3.0 if has_older else 4.0), "the mean since the last whole one"
    assert not list(tmp_path.glob(".*"))


def test_it_is_kept_where_it_is_whole_already(tmp_path, monkeypatch):
    kept, finished, looks = threading.Event(), threading.Event(), []

    def finish_slowly(aside, path, complete, keep):
        def keep_and_wait():
            keep()
            kept.set()
            assert finished.wait(DEADLINE)

        finish_folder(aside, path, complete, keep_and_wait)

    def stopped():
        looks.append(None)
        if len(looks) > 2:
            finished.set()
        return True

    folder = CheckpointFolder(tmp_path, stopped=stopped)
    folder.save(LARGE, {"number": 0}, step=0)
    with monkeypatch.context() as patch:
        patch.setattr(checkpoint, "finish_folder", finish_slowly)
        path = folder.save(LARGE, {"number": 1}, step=1, waits=False)
        assert kept.wait(DEADLINE)
    folder.save(LARGE, {"number": 2}, step=2)
    check_seal(path)
    assert (path / WEIGHTS).stat().st_size == 2**20


def test_the_end_of_a_run_waits_for_one_under_way_that_fails(tmp_path, monkeypatch):
    failed = threading.Event()

    def fail(folder):
        failed.set()
        raise OSError("no room")

    monkeypatch.setattr(checkpoint, "seal", fail)
    folder = CheckpointFolder(tmp_path)
    folder.save(LARGE, {}, step=0, waits=False)
    folder.wait()
    assert failed.is_set()
    assert not list(tmp_path.iterdir())
