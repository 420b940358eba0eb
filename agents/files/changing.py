"""Changes of files that several processes share: one at a time, each to what the others have written."""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from agents.files.folders import folder as home_folder
from agents.files.reading import MAX_BYTES, read_file, set_aside
from agents.files.writing import replace_file

if TYPE_CHECKING:
    from filelock import BaseFileLock

LOCK_SECONDS = 10.0
"""A change takes milliseconds; a process that was stopped in one may hold the lock for longer."""

K = TypeVar("K")
V = TypeVar("V")

_locks: dict[Path, BaseFileLock] = {}
_making = threading.Lock()


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of the shared files in `folder` against other threads and processes; the same thread may nest.

    Raises TimeoutError, an OSError, where another process holds it for longer than ten seconds.
    """
    from filelock import FileLock  # on demand: most starts only read

    name = hashlib.sha256(str(folder.resolve()).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    path = home_folder("locks") / f"{name}.lock"  # not in the folder, which people share
    with _making:
        lock = _locks.setdefault(path, FileLock(path, timeout=LOCK_SECONDS))
    with lock.acquire(poll_interval=0.01):
        yield


def merged(theirs: Mapping[K, V], ours: Mapping[K, V], before: Mapping[K, V]) -> dict[K, V]:
    """What a file has, with what differs between `before` and `ours`, so that the changes of both stay."""
    changed = {key for key in (*before, *ours) if (key in before, before.get(key)) != (key in ours, ours.get(key))}
    kept = {key: value for key, value in theirs.items() if key not in changed}
    return kept | {key: value for key, value in ours.items() if key in changed}


@contextlib.contextmanager
def changing_toml(path: Path, *, head: str, what: str) -> Iterator[Any]:
    """Yield the TOML of `path`, with the user's comments and unknown keys, to be changed; it is written at the end.

    A new document that begins with the comment `head` where there is no file; a broken file is kept as ``.bad``.
    Other processes wait, so that none loses the changes of another.
    """
    import tomlkit  # on demand: most starts only read

    with locked(path.parent):
        document = tomlkit.document()
        for line in head.splitlines():
            document.add(tomlkit.comment(line))
        try:
            document = tomlkit.parse(read_file(path, most=MAX_BYTES).decode("utf-8"))
        except FileNotFoundError:
            pass
        except (OSError, ValueError, RecursionError) as error:
            set_aside(path, error, what=what)
        yield document
        replace_file(path, tomlkit.dumps(document))
