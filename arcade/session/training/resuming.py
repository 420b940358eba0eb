"""The code that would run when a run of any origin is resumed.  Reads the disk: for the worker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.seal import is_sealed
from agents.trust import trust, untrusted
from arcade.language import _
from arcade.session.training.run_files import read_settings

MOST_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Risk:
    """What the user has not trusted yet."""

    words: Mapping[str, str]  # seat word → what it would run
    foreign_checkpoint: bool  # another machine, or an earlier version, wrote the checkpoint

    @property
    def text(self) -> str:
        """The question's detail, for people."""
        lines = [f"{what} ({word})" for word, what in [*self.words.items()][:MOST_SHOWN]]
        if len(self.words) > MOST_SHOWN:
            lines.append("…")
        named = _("Its settings would run:") + "\n" + "\n".join(lines) if lines else ""
        foreign = _("This machine did not sign its checkpoint, which can run any code.")
        return "\n\n".join(filter(None, (named, foreign if self.foreign_checkpoint else "")))

    def accept(self) -> None:
        """Trust the words from now on."""
        trust(self.words)


def find_risk(folder: Path) -> Risk | None:
    """The untrusted code that would run when the run is resumed, if any.  Raises TrustFileError, KeyFileError."""
    words, newest = untrusted(_texts(read_settings(folder))), _newest_checkpoint(folder)
    is_foreign = newest is not None and not is_sealed(newest)
    return Risk(words, is_foreign) if words or is_foreign else None


def _newest_checkpoint(folder: Path) -> Path | None:
    root = folder / "checkpoints"
    names = [path.name for path in root.iterdir() if path.name.isdecimal()] if root.is_dir() else []
    return root / max(names, key=int) if names else None


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)
