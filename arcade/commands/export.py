"""What ``arcade demos export`` does, behind its options."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arcade.recordings.query import DatasetError

if TYPE_CHECKING:
    from arcade.commands.recording_filters import Chosen
    from arcade.recordings.export import Exported
    from arcade.recordings.export.driver import By
    from arcade.recordings.library import Recording


@dataclass(frozen=True, kw_only=True)
class ExportRequest:
    """The options of ``arcade demos export`` beside those that choose takes."""

    to: str  # name of an export format
    out: Path
    by: By = "seat"
    as_json: bool = False

    def __post_init__(self) -> None:
        from arcade.recordings.export import BY

        if self.by not in BY:
            raise DatasetError(f"expected --by {', '.join(BY)}, got: {self.by!r}")


def export(request: ExportRequest, chosen: Chosen) -> None:
    """Write the data sets and print what was written; stderr shows progress and names unreadable recordings."""
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
    from arcade.recordings.datasets.episodes import SeatEpisode, demo_episodes
    from arcade.recordings.datasets.spaces import seat_spaces
    from arcade.recordings.export import export_episodes
    from arcade.recordings.export.formats import find_format

    writer = find_format(request.to)
    takes = chosen.takes()[::-1]  # in the order of play
    by_id = {take.id: take for take in takes}
    for bad in chosen.store.list()[1]:
        print(f"refused {bad.path.name!r}: {bad.reason}", file=sys.stderr)

    def spaces_of(episode: SeatEpisode) -> tuple[Any, Any]:
        return seat_spaces(by_id[episode.take].replay())[episode.agent]

    with _progress(takes, quiet=request.as_json) as on_take:
        found = demo_episodes(takes, chosen.query, on_take=on_take)
        written = export_episodes(found, request.out, writer=writer, spaces_of=spaces_of, by=request.by)
    print_exported(written, as_json=request.as_json)


def print_exported(written: Sequence[Exported], *, as_json: bool) -> None:
    """What was written, a line each; or one JSON object."""
    if as_json:
        rows = [{**asdict(one), "path": str(one.path)} for one in written]
        print(json.dumps({"data_sets": rows}))
        return
    for one in written:
        print(f"{one.path}: {one.episodes:,} episodes, {one.steps:,} decisions of {one.name} in {one.game}")


@contextmanager
def _progress(takes: Sequence[Recording], *, quiet: bool) -> Iterator[Any]:
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), disable=quiet) as bar:
        task = bar.add_task("exporting takes", total=len(takes))
        yield lambda take: bar.advance(task)
