"""``arcade recordings likeness``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arcade.commands.options import hide_windows

if TYPE_CHECKING:
    from arcade.commands.recording_filters import Chosen


def likeness(
    chosen: Chosen, snapshot: str, *, reference: str, matches: int, held_out: float, plot: Path | None, as_json: bool
) -> None:
    """Compare a snapshot with recorded play, print the figures, and draw them where a plot is asked for."""
    hide_windows()
    from agents.snapshots.store import open_store
    from arcade.recordings.export.libraries import library
    from arcade.recordings.likeness import compare, print_likeness
    from arcade.recordings.query import DatasetError

    if plot is not None:  # what is wrong is said before the work, not after it
        library("matplotlib")
        if not plot.absolute().parent.is_dir():
            raise DatasetError(f"expected a plot in a folder that exists, got: {str(plot)!r}")
    found = compare(
        snapshot, chosen.library.list()[0], chosen.query, open_store(), reference=reference,
        matches=matches, held_out=held_out, watch=_progress(quiet=as_json),
    )  # fmt: skip
    if plot is not None:
        from arcade.recordings.likeness.plot import draw_likeness

        try:
            draw_likeness(found, plot)
        except OSError as error:
            raise DatasetError(f"expected to write the plot {plot}, got: {error.strerror}") from error
    print(json.dumps(found.as_json())) if as_json else print_likeness(found)


def _progress(*, quiet: bool) -> Any:
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)

    def watch(items: Iterable[Any], total: int, what: str) -> Iterator[Any]:
        disable = quiet or not console.is_terminal
        return iter(track(items, what, total=total, console=console, transient=True, disable=disable))

    return watch
