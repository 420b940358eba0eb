"""``arcade recordings export`` and ``arcade recordings likeness``."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from arcade.commands.options import hide_windows

if TYPE_CHECKING:
    from arcade.commands.recording_filters import Chosen


def export(chosen: Chosen, *, to: str, out: Path, by: str, as_json: bool) -> None:
    """Write data sets and print what was written; stderr shows progress and names unreadable recordings."""
    hide_windows()
    from rich.console import Console
    from rich.progress import Progress

    from arcade.recordings.export import export_recordings

    for bad in chosen.library.list()[1]:
        print(f"refused {bad.path.name!r}: {bad.reason}", file=sys.stderr)
    recordings = chosen.recordings()
    with Progress(console=Console(stderr=True), disable=as_json) as bar:
        task = bar.add_task("exporting recordings", total=len(recordings))
        written = export_recordings(
            recordings, chosen.query, to=to, out=out, by=by, on_recording=lambda recording: bar.advance(task)
        )
    if as_json:
        print(json.dumps({"data_sets": [{**asdict(one), "path": str(one.path)} for one in written]}))
        return
    for one in written:
        print(f"{one.path}: {one.episodes:,} episodes, {one.steps:,} decisions of {one.name} in {one.game}")


def likeness(
    chosen: Chosen, snapshot: str, *, reference: str, matches: int, held_out: float, plot: Path | None, as_json: bool
) -> None:
    """Compare a snapshot with recorded play, print the figures, and draw them where a plot is asked for."""
    hide_windows()
    from agents.snapshots.store import open_store
    from arcade.commands.evaluate_text import watched
    from arcade.recordings.export.formats import library
    from arcade.recordings.likeness import compare, print_likeness
    from arcade.recordings.query import DatasetError

    if plot is not None:  # what is wrong is said before the work, not after it
        library("matplotlib")
        if not plot.absolute().parent.is_dir():
            raise DatasetError(f"expected a plot in a folder that exists, got: {str(plot)!r}")
    found = compare(
        snapshot, chosen.library.list()[0], chosen.query, open_store(), reference=reference,
        matches=matches, share=held_out, watch=partial(watched, quiet=as_json),
    )  # fmt: skip
    if plot is not None:
        from arcade.recordings.likeness.plot import draw_likeness

        try:
            draw_likeness(found, plot)
        except OSError as error:
            raise DatasetError(f"expected to write the plot {plot}, got: {error.strerror}") from error
    print(json.dumps(found.as_json())) if as_json else print_likeness(found)
