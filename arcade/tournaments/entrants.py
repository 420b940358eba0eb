"""Entrants from patterns: ``snapshot:volley-*``, ``scripted``, ``uci:stockfish?skill=3`` …"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from agents.seats.controller import AgentID, ControllerError, SeatChoice, SeatError
from agents.seats.kinds import find_kind, parse_seat
from agents.snapshots.store import SnapshotError, SnapshotStore
from agents.wire.addresses import without_key
from agents.wire.client import parse_remote
from arcade.games.spec import GameSpec
from arcade.match.batch.evaluation import pin
from arcade.match.play.lineup import make_controller
from arcade.match.stage.local import LocalStage
from arcade.tournaments.pairings import Entrant, TournamentError, sides_of


def default_patterns(spec: GameSpec, store: SnapshotStore) -> list[str]:
    """All snapshots of the game, its scripted player and random play."""
    return [*(["snapshot:*"] if store.list(spec.id) else []), *(["scripted"] if spec.scripted else []), "random"]


def find_entrants(patterns: Iterable[str], spec: GameSpec, store: SnapshotStore) -> tuple[Entrant, ...]:
    """The players that match the patterns, each once, in their order.

    Raises TournamentError, SeatError, SnapshotError or ControllerError where there is no such player, or two of them
    would have the same name on the ladder.
    """
    choices = dict.fromkeys(choice for pattern in patterns for choice in _expand(pattern, spec, store))
    with LocalStage(spec) as stage:
        entrants = [_entrant(choice, stage, store) for choice in choices]
    by_label: dict[str, Entrant] = {}
    for entrant in entrants:
        other = by_label.setdefault(entrant.label, entrant)
        if other is not entrant:
            same = f"{other.word} and {entrant.word}, both {entrant.label!r} on the ladder"
            raise TournamentError(f"expected entrants with names of their own, got {same}")
    return tuple(entrants)


def _expand(pattern: str, spec: GameSpec, store: SnapshotStore) -> list[SeatChoice]:
    choice = parse_seat(pattern)
    if not find_kind(choice.kind).is_one_player:
        raise SeatError(f"expected one AI player, got: {pattern!r}; try snapshot:latest")
    if choice.kind == "snapshot" and any(letter in choice.argument for letter in "*["):
        names = [card.name for card in store.list(spec.id) if fnmatchcase(card.name, choice.argument)]
        if not names:
            there = ", ".join(card.name for card in store.list(spec.id)) or "none"
            text = f"expected a snapshot of {spec.id} like {choice.argument!r}; there is {there}"
            raise SnapshotError(text, code="not_found")
        return [SeatChoice("snapshot", name, choice.options) for name in names]
    return list(pin({spec.agents[0]: choice}, spec, store).values())


def _entrant(choice: SeatChoice, stage: LocalStage, store: SnapshotStore) -> Entrant:
    """The entrant; its controller is made and closed once for each side, to check that it can play there."""
    snapshot = store.get(choice.argument, game=stage.spec.id) if choice.kind == "snapshot" else None
    labels: list[str] = []
    reasons: list[Exception] = []
    sides = []
    for number, seats in enumerate(sides_of(stage.spec)):
        try:
            if snapshot is not None:
                for seat in seats:
                    snapshot.check(stage.seat(seat))
            labels += [_label(choice, stage, seat, store) for seat in _different(seats, stage)]
            sides.append(number)
        except (SnapshotError, ControllerError) as error:
            reasons.append(error)
    if not sides:
        raise reasons[0]
    sha256 = snapshot.card.sha256 if snapshot is not None else ""
    return Entrant(word=str(choice), label=labels[0], sides=tuple(sides), sha256=sha256)


def _label(choice: SeatChoice, stage: LocalStage, agent: AgentID, store: SnapshotStore) -> str:
    controller = make_controller(choice, stage.seat(agent), spec=stage.spec, store=store)
    try:
        if choice.kind == "remote":  # the name is the server's own, and may be that of a snapshot here
            address, policy = parse_remote(choice.argument)
            endpoint = without_key(address)
            return f"{policy} at {endpoint}" if policy else endpoint
        return controller.label
    finally:
        controller.close()


def _different(seats: Sequence[AgentID], stage: LocalStage) -> list[AgentID]:
    """One seat of each kind; a side of hundreds of seats has one or two kinds."""
    roles, found = stage.spec.roles, list[AgentID]()
    for seat in seats:
        kind = stage.spaces[seat], roles.get(seat)
        if all((stage.spaces[other], roles.get(other)) != kind for other in found):
            found.append(seat)
    return found
