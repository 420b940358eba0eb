"""``arcade recordings export``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arcade.commands.options import hide_windows

if TYPE_CHECKING:
    from arcade.commands.recording_filters import Chosen


def export(chosen: Chosen, *, to: str, out: Path, by: str, as_json: bool) -> None:
    """Write data sets and print what was written; stderr shows progress and names unreadable recordings."""
    hide_windows()
    from arcade.recordings.export import export_recordings

    for bad in chosen.library.list()[1]:
        print(f"refused {bad.path.name!r}: {bad.reason}", file=sys.stderr)
    recordings = chosen.recordings()
    with _progress(len(recordings), quiet=as_json) as advance:
        written = export_recordings(recordings, chosen.query, to=to, out=out, by=by, on_recording=advance)
    if as_json:
        print(json.dumps({"data_sets": [{**asdict(one), "path": str(one.path)} for one in written]}))
        return
    for one in written:
        print(f"{one.path}: {one.episodes:,} episodes, {one.steps:,} decisions of {one.name} in {one.game}")


@contextmanager
def _progress(total: int, *, quiet: bool) -> Iterator[Any]:
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), disable=quiet) as bar:
        task = bar.add_task("exporting recordings", total=total)
        yield lambda recording: bar.advance(task)
