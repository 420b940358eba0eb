"""Files: ARCADE_HOME, atomic writes of files and folders, and TOML settings that survive a bad edit."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Generic, TypeVar

import platformdirs

T = TypeVar("T")

MAX_TOML_BYTES = 2**20

_log = logging.getLogger(__name__)


def home() -> Path:
    """The folder ``ARCADE_HOME``, else the platform's user-data folder; made if missing."""
    named = os.environ.get("ARCADE_HOME")
    folder = Path(named) if named else Path(platformdirs.user_data_dir("pettingzoo-arcade", appauthor=False))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def folder(name: str) -> Path:
    """A folder such as ``snapshots`` or ``runs`` below `home`; made if missing."""
    path = home() / name
    path.mkdir(parents=True, exist_ok=True)
    return path


def cache(name: str) -> Path:
    """A folder of files that can be made again, below ``ARCADE_HOME/cache``, else the platform's; made if missing."""
    is_own = bool(os.environ.get("ARCADE_HOME"))
    root = home() / "cache" if is_own else Path(platformdirs.user_cache_dir("pettingzoo-arcade", appauthor=False))
    path = root / name
    path.mkdir(parents=True, exist_ok=True)
    return path


def replace_file(path: Path, content: str | bytes) -> None:
    """Write `content` so that a kill at any instant leaves the old or the new file."""
    with replacing(path) as aside:
        aside.write_bytes(content.encode() if isinstance(content, str) else content)


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield the path of a file to write, which replaces `path` at the end, and is removed after an error."""
    aside = path.with_name(f".{path.name}.{threading.get_ident()}.{os.getpid()}.part")
    try:
        yield aside
        flush(aside)
        os.replace(aside, path)
        flush(path.parent)
    finally:
        aside.unlink(missing_ok=True)


def write_folder(path: Path, fill: Callable[[Path], object]) -> None:
    """Make the new folder `path`, filled by `fill`; it exists whole or not at all.  OSError where it has files."""
    aside = path.with_name(f".{path.name}.{os.getpid()}.part")
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    try:
        fill(aside)
        for file in aside.rglob("*"):
            flush(file)
        os.rename(aside, path)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    flush(path.parent)


def remove_unfinished(folder: Path) -> None:
    """Remove what `write_folder` has left in `folder` in processes that were killed."""
    for path in folder.glob(".*.part"):
        process_id = path.name.split(".")[-2]
        if process_id.isdecimal() and not is_alive(int(process_id)):
            shutil.rmtree(path, ignore_errors=True)


def is_alive(process_id: int) -> bool:
    """Whether a process of this id exists, of any owner."""
    try:
        os.kill(process_id, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return process_id > 0


def flush(path: Path) -> None:
    """Bring a file, or the entries of a folder, to disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def set_aside(path: Path, error: Exception, *, what: str) -> str:
    """Rename a file that cannot be used to ``NAME.bad``; returns a warning for people."""
    bad = path.with_name(path.name + ".bad")
    try:
        os.replace(path, bad)
        kept = f"it is kept as {bad}"
    except OSError:
        kept = "it stays where it is"
    return f"expected {what} in {path}, got: {str(error).splitlines()[0]}; {kept} and the defaults are used"


def load_toml(
    path: Path, read: Callable[[Mapping[str, Any]], T], *, default: T, known: Collection[str], what: str
) -> tuple[T, str]:
    """The settings that `read` parses from a TOML file, and a warning for people ("" for none); never fails.

    `default` is returned where there is no file, and where `read` raises ValueError: the file is then kept as
    ``NAME.bad`` beside it.  Keys that are not `known` are ignored with a warning.
    """
    if not path.exists():
        return default, ""
    import tomllib  # on demand: a first start has nothing to read

    try:
        if path.stat().st_size > MAX_TOML_BYTES:
            raise ValueError(f"a file of more than {MAX_TOML_BYTES} bytes")
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        found = read(raw)
    except (OSError, ValueError, RecursionError) as error:  # text and TOML that are wrong are ValueErrors too
        return default, set_aside(path, error, what=what)
    unknown = sorted(set(raw) - set(known))
    if unknown:
        return found, f"expected {what} among {', '.join(known)}, got: {', '.join(unknown)} in {path}; ignored"
    return found, ""


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
        try:
            if self._newest:
                self._save(self._newest.pop())
        except OSError as error:
            _log.warning("the %s could not be written: %s", self._what, error)
        except Exception:  # noqa: BLE001  # the future has no reader
            _log.exception("the %s could not be written", self._what)


@contextlib.contextmanager
def changing_toml(path: Path, *, head: str, what: str) -> Iterator[Any]:
    """Yield the TOML of `path`, with the user's comments and unknown keys, to be changed; it is written at the end.

    A new document that begins with the comment `head` where there is no file; a broken file is kept as ``.bad``.
    """
    import tomlkit  # on demand: most starts only read

    document = tomlkit.document()
    for line in head.splitlines():
        document.add(tomlkit.comment(line))
    if path.exists():
        try:
            document = tomlkit.parse(path.read_text(encoding="utf-8"))
        except ValueError as error:
            set_aside(path, error, what=what)
    yield document
    replace_file(path, tomlkit.dumps(document))
