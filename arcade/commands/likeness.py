"""What ``arcade demos likeness`` does, behind its options."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.errors import UserError
from agents.home import folder
from agents.seats.choice import SeatChoice, SeatError
from agents.seats.words import parse_seat
from arcade.recordings.datasets.split import HELD_OUT
from arcade.recordings.query import DatasetError

if TYPE_CHECKING:
    from agents.snapshots.store import Snapshot, SnapshotStore
    from arcade.commands.recording_filters import Chosen
    from arcade.games.spec import GameSpec
    from arcade.recordings.likeness import Comparison, Likeness
    from arcade.recordings.query import DatasetQuery

WHO = ("person", "label", "kind", "seat")
"""Filters that say whose decisions are looked at."""


@dataclass(frozen=True, kw_only=True)
class LikenessRequest:
    """The options of ``arcade demos likeness`` beside those that choose takes."""

    snapshot: str  # name, latest, best or a path, with human limits behind a question mark
    reference: str = ""  # seat word; "": the game's scripted player, or the best other snapshot
    matches: int = 40
    held_out: float = HELD_OUT
    plot: Path | None = None
    as_json: bool = False


def show_likeness(request: LikenessRequest, chosen: Chosen) -> None:
    """Compare, print the table or one JSON object, and write the picture where one was asked for."""
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
    from arcade.match.play.lineup import open_store
    from arcade.recordings.export.libraries import library
    from arcade.recordings.likeness import print_likeness

    if request.plot is not None:  # what is wrong is said before the work, not after it
        library("matplotlib")
        if not request.plot.absolute().parent.is_dir():
            raise DatasetError(f"expected a plot in a folder that exists, got: {str(request.plot)!r}")
    store = open_store(folder("snapshots"))
    likeness = compare(make_comparison(request, chosen, store), store, quiet=request.as_json)
    if request.plot is not None:
        _draw(likeness, request.plot)
    print(json.dumps(likeness.as_json())) if request.as_json else print_likeness(likeness)


def make_comparison(request: LikenessRequest, chosen: Chosen, store: SnapshotStore) -> Comparison:
    """Raises UserError for what cannot be compared."""
    from arcade.games import find_game
    from arcade.match.play.lineup import choice_limits
    from arcade.recordings.likeness import Comparison

    if not any(getattr(chosen.query, field) for field in WHO):
        raise DatasetError("expected whose play to compare with: --person NAME, --label, --kind or --seat, got none")
    player = parse_seat(f"snapshot:{request.snapshot}")
    snapshot = store.get(player.argument, game=chosen.query.game or None)
    spec = find_game(snapshot.card.game)
    choice_limits(player, spec)
    query = replace(chosen.query, game=spec.id)
    return Comparison(
        spec=spec,
        snapshot=snapshot,
        player=replace(player, argument=snapshot.card.name) if _is_stored(store, snapshot) else player,
        takes=tuple(replace(chosen, query=query).takes()),
        query=query,
        person=_in_words(query),
        reference=_reference(request.reference, spec, snapshot, store),
        matches=request.matches,
        held_out=request.held_out,
    )


def compare(comparison: Comparison, store: SnapshotStore, *, quiet: bool) -> Likeness:
    """With a bar on stderr for what takes long."""
    from rich.console import Console
    from rich.progress import track

    from arcade.recordings.likeness import measure

    console = Console(stderr=True)

    def watch(items: Iterable[Any], total: int, what: str) -> Iterator[Any]:
        disable = quiet or not console.is_terminal
        return iter(track(items, what, total=total, console=console, transient=True, disable=disable))

    return measure(comparison, store, watch=watch)


def _draw(likeness: Likeness, path: Path) -> None:
    from arcade.recordings.likeness.plot import draw_likeness

    try:
        draw_likeness(likeness, path)
    except OSError as error:
        raise DatasetError(f"expected to write the plot {path}, got: {error.strerror}") from error


def _reference(word: str, spec: GameSpec, snapshot: Snapshot, store: SnapshotStore) -> SeatChoice | None:
    """Who says when a reaction is due."""
    if spec.turn_based:
        if word:
            raise DatasetError(f"expected no --reference in {spec.id}, which waits for each move, got: {word!r}")
        return None
    if word:
        choice = parse_seat(word)
        if choice.is_human or choice.kind in ("replay", "pool", "random", "idle"):
            raise SeatError(f"expected a --reference that knows what to do, such as scripted, got: {word!r}")
        return choice
    if spec.scripted:
        return SeatChoice("scripted")
    others = [card.name for card in store.list(spec.id) if card.name != snapshot.card.name]
    named = [name for name in (store.choose("best", game=spec.id), *reversed(others)) if name in others]
    return SeatChoice("snapshot", named[0]) if named else None


def _is_stored(store: SnapshotStore, snapshot: Snapshot) -> bool:
    """Whether its name means it, and not the path that it was read from."""
    try:
        return store.get(snapshot.card.name, game=snapshot.card.game).card.sha256 == snapshot.card.sha256
    except UserError:
        return False


def _in_words(query: DatasetQuery) -> str:
    who = [str(getattr(query, field)) for field in WHO if getattr(query, field)]
    return ", ".join(who)
