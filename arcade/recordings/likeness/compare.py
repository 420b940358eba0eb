"""Compares a snapshot with recorded play: held-out decisions, repeated matches, habits.

A repeated match (Rematch) has the seed, opponents and rules of the recorded one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from agents.errors import UserError
from agents.seats.controller import AgentID, SeatChoice, SeatError
from agents.seats.kinds import parse_seat
from agents.seats.limits import Limits
from agents.snapshots.card import check_name
from agents.snapshots.snapshot import Snapshot
from agents.snapshots.store import SnapshotStore
from arcade.games import find_game
from arcade.games.spec import GameSpec
from arcade.match.batch.in_process import Series, play_series
from arcade.match.play.lineup import choice_limits
from arcade.match.play.result import RecordingSource
from arcade.match.playback.replay import Replay
from arcade.match.stage.local import LocalStage
from arcade.match.stage.rules import StageRules
from arcade.recordings.datasets.episodes import demo_episodes, episodes
from arcade.recordings.library import Recording, RecordingError, RecordingLibrary
from arcade.recordings.likeness.answers import Agreement
from arcade.recordings.likeness.figures import Likeness, Player
from arcade.recordings.likeness.reactions import References
from arcade.recordings.query import HELD_OUT, DatasetError, DatasetQuery, held_out

WHO = ("person", "label", "kind", "seat")
"""Fields of a query that identify a player."""

Watch = Callable[[Iterable[Any], int, str], Iterator[Any]]
"""(items, their number, their name) → the items, with progress shown."""


def compare(
    snapshot: str,
    recordings: Sequence[Recording],
    query: DatasetQuery,
    store: SnapshotStore,
    *,
    reference: str = "",
    matches: int = 40,
    share: float = HELD_OUT,
    watch: Watch = lambda items, total, what: iter(items),
) -> Likeness:
    """Compare a snapshot's actions with held-out decisions that `query` wants, then let it repeat the matches.

    snapshot: name, latest, best or a path, with human limits behind a question mark.
    recordings: to choose from; those of other games are left out.
    reference: seat word of the reference player of reactions; "": the scripted player, or the best other snapshot.
    matches: recorded matches that the snapshot plays again, at most.
    share: of the recordings, to ask the snapshot about: those it didn't learn from, by the same share.
    watch: wraps each iterator that takes long, for example in a progress bar.

    Raises DatasetError for a query without a player or too few recordings, SeatError, and SnapshotError also where the
    snapshot does not fit the seat.
    """
    person = ", ".join(str(value) for field in WHO if (value := getattr(query, field)))
    if not person:
        raise DatasetError("expected whose play to compare with: --person NAME, --label, --kind or --seat, got none")
    player = parse_seat(f"snapshot:{snapshot}")
    found = store.get(player.argument, game=query.game or None)
    spec = find_game(found.card.game)
    if found.card.obs_type:
        raise DatasetError(
            f"expected a snapshot that decides from what recordings hold, the game's own observations, got "
            f"{found.card.name!r}, which decides from {found.card.obs_type}"
        )
    choice_limits(player, spec)
    if _is_stored(store, found):
        player = replace(player, argument=found.card.name)
    query = replace(query, game=spec.id)
    chosen, other = query.filter(recordings), _reference(reference, spec, found, store)
    with LocalStage(spec) as stage, References(other, stage, store, action=found.card.action) as references:
        own, clone, agreement = Player(references), Player(references), Agreement(found)
        apart = _ask(agreement, own, stage, chosen, query, share=share, watch=watch)
        if not apart:
            raise DatasetError(f"expected at least 2 recordings of {person}, some to hold out, got: {len(chosen)}")
        rematches, left_out = _rematches(chosen, query, apart, most=matches)
        for rematch in watch(rematches, len(rematches), "matches"):
            _play(rematch, player, store, own, clone)
    facts = {  # "takes" counts recordings; the key is kept for people's files
        "snapshot": found.card.name, "game": spec.id, "person": person, "takes": len(chosen), "held_out": len(apart),
        "agreement": agreement.as_json(),
    }  # fmt: skip
    again = {"held_out": sum(one.recording.id in apart for one in rematches), "left_out": dict(left_out)}
    fps = 0.0 if spec.turn_based else spec.fps
    return Likeness.of(own, clone, facts, again, reference=str(other or ""), fps=fps)


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
    if spec.scripted and not spec.scripted_obs_type:  # a recording has the env's own observations
        return SeatChoice("scripted")
    others = [c.name for c in store.list(spec.id) if c.name != snapshot.card.name and not c.obs_type]
    named = [name for name in (store.choose("best", game=spec.id), *reversed(others)) if name in others]
    return SeatChoice("snapshot", named[0]) if named else None


def _is_stored(store: SnapshotStore, snapshot: Snapshot) -> bool:
    """Whether the store has it under its name, rather than only the given path."""
    try:
        return store.get(snapshot.card.name, game=snapshot.card.game).card.sha256 == snapshot.card.sha256
    except UserError:
        return False


def _ask(
    agreement: Agreement, person: Player, stage: LocalStage, recordings: Sequence[Recording], query: DatasetQuery, *,
    share: float, watch: Watch,
) -> frozenset[str]:  # fmt: skip
    """Ask the snapshot about the held-out recordings; returns their ids, none where there are too few recordings.

    Where none of them is readable, another part of the recordings is held out.
    """
    left = {recording.id: recording for recording in recordings}
    while apart := held_out({id: recording.card.seed for id, recording in left.items()}, share=share):
        ours = [left.pop(id) for id in sorted(apart)]
        for episode in demo_episodes(watch(ours, len(ours), "held-out recordings"), query):
            agreement.snapshot.check(stage.seat(episode.agent))
            agreement.add(episode, person.add(episode))
        if agreement.decisions:
            return apart
    return frozenset()


def _rematches(
    recordings: Sequence[Recording], query: DatasetQuery, apart: frozenset[str], *, most: int
) -> tuple[list[Rematch], Counter[str]]:
    """The matches to repeat, held-out ones first, and the reasons why others cannot be."""
    found: list[Rematch] = []
    left_out: Counter[str] = Counter()
    for recording in sorted(recordings, key=lambda recording: (recording.id not in apart, recording.id)):
        for agent in query.seats(recording):
            if len(found) == most:
                return found, left_out
            try:
                found.append(Rematch.of(recording, agent))
            except NoRematchError as error:
                left_out[str(error)] += 1
    return found, left_out


def _play(rematch: Rematch, player: SeatChoice, store: SnapshotStore, person: Player, clone: Player) -> None:
    """Repeat a match, and add both results and the clone's episodes."""
    agent = str(rematch.agent)
    with TemporaryDirectory(prefix="arcade-likeness-") as folder:
        recording = rematch.play(player, store=store, folder=Path(folder))
        person.add_match(rematch.recording.card, agent)
        clone.add_match(recording.card, agent)
        for episode in episodes(recording, (agent,)):
            clone.add(episode)


ALWAYS_THERE = ("scripted", "random", "idle")
"""Opponents that a word alone brings back."""


class NoRematchError(Exception):
    """A match that cannot be played again; the message says why, in a few words."""


@dataclass(frozen=True, kw_only=True)
class Rematch:
    """One match to play again with another player in one seat."""

    recording: Recording
    spec: GameSpec  # as it was made for the match
    seed: int
    agent: AgentID  # the seat
    lineup: Mapping[AgentID, SeatChoice]  # of all other seats
    rules: StageRules

    @classmethod
    def of(cls, recording: Recording, agent: str) -> Rematch:
        """Raises NoRematchError."""
        if recording.card.ended not in ("finished", "max_ticks"):
            raise NoRematchError("not played to its end")
        replay = recording.replay()
        if any(seat == agent for seat, _, _ in recording.card.takeovers) or len(_sources(replay, agent)) > 1:
            raise NoRematchError("more than one player in the seat")
        seats = replay.head.get("agents", [])
        own = next((one for one in seats if str(one) == agent), None)
        if own is None:
            raise NoRematchError("no such seat in the file")
        others = {one: _choice(replay, one) for one in seats if one != own}
        return cls(
            recording=recording, spec=replay.spec(), seed=replay.seed, agent=own, lineup=others, rules=_rules(replay)
        )  # fmt: skip

    def play(self, player: SeatChoice, *, store: SnapshotStore, folder: Path) -> Recording:
        """Play the match, recorded in `folder`."""
        series = Series(
            seed=self.seed,
            max_ticks=self.recording.card.ticks if self.recording.card.ended == "max_ticks" else None,
            rules=self.rules,
            record=folder,
        )
        played = play_series(self.spec, {**self.lineup, self.agent: player}, series, store=store)
        if not played.replays:
            raise RecordingError(played.warnings[0])
        return RecordingLibrary(folder).read(played.replays[0])


def _choice(replay: Replay, agent: AgentID) -> SeatChoice:
    """The seat word of the player, with its limits."""
    sources = _sources(replay, str(agent))
    if len(sources) != 1:
        raise NoRematchError("an opponent that changed")
    source = sources[0]
    options = _limits(replay, str(agent)).as_options()
    if source.kind in ALWAYS_THERE:
        return SeatChoice(source.kind, "", options)
    if source.snapshot:
        return SeatChoice("snapshot", _stored(source.snapshot), options)
    raise NoRematchError("an opponent that is a person" if source.human else f"an opponent of kind {source.kind:.20}")


def _stored(name: str) -> str:
    """A name in the store; paths from files are refused."""
    try:
        return check_name(name)
    except ValueError:
        raise NoRematchError("an opponent that is no snapshot of a store") from None


def _limits(replay: Replay, agent: str) -> Limits:
    """The limits of the seat's player, from the result."""
    reports: Mapping[str, Any] = (replay.result or {}).get("seats", {})
    try:
        return Limits(**reports.get(agent, {}).get("limits", {}))
    except (TypeError, ValueError, AttributeError, UserError) as error:
        raise NoRematchError("limits of an opponent that are none") from error


def _rules(replay: Replay) -> StageRules:
    try:
        return StageRules(**replay.head.get("settings", {}).get("rules", {}))
    except (TypeError, ValueError) as error:
        raise NoRematchError("rules of play that are none") from error


def _sources(replay: Replay, agent: str) -> list[RecordingSource]:
    return [source for source in replay.sources if source.agent == agent]
