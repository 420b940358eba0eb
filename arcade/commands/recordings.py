"""The ``arcade recordings`` commands."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agents.files import folder
from arcade.commands.completion import complete_recording, complete_snapshot
from arcade.commands.options import Json, hide_windows, tracked
from arcade.commands.recording_filters import Chosen, choosing

if TYPE_CHECKING:
    from arcade.recordings.library import Recording, RecordingLibrary

recordings_app = typer.Typer(help="Recorded matches, to watch and learn from.", no_args_is_help=True)

One = Annotated[
    str,
    typer.Argument(
        metavar="RECORDING",
        help="Its name, its id or a part of it, or latest.",
        show_default=False,
        autocompletion=complete_recording,
    ),
]
Some = Annotated[
    list[str],
    typer.Argument(
        metavar="RECORDING…", help="Names, ids or parts of them, or latest.", autocompletion=complete_recording
    ),
]


@recordings_app.command("list")
@choosing
def list_recordings(
    chosen: Chosen,
    totals: Annotated[bool, typer.Option("--totals", help="Sum up by person and game.")] = False,
    as_json: Json = False,
) -> None:
    """List recordings, the newest first, and the files that can't be read with the reason."""
    from arcade.commands import recordings_text
    from arcade.recordings.card import totals as sums

    rows = sums(one.card for one in chosen.recordings) if totals else []
    if as_json:
        data = {"totals": [asdict(row) for row in rows]} if totals else _plain(chosen.recordings)
        print(json.dumps({**data, "refused": recordings_text.bad_as_json(chosen.unreadable)}))
        return
    if chosen.recordings:
        recordings_text.print_totals(rows) if totals else recordings_text.print_recordings(chosen.recordings)
    else:
        print("no recordings; record some: arcade play GAME --record, or list all without options")
    _print_refused(chosen)


@recordings_app.command()
def show(recording: One, as_json: Json = False) -> None:
    """Print the details of a recording."""
    _print(_library().get(recording), as_json)


@recordings_app.command("rename")
@recordings_app.command("name", hidden=True)  # the former verb
def name(
    recording: One, name: Annotated[str, typer.Argument(help='Its new name; "" for none.')], as_json: Json = False
) -> None:
    """Name a recording."""
    _change(recording, as_json, name=name)


@recordings_app.command()
def tag(
    recording: One,
    tags: Annotated[list[str] | None, typer.Argument(metavar="TAG…", help="Tags to add.", show_default=False)] = None,
    remove: Annotated[list[str] | None, typer.Option("--remove", metavar="TAG", help="A tag to remove.")] = None,
    as_json: Json = False,
) -> None:
    """Add tags to a recording, or remove them."""
    library = _library()
    _print(library.tag(library.get(recording), add=tags or (), remove=remove or ()), as_json)


@recordings_app.command()
def rate(
    recording: One, stars: Annotated[int, typer.Argument(min=0, max=5, help="0: none.")], as_json: Json = False
) -> None:
    """Give a recording one to five stars."""
    _change(recording, as_json, rating=stars)


@recordings_app.command()
def keep(
    recordings: Some,
    release: Annotated[bool, typer.Option("--release", help="Allow their deletion again.")] = False,
    as_json: Json = False,
) -> None:
    """Keep recordings: they are never deleted to make room for new ones."""
    from arcade.commands import recordings_text

    library = _library()
    found = [library.change(one, kept=not release) for one in [library.get(word) for word in recordings]]
    print(json.dumps(_plain(found))) if as_json else recordings_text.print_recordings(found)


@recordings_app.command()
def trim(
    recording: One,
    start: Annotated[int, typer.Option("--from", min=0, metavar="TICK", help="The first tick that counts.")] = 0,
    end: Annotated[
        int | None, typer.Option("--to", min=1, metavar="TICK", help="The last one.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Let only a part of a recording count, for data sets and learning; without options all of it again."""
    _change(recording, as_json, span=(start, end))


@recordings_app.command()
def delete(
    recordings: Some,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Delete recordings for good."""
    library = _library()
    found = list({one.id: one for one in map(library.get, recordings)}.values())
    if not yes:
        typer.confirm(f"Delete {', '.join(one.card.title for one in found)} for good?", abort=True, err=True)
    for one in found:
        library.discard(one)
    ids = [one.id for one in found]
    print(json.dumps({"deleted": ids}) if as_json else "\n".join(f"deleted {id}" for id in ids))


@recordings_app.command("export")
@choosing
def export(
    chosen: Chosen,
    to: Annotated[
        str,
        typer.Option("--to", metavar="FORMAT", help="minari, rllib, parquet, lerobot or npz; pgn of chess, sgf of go."),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", file_okay=False, help="Where the data sets go.")],
    by: Annotated[
        str,
        typer.Option(
            "--by",
            metavar="seat|role|match",
            help="A data set for each seat, for all seats of a role, or for whole matches.",
        ),
    ] = "seat",
    as_json: Json = False,
) -> None:
    """Write demonstrations as data sets that other tools read."""
    hide_windows()
    from rich.console import Console
    from rich.progress import Progress

    from arcade.recordings.export import check_format, export_recordings

    check_format(to, by)  # before the progress bar
    _print_refused(chosen)
    with Progress(console=Console(stderr=True), disable=as_json) as bar:
        task = bar.add_task("exporting recordings", total=len(chosen.recordings))
        written = export_recordings(
            chosen.recordings, chosen.query, to=to, out=out, by=by, on_recording=lambda recording: bar.advance(task)
        )
    if as_json:
        print(json.dumps({"data_sets": [{**asdict(one), "path": str(one.path)} for one in written]}))
        return
    for one in written:
        print(f"{one.path}: {one.episodes:,} episodes, {one.steps:,} decisions of {one.name} in {one.game}")


@recordings_app.command("likeness")
@choosing
def likeness(
    chosen: Chosen,
    snapshot: Annotated[
        str,
        typer.Argument(
            metavar="SNAPSHOT", help="The clone: a name, latest, best or a path.", autocompletion=complete_snapshot
        ),
    ],
    reference: Annotated[
        str, typer.Option("--reference", metavar="SEAT", help="Reference player of reaction times: scripted …")
    ] = "",
    matches: Annotated[int, typer.Option("--matches", min=0, help="Recorded matches to play again.")] = 40,
    held_out: Annotated[
        float,
        typer.Option(
            "--held-out", min=0, max=0.9, help="Held-out share of the recordings, as in the training of the clone."
        ),
    ] = 0.2,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE.png", dir_okay=False, help="Draw it, too.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Compare a clone with a person, on held-out recordings and in the same matches."""
    hide_windows()
    from agents.snapshots.store import open_store
    from arcade.commands.likeness_text import print_likeness
    from arcade.recordings.export.formats import library
    from arcade.recordings.likeness import compare
    from arcade.recordings.query import DatasetError

    if plot is not None:  # before the work
        library("matplotlib")
        if not plot.absolute().parent.is_dir():
            raise DatasetError(f"expected a plot in a folder that exists, got: {str(plot)!r}")
    found = compare(
        snapshot, chosen.library.list()[0], chosen.query, open_store(), reference=reference,
        matches=matches, share=held_out, watch=partial(tracked, quiet=as_json),
    )  # fmt: skip
    if plot is not None:
        from arcade.recordings.likeness.plot import draw_likeness

        try:
            draw_likeness(found, plot)
        except OSError as error:
            raise DatasetError(f"expected to write the plot {plot}, got: {error.strerror}") from error
    print(json.dumps(found.as_json())) if as_json else print_likeness(found)


def _print_refused(chosen: Chosen) -> None:
    for one in chosen.unreadable:
        print(f"refused {one.path.name!r}: {one.reason}", file=sys.stderr)


def _change(word: str, as_json: bool, **notes: Any) -> None:
    library = _library()
    _print(library.change(library.get(word), **notes), as_json)


def _print(recording: Recording, as_json: bool) -> None:
    from arcade.commands import recordings_text

    print(json.dumps(recordings_text.as_json(recording))) if as_json else recordings_text.print_recording(recording)


def _plain(recordings: Sequence[Recording]) -> dict[str, Any]:
    from arcade.commands import recordings_text

    return {"recordings": [*map(recordings_text.as_json, recordings)]}


def _library() -> RecordingLibrary:
    from arcade.recordings.library import RecordingLibrary

    return RecordingLibrary(folder("replays"))
