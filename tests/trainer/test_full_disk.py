"""A full disk pauses a run, and loses nothing of it."""

from __future__ import annotations

import errno
import json
import resource
import signal

import pytest

from tests.support.runs import VOLLEY, close, make_run
from trainer.runs.board import Board
from trainer.runs.checkpoint import CheckpointFolder, first_sound, read_state
from trainer.runs.full_disk import when_there_is_room

FULL = OSError(errno.ENOSPC, "No space left on device")


class Disk:
    """Full for the next `attempts` writes; counts them and the naps."""

    def __init__(self, attempts):
        self.attempts, self.naps, self.said = attempts, 0, []

    def write(self):
        if self.attempts:
            self.attempts -= 1
            raise FULL
        return "written"

    def sleep(self, seconds):
        self.naps += 1


def test_a_write_is_tried_again_until_there_is_room():
    disk = Disk(3)
    found = when_there_is_room(disk.write, stopped=lambda: False, waiting=disk.said.append, sleep=disk.sleep)
    assert (found, disk.said) == ("written", [FULL])


def test_a_stop_ends_the_wait():
    disk = Disk(10**9)
    found = when_there_is_room(disk.write, stopped=lambda: disk.naps >= 50, waiting=disk.said.append, sleep=disk.sleep)
    assert found is None
    assert disk.naps == 50


def test_another_failure_is_no_full_disk():
    def fail():
        raise PermissionError(errno.EACCES, "Permission denied")

    with pytest.raises(PermissionError):
        when_there_is_room(fail, stopped=lambda: False, waiting=pytest.fail)


def test_a_run_on_a_full_disk_waits_says_so_and_goes_on(tmp_path, ray_cluster, monkeypatch):
    quiet = {"evaluation": {"steps": 0}, "freeze": {"save_steps": 0, "win_rate": 0}, "checkpoints": {"seconds": 1e-9}}
    run = make_run("house/volley", VOLLEY | quiet | {"steps": 1024}, tmp_path)
    save, attempts, states = CheckpointFolder.save, [], []

    def fail_twice(self, algorithm, state, *, step, **facts):
        attempts.append(step)
        if len(attempts) in (2, 3):
            states.append(run.server.status.state)
            raise FULL
        return save(self, algorithm, state, step=step, **facts)

    monkeypatch.setattr(CheckpointFolder, "save", fail_twice)
    monkeypatch.setattr("trainer.runs.full_disk.AGAIN_SECONDS", 0.1)
    run.run()
    assert run.step == 1024
    assert attempts[:5] == [0, 512, 512, 512, 1024]
    assert states == ["running", "paused"]
    assert run.server.status.state == "stopped"
    newest = first_sound(run.checkpoints.newest_first(), trust=False, say=pytest.fail)
    assert read_state(newest)["step"] == 1024
    close(run)


def test_metrics_that_were_cut_short_by_a_full_disk_are_written_whole_later(tmp_path, ray_cluster, monkeypatch):
    run = make_run("house/volley", VOLLEY | {"steps": 512}, tmp_path)
    path = tmp_path / "runs" / "test" / "metrics.jsonl"

    class Short:
        """A file with room for five bytes."""

        def __init__(self, file):
            self.file = file

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.file.close()

        def __getattr__(self, name):
            return getattr(self.file, name)

        def write(self, data):
            return self.file.write(data[:5])

    run.folder.write({"step": 1})
    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.open", lambda self, *a, **k: Short(open(self, *a, **k)))  # noqa: SIM115
        with pytest.raises(OSError, match="no room for the metrics"):
            run.folder.write({"step": 2})
    run.folder.write({"step": 3})
    assert [json.loads(line)["step"] for line in path.read_text().splitlines()] == [1, 3]
    close(run)


def test_a_full_disk_neither_stops_tensorboard_nor_the_run(tmp_path):
    """A writer with a thread of its own ended here, and the run waited for it for ever."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    board = Board(tmp_path / "board")
    path = next((tmp_path / "board").iterdir())
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    board.add({"score": 1.0}, step=1)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 5, most[1]))
        for step in range(2, 40):
            board.add({"score": 2.0}, step=step)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
        signal.signal(signal.SIGXFSZ, before)
    board.add({"score": 3.0}, step=40)
    read = EventAccumulator(str(path)).Reload().Scalars("score")
    assert [(one.step, one.value) for one in read][::39] == [(1, 1.0), (40, 3.0)]
    assert len(read) == 40
