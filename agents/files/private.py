"""Private files: secrets in ARCADE_HOME/keys that are made at first use and that only their owner can open."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable
from pathlib import Path

from agents.errors import UserError
from agents.files.folders import home
from agents.files.reading import FileError, read_file
from agents.files.writing import PART, tidy
from agents.platform import system

_MAX_BYTES = 1024


class PrivateFileError(UserError):
    """A secret that cannot be read or made, or that others could read."""


def keys_folder() -> Path:
    """``ARCADE_HOME/keys``."""
    return home() / "keys"


def read_private(path: Path, make: Callable[[], bytes]) -> bytes:
    """The content of a private file; what `make` returns is written first where there is none.

    Processes that make it at the same time all read the same content.  Raises PrivateFileError.
    """
    try:
        tidy(path.parent)  # a secret that a killed process has left
        if not path.exists():
            _make(path, make())
        _check_mode(path)
        return read_file(path, most=_MAX_BYTES)
    except FileError as error:
        raise PrivateFileError(f"expected a secret in {path}, got: {error}; delete it for a new one") from error
    except OSError as error:
        raise PrivateFileError(
            f"expected a secret in {path}, got: {error.strerror or error}; check the disk and its permissions"
        ) from error


def _make(path: Path, content: bytes) -> None:
    """Write the file whole or not at all, unless another process is faster."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.parent.chmod(0o700)
    aside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.{os.getpid()}{PART}")
    try:
        with open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            system.flush(file.fileno())
        _name_first(aside, path)
    finally:
        aside.unlink(missing_ok=True)
    system.flush_folder(path.parent)


def _name_first(aside: Path, path: Path) -> None:
    """Give the file `aside` the name `path`, unless another has it."""
    try:
        os.link(aside, path)
    except FileExistsError:
        pass
    except OSError:  # a file system without links
        with contextlib.suppress(FileExistsError):
            os.rename(aside, path)


def _check_mode(path: Path) -> None:
    """Raises PrivateFileError for a file that other users can read; Windows keeps a user's folder to that user."""
    mode = path.stat().st_mode & 0o777
    if os.name == "posix" and mode & 0o077:
        raise PrivateFileError(
            f"expected a secret that only you can read, got {path} with mode {mode:o}; "
            f"delete it for a new one, or keep it: chmod 600 {path}"
        )
