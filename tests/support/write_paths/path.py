"""One kind of file that is written, and how a test reads it again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any


class WritePath(ABC):
    """One kind of file; every method runs in a process of its own, with ``ARCADE_HOME`` at `home`."""

    name: str
    heavy = False
    """Whether it needs torch."""

    is_flushed = True
    """Whether what is renamed must be on the disk before `write` ends; False: forgetting it loses nothing."""

    def prepare(self, home: Path) -> None:  # noqa: B027  (some begin with nothing)
        """Write what is there before."""

    @abstractmethod
    def write(self, home: Path) -> None:
        """The write under test; another time it has the same result."""

    @abstractmethod
    def found(self, home: Path) -> Any:
        """What the next start reads, as JSON; raises for what is torn."""

    def accepts(self, found: Any, old: Any, new: Any) -> bool:
        """Whether that may be there after a crash."""
        return found in (old, new)


class SavedTwicePath(WritePath):
    """A file whose second write differs from the first by what is saved."""

    values: tuple[Any, Any]
    """What is there before, and what the write under test saves."""

    def prepare(self, home: Path) -> None:
        self.save(home, self.values[0])

    def write(self, home: Path) -> None:
        self.save(home, self.values[1])

    @abstractmethod
    def save(self, home: Path, value: Any) -> None:
        """Save `value`."""
