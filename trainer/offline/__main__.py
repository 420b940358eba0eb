"""``python -m trainer.offline ORDER``: what ``arcade demos export --to rllib`` goes on as.

The order is one JSON object: query (fields of a DatasetQuery), out, by, as_json.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from pathlib import Path
from typing import Any

from agents.errors import UserError
from agents.home import folder


def main(words: list[str] | None = None) -> int:
    """0 when the data sets are written, 2 when they could not be."""
    [word] = sys.argv[1:] if words is None else words
    order: dict[str, Any] = json.loads(word)
    try:
        _export(order)
    except UserError as error:
        print(f"arcade: {error}", file=sys.stderr)
        return 2
    return 0


def _export(order: dict[str, Any]) -> None:
    from arcade.commands.export import ExportRequest, print_exported, write
    from arcade.commands.recording_filters import Chosen
    from arcade.recordings.export.libraries import library
    from arcade.recordings.library import RecordingLibrary
    from arcade.recordings.query import DatasetQuery

    library("ray", "ray.rllib", extra="train")
    library("msgpack-numpy", "msgpack_numpy", extra="train")
    library("pyarrow")
    logging.getLogger("ray").setLevel(logging.ERROR)
    from trainer.offline import EpisodesWriter

    query = DatasetQuery(**{**order["query"], "takes": tuple(order["query"]["takes"])})
    request = ExportRequest(to="rllib", out=Path(order["out"]), by=order["by"], as_json=order["as_json"])
    written = write(request, Chosen(query, RecordingLibrary(folder("replays"))), writer=EpisodesWriter)
    print_exported(written, as_json=request.as_json)


if __name__ == "__main__":
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    sys.exit(main())
