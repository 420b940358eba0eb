"""Files that a kill at any instant leaves readable: written aside, flushed to disk, renamed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path


def write_atomically(path: Path, data: bytes) -> None:
    """Replace `path` with `data`; a reader sees the old or the new whole."""
    aside = path.with_name(f".{path.name}.{os.getpid()}.part")
    with aside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(aside, path)
    flush_folder(path.parent)


def write_folder(path: Path, fill: Callable[[Path], None]) -> None:
    """Make the new folder `path`, filled by `fill`; it exists whole or not at all."""
    aside = path.with_name(f".{path.name}.{os.getpid()}.part")
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    fill(aside)
    for file in aside.rglob("*"):
        _flush(file)
    os.replace(aside, path)
    flush_folder(path.parent)


def flush_folder(path: Path) -> None:
    """Bring the folder's own entries to disk."""
    _flush(path)


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
