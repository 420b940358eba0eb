"""Findings: inputs that raise another error than promised, take five seconds of processor time, or a gigabyte."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from pathlib import Path

from tests.fuzz.parser import Parser

MAX_SECONDS = 5.0
MAX_BYTES = 2**30


def peak_memory() -> int:
    """The most bytes that this process has had so far; 0 where the platform does not say."""
    try:
        import resource
        import sys
    except ImportError:
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


class Findings:
    """Reads inputs with a parser and notes each distinct failure once, with the shortest input; written to `folder`."""

    def __init__(
        self,
        parser: Parser,
        folder: Path | None = None,
        *,
        clock: Callable[[], float] = time.process_time,
        memory: Callable[[], int] = peak_memory,
    ) -> None:
        self.found: dict[str, bytes] = {}
        """Descriptions and inputs."""
        self.read = 0
        self._parser, self._folder = parser, folder
        self._clock, self._memory = clock, memory

    def take(self, data: bytes) -> None:
        """Read one input."""
        start, before = self._clock(), self._memory()
        try:
            self._parser.read(data)
        except self._parser.errors:
            pass
        except Exception as error:  # noqa: BLE001  # that is what is looked for
            self._note(_place_of(error), data, f": {str(error)[:200]!r}")
        self.read += 1
        if self._clock() - start > MAX_SECONDS:
            self._note(f"took longer than {MAX_SECONDS:g} seconds", data)
        if self._memory() - before > MAX_BYTES:
            self._note(f"took more than {MAX_BYTES} bytes of memory", data)

    def _note(self, what: str, data: bytes, more: str = "") -> None:
        if what in self.found and len(self.found[what]) <= len(data):
            return
        self.found[what] = data
        if self._folder is not None:
            number = list(self.found).index(what)
            self._folder.mkdir(parents=True, exist_ok=True)
            (self._folder / f"{number}.input").write_bytes(data)
            (self._folder / f"{number}.txt").write_text(f"{what}{more}\n", "utf-8", "backslashreplace")


def _place_of(error: Exception) -> str:
    """The kind of error and the innermost line of our own that it passed."""
    frames = traceback.extract_tb(error.__traceback__)
    place = [frame for frame in frames if "site-packages" not in frame.filename][-1]
    return f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno} ({place.name})"
