"""Compares a snapshot with recorded play: held-out decisions, repeated matches, habits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agents.errors import UserError
from agents.seats.choice import SeatChoice, SeatError
from agents.seats.words import parse_seat
from agents.snapshots.snapshot import Snapshot
from agents.snapshots.store import SnapshotStore
from arcade.games import find_game
from arcade.games.spec import GameSpec
from arcade.match.play.lineup import choice_limits
from arcade.match.stage.local import LocalStage
from arcade.recordings.datasets.episodes import demo_episodes
from arcade.recordings.datasets.split import HELD_OUT, held_out
from arcade.recordings.library import Recording
from arcade.recordings.likeness.figures import Likeness
from arcade.recordings.likeness.rematch import NoRematchError, Rematch
from arcade.recordings.likeness.samples import Asked, BothResults, HabitsOf, References
from arcade.recordings.query import DatasetError, DatasetQuery

WHO = ("person", "label", "kind", "seat")
"""Fields of a query that identify a player."""


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
    reference: seat word of the reference player of reactions; "": the scripted player, or the best other snapshot.
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
    """The reference player of reactions, None in a turn-based game."""
    if spec.turn_based:
        if word:
            raise DatasetError(f"expected no --reference in turn-based {spec.id}, got: {word!r}")
        return None
    if word:
        choice = parse_seat(word)
        if choice.is_human or choice.kind in ("replay", "pool", "random", "idle"):
            raise SeatError(f"expected a skilled --reference such as scripted, got: {word!r}")
        return choice
    if spec.scripted:
        return SeatChoice("scripted")
    others = [card.name for card in store.list(spec.id) if card.name != snapshot.card.name]
    named = [name for name in (store.choose("best", game=spec.id), *reversed(others)) if name in others]
    return SeatChoice("snapshot", named[0]) if named else None


def _is_stored(store: SnapshotStore, snapshot: Snapshot) -> bool:
    """Whether the store has it under its name, rather than only the given path."""
    try:
        return store.get(snapshot.card.name, game=snapshot.card.game).card.sha256 == snapshot.card.sha256
    except UserError:
        return False


MatchMonitor = Callable[[Iterable[Any], int, str], Iterator[Any]]
"""(items, their number, their name) → the items, with progress shown."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """A snapshot, and the recorded play to compare it with."""

    spec: GameSpec
    snapshot: Snapshot
    player: SeatChoice  # the snapshot's seat word with its limits
    recordings: tuple[Recording, ...]  # of the person
    query: DatasetQuery  # selects the person's decisions
    person: str  # description
    reference: SeatChoice | None  # reference player of reactions
    matches: int = 40  # to repeat at most
    held_out: float = HELD_OUT  # share of the recordings, as when the snapshot learnt from the others


def measure(
    comparison: Comparison, store: SnapshotStore, *, watch: MatchMonitor = lambda items, total, what: iter(items)
) -> Likeness:
    """Compare the snapshot's actions with held-out play, then let it repeat the person's matches.

    Raises DatasetError where there are too few recordings, SnapshotError where the snapshot does not fit the seat.
    """
    action = comparison.snapshot.card.action
    with (
        LocalStage(comparison.spec) as stage,
        References(comparison.reference, stage, store, action=action) as references,
    ):
        person, clone = HabitsOf(references), HabitsOf(references)
        asked, apart = _ask(comparison, stage, person, watch)
        rematches, left_out = _rematches(comparison, apart)
        results = BothResults()
        for rematch in watch(rematches, len(rematches), "matches"):
            for episode in results.add(rematch, comparison.player, store):
                clone.add(episode)
        return Likeness(
            snapshot=comparison.snapshot.card.name, game=comparison.spec.id, person=comparison.person,
            recordings=len(comparison.recordings), held_out=len(apart), agreement=asked.agreement(),
            habits={"person": person.habits(), "clone": clone.habits()},
            results=results.results(), results_held_out=sum(one.recording.id in apart for one in rematches),
            left_out=left_out, reference=str(comparison.reference or ""),
            fps=0.0 if comparison.spec.turn_based else comparison.spec.fps,
        )  # fmt: skip


def _ask(
    comparison: Comparison, stage: LocalStage, person: HabitsOf, watch: MatchMonitor
) -> tuple[Asked, frozenset[str]]:  # fmt: skip
    """Ask the snapshot about the held-out recordings; returns the answers and their ids.

    Where none of them is readable, another part of the recordings is held out.
    """
    asked, recordings = Asked(comparison.snapshot), {recording.id: recording for recording in comparison.recordings}
    while apart := held_out(
        {id: recording.card.seed for id, recording in recordings.items()}, share=comparison.held_out
    ):
        ours = [recordings.pop(id) for id in sorted(apart)]
        for episode in demo_episodes(watch(ours, len(ours), "held-out recordings"), comparison.query):
            comparison.snapshot.check(stage.seat(episode.agent))
            asked.add(episode, person.add(episode))
        if asked.decisions:
            return asked, apart
    raise DatasetError(
        f"expected at least 2 recordings of {comparison.person}, some to hold out, got: {len(comparison.recordings)}"
    )


def _rematches(comparison: Comparison, apart: frozenset[str]) -> tuple[list[Rematch], Counter[str]]:
    """The matches to repeat, held-out ones first, and the reasons why others cannot be."""
    found: list[Rematch] = []
    left_out: Counter[str] = Counter()
    for recording in sorted(comparison.recordings, key=lambda recording: (recording.id not in apart, recording.id)):
        for agent in comparison.query.seats(recording):
            if len(found) == comparison.matches:
                return found, left_out
            try:
                found.append(Rematch.of(recording, agent))
            except NoRematchError as error:
                left_out[str(error)] += 1
    return found, left_out
