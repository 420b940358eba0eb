"""The ``arcade recordings`` commands."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arcade.commands.options import Json, reported
from arcade.commands.recording_filters import Chosen, choosing

if TYPE_CHECKING:
    from arcade.recordings.library import Recording, RecordingLibrary

recordings_app = typer.Typer(help="Recorded matches, to watch and learn from.", no_args_is_help=True)

One = Annotated[
    str, typer.Argument(metavar="RECORDING", help="Its name, its id or a part of it, or latest.", show_default=False)
]
Some = Annotated[list[str], typer.Argument(metavar="RECORDING…", help="Names, ids or parts of them, or latest.")]


@recordings_app.command("list")
@choosing
def list_recordings(
    chosen: Callable[[], Chosen],
    totals: Annotated[bool, typer.Option("--totals", help="Sum up by person and game.")] = False,
    as_json: Json = False,
) -> None:
    """List recordings, the newest first, and the files that can't be read with the reason."""
    from rich.console import Console

    from arcade.recordings import listing
    from arcade.recordings.totals import totals as sums

    with reported(), Console(stderr=True).status("reading recordings …"):  # long where cards are missing
        found = chosen()
        recordings, bad = found.recordings(), found.library.list()[1]
    rows = sums(one.card for one in recordings) if totals else []
    if as_json:
        data = {"totals": [row.as_json() for row in rows]} if totals else _plain(recordings)
        print(json.dumps({**data, "refused": listing.bad_as_json(bad)}))
        return
    if recordings:
        listing.print_totals(rows) if totals else listing.print_recordings(recordings)
    else:
        print("no recordings; record some: arcade play GAME --record, or list all without options")
    for one in bad:
        print(f"refused {one.path.name!r}: {one.reason}", file=sys.stderr)


@recordings_app.command()
def show(recording: One, as_json: Json = False) -> None:
    """Print the details of a recording."""
    with reported():
        _print(_library().get(recording), as_json)


@recordings_app.command()
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
    with reported():
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
    from arcade.recordings import listing

    with reported():
        library = _library()
        found = [library.change(one, kept=not release) for one in [library.get(word) for word in recordings]]
    print(json.dumps(_plain(found))) if as_json else listing.print_recordings(found)


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
    with reported():
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
def export_recordings(
    chosen: Callable[[], Chosen],
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", help="minari, rllib, parquet or npz.")],
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", file_okay=False, help="Where the data sets go.")],
    by: Annotated[
        str, typer.Option("--by", metavar="seat|role", help="A data set for each seat, or for all seats of a role.")
    ] = "seat",
    as_json: Json = False,
) -> None:
    """Write demonstrations as data sets that other tools read."""
    from arcade.commands.export import export

    with reported():
        export(chosen(), to=to, out=out, by=by, as_json=as_json)


@recordings_app.command("likeness")
@choosing
def measure_likeness(
    chosen: Callable[[], Chosen],
    snapshot: Annotated[str, typer.Argument(metavar="SNAPSHOT", help="The clone: a name, latest, best or a path.")],
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
    from arcade.commands.export import likeness

    with reported():
        likeness(
            chosen(), snapshot, reference=reference, matches=matches, held_out=held_out, plot=plot, as_json=as_json
        )


def _change(word: str, as_json: bool, **said: Any) -> None:
    with reported():
        library = _library()
        _print(library.change(library.get(word), **said), as_json)


def _print(recording: Recording, as_json: bool) -> None:
    from arcade.recordings import listing

    print(json.dumps(listing.as_json(recording))) if as_json else listing.print_recording(recording)


def _plain(recordings: Sequence[Recording]) -> dict[str, Any]:
    from arcade.recordings import listing

    return {"recordings": [*map(listing.as_json, recordings)]}


def _library() -> RecordingLibrary:
    from agents.home import folder
    from arcade.recordings.library import RecordingLibrary

    return RecordingLibrary(folder("replays"))
