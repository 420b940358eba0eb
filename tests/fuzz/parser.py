"""Parser: a reader of untrusted bytes, the errors that it promises, and its corpus."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module, metadata
from pathlib import Path

CORPUS = Path(__file__).parents[1] / "corpus"
NAMES = ("wire", "replays", "graphs", "settings", "rows")
"""Each is a module of tests/fuzz/parsers/ with a PARSER, and a folder of tests/corpus/ with its inputs."""


@dataclass(frozen=True)
class Parser:
    """Whatever the bytes, `read` returns or raises one of `errors`."""

    name: str
    read: Callable[[bytes], None]
    errors: tuple[type[Exception], ...]
    make_seeds: Callable[[], dict[str, bytes]]
    """Real, good inputs by name; `python -m tests.fuzz.seeds` writes them into the corpus."""
    words: tuple[bytes, ...] = ()
    """Pieces that mutation puts in, since it would hardly find them."""

    @property
    def corpus(self) -> Path:
        """The folder of the seeds, and of inputs that once broke the parser."""
        return CORPUS / self.name

    def inputs(self) -> dict[str, bytes]:
        """Each input of the corpus by its file's name."""
        return {path.name: path.read_bytes() for path in sorted(self.corpus.iterdir())}


def quicken() -> None:
    """Look for installed packages only once: it would take ten times as long as all else, and they stay the same."""
    metadata.entry_points = functools.cache(metadata.entry_points)  # type: ignore[assignment]


def find_parser(name: str) -> Parser:
    """The parser of that name; raises ValueError."""
    if name not in NAMES:
        raise ValueError(f"expected one of {', '.join(NAMES)}, got: {name!r}")
    found: Parser = import_module(f"tests.fuzz.parsers.{name}").PARSER
    return found
