"""The lock on a run's folder: one trainer per run; the kernel releases it when the process ends.

A trainer that was started first imports what it needs; until it has the lock, a note beside the folder has its process.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

from agents.closing import Closing
from agents.errors import UserError
from agents.files import read_file, replace_file
from agents.platform import system

LOCK_FILE = "lock"
MOST_STARTING = 900.0
"""Seconds for which a note counts: later the process may be another program's."""

_SECONDS_BETWEEN = 0.05


class RunBusy(UserError):
    """Another process trains this run."""


class LinkedFileError(UserError):
    """A link, pipe or device in the place of a run's file."""


class RunLock(Closing):
    """Locked from its making, also as a context manager.

    Raises RunBusy where another process has the lock for longer than `seconds`, and LinkedFileError for a folder whose
    files lie elsewhere.  The kernel releases it at a kill.
    """

    def __init__(self, run_folder: Path, *, seconds: float = 1.0) -> None:
        run_folder.mkdir(parents=True, exist_ok=True)
        _check_files(run_folder)
        self._file = os.open(run_folder / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o644)
        end = time.monotonic() + seconds
        while not system.lock(self._file):
            if time.monotonic() > end:  # `holder` has it for an instant
                self.close()
                raise RunBusy(
                    f"expected a run without a trainer, got: {run_folder.name!r}, which process "
                    f"{holder(run_folder) or '?'} trains; stop it first, or start another run with: --run ID"
                )
            time.sleep(_SECONDS_BETWEEN)
        os.ftruncate(self._file, 0)
        os.lseek(self._file, 0, os.SEEK_SET)
        os.write(self._file, str(os.getpid()).encode())
        with contextlib.suppress(OSError):  # the lock says who has the run
            _note(run_folder).unlink()

    def close(self) -> None:
        """Unlock; twice does no harm."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _check_files(run_folder: Path) -> None:
    """Raise LinkedFileError for links to files: a folder from elsewhere could have ours written over."""
    for path in (*run_folder.iterdir(), *(run_folder / "tensorboard").glob("*")):
        if not path.is_dir() and (path.is_symlink() or not path.is_file()):
            raise LinkedFileError(f"expected plain files in {run_folder}, got {path.name} as another kind; remove it")


def announce(run_folder: Path, process_id: int) -> None:
    """Note the process of a trainer that was started for a run, so that other windows see it before it has the lock."""
    replace_file(_note(run_folder), str(process_id))


def withdraw(run_folder: Path, process_id: int) -> None:
    """Remove the note of a process that has ended, for one that never had the lock."""
    with contextlib.suppress(OSError, ValueError):
        if _noted(run_folder) == process_id:
            _note(run_folder).unlink()


def holder(run_folder: Path) -> int:
    """The process id of the trainer that has the run, or that was started to train it; 0 for none."""
    return _locked_by(run_folder) or _announced(run_folder)


def seconds_held(run_folder: Path) -> float:
    """How long `holder` has had the run; before it has the lock, since it was started.  0 where that is not known."""
    for path in (_note(run_folder), run_folder / LOCK_FILE):
        with contextlib.suppress(OSError):
            return max(0.0, time.time() - path.stat().st_mtime)
    return 0.0


def _note(run_folder: Path) -> Path:
    return run_folder.with_name(f"{run_folder.name}.pid")


def _noted(run_folder: Path) -> int:
    return int(read_file(_note(run_folder), most=32))


def _announced(run_folder: Path) -> int:
    try:
        age, process_id = time.time() - _note(run_folder).stat().st_mtime, _noted(run_folder)
    except (OSError, ValueError):
        return 0
    return process_id if age < MOST_STARTING and system.is_alive(process_id) else 0


def _locked_by(run_folder: Path) -> int:
    try:
        file = system.open_regular(run_folder / LOCK_FILE)
    except OSError:  # none, or another kind of entry
        return 0
    try:
        if system.lock(file, shared=True):
            return 0
        return int(os.read(file, 32) or b"-1")
    except ValueError:
        return -1
    finally:
        os.close(file)
