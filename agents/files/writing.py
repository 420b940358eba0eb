"""Durable writes: a file or folder is old or new after a kill at any instant, and on the disk once a call returns."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Generic, TypeVar

from agents.platform import system

T = TypeVar("T")

PART = ".part"
"""Ends the names of what is being written; the process that writes it comes before."""

FLUSHES = 16
"""Of one folder at once: on a slow disk several small files take as long as one."""

_tidied: set[Path] = set()
_log = logging.getLogger(__name__)


def replace_file(path: Path, content: str | bytes) -> None:
    """Write `content` so that a kill at any instant leaves the old or the new file."""
    with replacing(path) as aside:
        aside.write_bytes(content.encode() if isinstance(content, str) else content)


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield the path of a file to write, which replaces `path` at the end, and is removed after an error.

    What writers that were killed left beside it is removed too.
    """
    aside = path.with_name(f".{path.name}.{threading.get_ident()}.{os.getpid()}{PART}")
    tidy(path.parent)
    try:
        yield aside
        flush(aside)
        os.replace(aside, path)
        system.flush_folder(path.parent)
    finally:
        aside.unlink(missing_ok=True)


def write_folder(path: Path, fill: Callable[[Path], object]) -> None:
    """Make the new folder `path`, filled by `fill`; it exists whole or not at all.  OSError where it has files."""
    finish_folder(begin_folder(path, fill), path)


def begin_folder(path: Path, fill: Callable[[Path], object]) -> Path:
    """Fill a folder aside, which `finish_folder` makes the new folder `path`, in any thread."""
    aside = path.with_name(f".{path.name}.{os.getpid()}{PART}")
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    try:
        fill(aside)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise
    return aside


def finish_folder(
    aside: Path, path: Path, complete: Callable[[Path], object] = lambda aside: None,
    decide: Callable[[], object] = lambda: None,
) -> None:  # fmt: skip
    """Bring a folder to the disk and to its place; where that fails there is neither.

    `complete` adds its last files while those that are there already go to the disk.  `decide` may raise once all are.
    """
    try:
        with ThreadPoolExecutor(FLUSHES, "flush") as disk:
            early = {file for file in aside.rglob("*") if file.is_file()}
            flushed = disk.map(flush, early)
            complete(aside)
            late = {aside, *aside.rglob("*")} - early
            for _ in (*flushed, *disk.map(flush, late)):  # raises what went wrong
                pass
        decide()
        os.rename(aside, path)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    system.flush_folder(path.parent)


def remove_unfinished(folder: Path) -> None:
    """Remove what `replacing` and `write_folder` have left in `folder` in processes that were killed."""
    for path in folder.glob(f".*{PART}"):
        process_id = path.name.split(".")[-2]
        if process_id.isdecimal() and not system.is_alive(int(process_id)):
            with contextlib.suppress(OSError):  # another process removes it too
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def tidy(folder: Path) -> None:
    """`remove_unfinished`, once in a process: a folder may have thousands of recordings."""
    if folder not in _tidied:
        _tidied.add(folder)
        remove_unfinished(folder)


def flush(path: Path) -> None:
    """Bring a file, or the entries of a folder, to the disk."""
    (system.flush_folder if path.is_dir() else system.flush_file)(path)


class ChangesFile(Generic[T]):
    """Writes what this window changed, so that what another window changed meanwhile stays.

    `write(value, before)` writes what differs between the two::

        file = ChangesFile(settings, lambda now, before: save_settings(now, path, before=before))
        file.save(settings.changed(mute=True))
    """

    def __init__(self, value: T, write: Callable[[T, T], None]) -> None:
        """`value` is what the file had when it was read."""
        self._written, self._write = value, write

    def save(self, value: T) -> None:
        """Write what differs from the last call; raises OSError, after which it still differs."""
        self._write(value, self._written)
        self._written = value


class NewestWriter(Generic[T]):
    """Writes on its own thread, so that a slow disk never delays the window; the newest value wins."""

    def __init__(self, save: Callable[[T], None], *, what: str) -> None:
        self._save, self._what = save, what
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=what)
        self._newest: deque[T] = deque(maxlen=1)  # the value to write, or empty

    def write(self, value: T) -> None:
        """Write `value` soon, without waiting.  The caller must not change it any more."""
        self._newest.append(value)
        self._thread.submit(self._write_newest)

    def flush(self) -> None:
        """Wait until all is on disk."""
        self._thread.submit(self._write_newest).result()

    def _write_newest(self) -> None:
        value: T | None = None
        try:
            if self._newest:
                value = self._newest.pop()
                self._save(value)
        except OSError as error:
            if value is not None and not self._newest:
                self._newest.append(value)  # a full disk may have room at the next flush
            _log.warning("the %s could not be written: %s", self._what, error)
        except Exception:  # noqa: BLE001  # the future has no reader
            _log.exception("the %s could not be written", self._what)
