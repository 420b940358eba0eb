"""Reading files of records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from agents.records import MAGIC, RecordError, iter_records


def read_records(path: Path) -> Iterator[Any]:
    """The records in order, up to the first that is not whole."""
    with open(path, "rb") as file:
        if file.read(len(MAGIC)) == MAGIC:
            try:
                yield from iter_records(file)
            except RecordError:
                return
