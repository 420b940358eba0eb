"""Choosing what to compare: whose decisions, which snapshot, and the player who says when a reaction is due."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agents.errors import UserError
from agents.seats.choice import SeatChoice, SeatError
from agents.seats.words import parse_seat
from agents.snapshots.snapshot import Snapshot
from agents.snapshots.store import SnapshotStore
from arcade.games import find_game
from arcade.games.spec import GameSpec
from arcade.match.play.lineup import choice_limits
from arcade.recordings.datasets.split import HELD_OUT
from arcade.recordings.library import Recording
from arcade.recordings.likeness.figures import Likeness
from arcade.recordings.likeness.measure import Comparison, MatchMonitor, measure
from arcade.recordings.query import DatasetError, DatasetQuery

WHO = ("person", "label", "kind", "seat")
"""Fields of a query that say whose decisions are compared."""


def compare(
    snapshot: str,
    recordings: Sequence[Recording],
    query: DatasetQuery,
    store: SnapshotStore,
    *,
    reference: str = "",
    matches: int = 40,
    held_out: float = HELD_OUT,
    watch: MatchMonitor = lambda items, total, what: iter(items),
) -> Likeness:
    """Measure how much a snapshot plays like the player whose decisions `query` wants.

    snapshot: name, latest, best or a path, with human limits behind a question mark.
    recordings: to choose from; those of other games are left out.
    reference: seat word of the player who says when a reaction is due; "": the scripted player, or the best other
        snapshot.
    matches: recorded matches that the snapshot plays again, at most.
    held_out: share of the recordings to ask the snapshot about: those it didn't learn from, by the same share.
    watch: wraps each iterator that takes long, for example in a progress bar.

    Raises DatasetError for a query without a player or too few recordings, SeatError and SnapshotError.
    """
    if not any(getattr(query, field) for field in WHO):
        raise DatasetError("expected whose play to compare with: --person NAME, --label, --kind or --seat, got none")
    player = parse_seat(f"snapshot:{snapshot}")
    found = store.get(player.argument, game=query.game or None)
    spec = find_game(found.card.game)
    choice_limits(player, spec)
    query = replace(query, game=spec.id)
    comparison = Comparison(
        spec=spec,
        snapshot=found,
        player=replace(player, argument=found.card.name) if _is_stored(store, found) else player,
        recordings=tuple(query.filter(recordings)),
        query=query,
        person=", ".join(str(value) for field in WHO if (value := getattr(query, field))),
        reference=_reference(reference, spec, found, store),
        matches=matches,
        held_out=held_out,
    )
    return measure(comparison, store, watch=watch)


def _reference(word: str, spec: GameSpec, snapshot: Snapshot, store: SnapshotStore) -> SeatChoice | None:
    """The player who says when a reaction is due."""
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
    """Whether its name leads to it, rather than the path that it was read from."""
    try:
        return store.get(snapshot.card.name, game=snapshot.card.game).card.sha256 == snapshot.card.sha256
    except UserError:
        return False
