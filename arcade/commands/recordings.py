"""``arcade demos``: what is recorded, and what people say of it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from arcade.commands.errors import mending
from arcade.commands.recording_filters import Chosen, choosing

if TYPE_CHECKING:
    from arcade.recordings.library import Recording, RecordingLibrary

demos_app = typer.Typer(help="Recorded matches: demonstrations to keep and to learn from.", no_args_is_help=True)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
OneTake = Annotated[
    str, typer.Argument(metavar="TAKE", help="Its name, its id or a part of it, or latest.", show_default=False)
]
SomeTakes = Annotated[list[str], typer.Argument(metavar="TAKE…", help="Names, ids or parts of them, or latest.")]


@demos_app.command("list")
@choosing
def demos_list(
    chosen: Callable[[], Chosen],
    totals: Annotated[bool, typer.Option("--totals", help="Sum up by person and game.")] = False,
    as_json: Json = False,
) -> None:
    """List what is recorded, newest first, and the files that cannot be used with the reason."""
    from rich.console import Console

    from arcade.recordings import listing
    from arcade.recordings.totals import totals as sums

    with mending(), Console(stderr=True).status("reading recordings …"):  # of a terminal; long where cards are missing
        found = chosen()
        takes, bad = found.takes(), found.store.list()[1]
    rows = sums(take.card for take in takes) if totals else []
    if as_json:
        data = {"totals": [row.as_json() for row in rows]} if totals else {"takes": [*map(listing.as_json, takes)]}
        print(json.dumps({**data, "refused": listing.bad_as_json(bad)}))
        return
    if takes:
        listing.print_totals(rows) if totals else listing.print_takes(takes)
    else:
        print("no takes; `arcade play GAME` records what is played, `arcade demos list` without options lists all")
    for one in bad:
        print(f"refused {one.path.name!r}: {one.reason}", file=sys.stderr)


@demos_app.command("show")
def demos_show(take: OneTake, as_json: Json = False) -> None:
    """Tell all of one take: who played, how it went, what people said of it."""
    with mending():
        _tell(_store().get(take), as_json)


@demos_app.command("name")
def demos_name(
    take: OneTake, name: Annotated[str, typer.Argument(help='Its new name; "" for none.')], as_json: Json = False
) -> None:
    """Give a take a name."""
    _change(take, as_json, name=name)


@demos_app.command("tag")
def demos_tag(
    take: OneTake,
    tags: Annotated[list[str] | None, typer.Argument(metavar="TAG…", help="Tags to add.", show_default=False)] = None,
    remove: Annotated[list[str] | None, typer.Option("--remove", metavar="TAG", help="Take it off again.")] = None,
    as_json: Json = False,
) -> None:
    """Put tags on a take, or take them off."""
    from arcade.recordings.library import RecordingError

    with mending():
        store = _store()
        found = store.get(take)
        had, off = found.card.tags, remove or []
        if strangers := [tag for tag in off if tag not in had]:
            raise RecordingError(
                f"expected --remove with tags of the take ({', '.join(had) or 'none'}), got: {strangers[0]!r}"
            )
        left = [tag for tag in had if tag not in off]
        _tell(store.change(found, tags=(*left, *(tags or ()))), as_json)


@demos_app.command("rate")
def demos_rate(
    take: OneTake, stars: Annotated[int, typer.Argument(min=0, max=5, help="0: none.")], as_json: Json = False
) -> None:
    """Give a take one to five stars."""
    _change(take, as_json, rating=stars)


@demos_app.command("keep")
def demos_keep(
    takes: SomeTakes,
    release: Annotated[bool, typer.Option("--release", help="They may make room for new ones again.")] = False,
    as_json: Json = False,
) -> None:
    """Keep takes: they never make room for new ones."""
    from arcade.recordings import listing

    with mending():
        store = _store()
        found = [store.change(take, kept=not release) for take in [store.get(word) for word in takes]]
    print(json.dumps({"takes": [*map(listing.as_json, found)]})) if as_json else listing.print_takes(found)


@demos_app.command("trim")
def demos_trim(
    take: OneTake,
    start: Annotated[int, typer.Option("--from", min=0, metavar="TICK", help="The first tick that counts.")] = 0,
    end: Annotated[
        int | None, typer.Option("--to", min=1, metavar="TICK", help="The last one.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Let only a part of a take count, for data sets and learning; without options all of it again."""
    _change(take, as_json, span=(start, end))


@demos_app.command("delete")
def demos_delete(
    takes: SomeTakes,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Delete takes for good."""
    with mending():
        store = _store()
        found = list({take.id: take for take in map(store.get, takes)}.values())
        if not yes:
            typer.confirm(f"Delete {', '.join(take.card.title for take in found)} for good?", abort=True, err=True)
        for take in found:
            store.discard(take)
    ids = [take.id for take in found]
    print(json.dumps({"deleted": ids}) if as_json else "\n".join(f"deleted {id}" for id in ids))


@demos_app.command("export")
@choosing
def demos_export(
    chosen: Callable[[], Chosen],
    to: Annotated[
        str, typer.Option("--to", metavar="FORMAT", help="minari, rllib, parquet, npz, or one that a package brings.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", file_okay=False, help="Where the data sets go.")],
    by: Annotated[
        str, typer.Option("--by", metavar="seat|role", help="A data set for each seat, or for all seats of a role.")
    ] = "seat",
    as_json: Json = False,
) -> None:
    """Write demonstrations as data sets that other tools read."""
    from arcade.commands import export

    with mending():
        request = export.ExportRequest(to=to, out=out, by=cast(Any, by), as_json=as_json)  # which checks it
        export.export(request, chosen())


@demos_app.command("likeness")
@choosing
def demos_likeness(
    chosen: Callable[[], Chosen],
    snapshot: Annotated[str, typer.Argument(metavar="SNAPSHOT", help="The clone: a name, latest, best or a path.")],
    reference: Annotated[
        str, typer.Option("--reference", metavar="SEAT", help="Who says when a reaction is due: scripted, snapshot:…")
    ] = "",
    matches: Annotated[int, typer.Option("--matches", min=0, help="Of the recorded ones, to be played again.")] = 40,
    held_out: Annotated[
        float, typer.Option("--held-out", min=0, max=0.9, help="Share of the takes; as when the clone learnt.")
    ] = 0.2,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE.png", dir_okay=False, help="Draw it, too.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure how much a clone plays like the person: on held-out takes, and in the same matches."""
    from arcade.commands import likeness

    with mending():
        request = likeness.LikenessRequest(
            snapshot=snapshot,
            reference=reference,
            matches=matches,
            held_out=held_out,
            plot=plot,
            as_json=as_json,
        )
        likeness.show_likeness(request, chosen())


def _change(word: str, as_json: bool, **said: Any) -> None:
    with mending():
        store = _store()
        _tell(store.change(store.get(word), **said), as_json)


def _tell(take: Recording, as_json: bool) -> None:
    from arcade.recordings import listing

    print(json.dumps(listing.as_json(take))) if as_json else listing.print_take(take)


def _store() -> RecordingLibrary:
    from agents.home import folder
    from arcade.recordings.library import RecordingLibrary

    return RecordingLibrary(folder("replays"))
