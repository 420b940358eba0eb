"""From seat words to controllers and policies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agents.policies.adapters import ControllerBatch
from agents.policies.batch import BatchPolicy
from agents.seats.choice import SeatChoice, SeatError
from agents.seats.controller import AgentID, Controller, SeatSpec
from agents.seats.kinds import DeviceFactory, SeatContext, find_kind
from agents.seats.limits import LimitedController, Limits, level_of
from agents.seats.words import parse_lineup
from agents.snapshots.store import SnapshotStore
from arcade.games.spec import GameSpec
from arcade.match.play.seats import PolicyMapping
from arcade.match.stage.stage import Stage

Devices = Mapping[str, DeviceFactory]
NO_DEVICES: Devices = {}


def make_mapping(
    stage: Stage, lineup: Mapping[AgentID, SeatChoice], *, store: SnapshotStore, devices: Devices = NO_DEVICES
) -> PolicyMapping:
    """A controller for each seat of a stage that is ready.

    Raises SeatError, SnapshotError or ControllerError, with what would have been right; nothing stays open then.
    """
    mapping: PolicyMapping = {}
    try:
        for agent, choice in lineup.items():
            mapping[agent] = make_controller(choice, stage.seat(agent), spec=stage.spec, store=store, devices=devices)
    except Exception:
        close_mapping(mapping)
        raise
    return mapping


def close_mapping(mapping: PolicyMapping) -> None:
    """Free every controller."""
    for controller in mapping.values():
        controller.close()


def make_controller(
    choice: SeatChoice, seat: SeatSpec, *, spec: GameSpec, store: SnapshotStore, devices: Devices = NO_DEVICES
) -> Controller:
    """The controller that a seat word means on this seat, held to its limits."""
    choice_limits(choice, spec)  # refused before anything is opened
    controller = find_kind(choice.kind).make(choice, seat, _context(spec, store, devices))
    controller.kind = choice.kind
    return limit(controller, choice, spec)


def make_policy(choice: SeatChoice, places: Sequence[SeatSpec], *, spec: GameSpec, store: SnapshotStore) -> BatchPolicy:
    """The batch policy that a seat word means on the places of a match; raises UserError where there is none."""
    if choice_limits(choice, spec).any:
        return ControllerBatch(
            lambda seat: make_controller(choice, seat, spec=spec, store=store), places, label=str(choice)
        )
    return find_kind(choice.kind).make_policy(choice, places, _context(spec, store))


def _context(spec: GameSpec, store: SnapshotStore, devices: Devices = NO_DEVICES) -> SeatContext:
    return SeatContext(store=store, turn_based=spec.turn_based, scripted=spec.scripted or "", devices=devices)


def limit(controller: Controller, choice: SeatChoice, spec: GameSpec) -> Controller:
    """`controller` held to what the seat word says, itself where that is nothing."""
    limits = choice_limits(choice, spec)
    if choice.kind == "level" and not choice.options:
        return LimitedController(controller, limits, level=choice.argument)
    if limits.any:
        return LimitedController(controller, limits, level=level_of(limits, turn_based=spec.turn_based))
    return controller


def choice_limits(choice: SeatChoice, spec: GameSpec) -> Limits:
    """The limits of a seat word; raises SeatError for wrong ones, and for those that mean nothing in the game."""
    limits = find_kind(choice.kind).limits(choice, turn_based=spec.turn_based).changed(choice.limits)
    if spec.turn_based and not limits.for_turns:
        raise SeatError(f"expected noise alone in {spec.id}, which waits for each move, got: {choice}")
    return limits


def ai_choice(spec: GameSpec, agent: AgentID, store: SnapshotStore) -> SeatChoice:
    """The AI player of a seat that no person takes: the latest snapshot that fits, else scripted, else random."""
    for card in reversed(store.list(spec.id)):
        if card.plays(agent) and store.is_whole(card.name):
            return SeatChoice("snapshot", card.name)
    return SeatChoice("scripted" if spec.scripted else "random")


def fair_choice(spec: GameSpec, agent: AgentID, store: SnapshotStore) -> SeatChoice:
    """The AI player of a seat beside people: as `ai_choice`, but a snapshot at the normal level."""
    choice = ai_choice(spec, agent, store)
    return SeatChoice("level", "normal") if choice.kind == "snapshot" else choice


def ai_lineup(spec: GameSpec, words: Sequence[str], store: SnapshotStore) -> dict[AgentID, SeatChoice]:
    """Read ``AGENT=CONTROLLER`` words and give the other seats to `ai_choice`; raises SeatError for a wrong word."""
    lineup = parse_lineup(words, spec.agents, default=SeatChoice("idle"))
    for choice in lineup.values():
        choice_limits(choice, spec)  # wrong limits are reported before anything opens
    named = {word.partition("=")[0] for word in words}
    if "*" in named:
        return lineup
    return {agent: choice if str(agent) in named else ai_choice(spec, agent, store) for agent, choice in lineup.items()}
