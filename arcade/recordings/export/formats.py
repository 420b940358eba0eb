"""The table of export formats: built in, and from installed packages."""

from __future__ import annotations

import importlib
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType

from arcade.recordings.export.data_set import DataSetWriter
from arcade.recordings.export.matches import MatchWriter
from arcade.recordings.query import DatasetError

GROUP = "arcade.exports"
"""The entry-point group: each value is a DataSetWriter or MatchWriter class, its name the word behind ``--to``."""

FORMATS = {
    "minari": "arcade.recordings.export.minari:MinariWriter",
    "rllib": "trainer.offline:EpisodesWriter",
    "parquet": "arcade.recordings.export.parquet:ParquetWriter",
    "lerobot": "arcade.recordings.export.lerobot:LeRobotWriter",
    "npz": "arcade.recordings.export.npz:NumpyWriter",
    "pgn": "arcade.recordings.export.pgn:PgnWriter",
    "sgf": "arcade.recordings.export.sgf:SgfWriter",
}
"""Each is imported when it is used: none needs the libraries of another."""


def formats() -> dict[str, EntryPoint]:
    """All formats by name; a package cannot replace a built-in one."""
    ours = {name: EntryPoint(name, value, GROUP) for name, value in FORMATS.items()}
    return ours | {point.name: point for point in entry_points(group=GROUP) if point.name not in ours}


def find_format(name: str) -> type[DataSetWriter] | type[MatchWriter]:
    """The writer of a format; raises DatasetError for an unknown format or a missing library."""
    found = formats()
    if name not in found:
        raise DatasetError(f"expected --to {', '.join(found)}, got: {name!r}")
    writer: type[DataSetWriter] | type[MatchWriter] = found[name].load()
    for module in writer.libraries:
        library(module, extra=writer.extra)
    return writer


def library(name: str, *, extra: str = "data") -> ModuleType:
    """Import an optional module; raises DatasetError naming the extra that installs it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        problem = f"expected {name.partition('.')[0]} to be installed, got: {error}"
        raise DatasetError(
            f"{problem}; install it with: pip install 'pettingzoo-arcade[{extra}]'", code="not_installed"
        ) from error
