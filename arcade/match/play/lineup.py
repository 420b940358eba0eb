"""From seat words to controllers: who sits where."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.policies.adapters import ControllerBatch
from agents.policies.batch import BatchPolicy
from agents.policies.functions import FunctionBatch, FunctionController, VectorBatch, load_function
from agents.policies.idle import IdleController
from agents.policies.random import RandomBatch, RandomController
from agents.seats.controller import AgentID, Controller, SeatChoice, SeatError, SeatSpec, parse_lineup
from agents.seats.levels import level_of, limits_of, snapshot_of
from agents.seats.limits import LimitedController, Limits
from agents.snapshots.store import Rating, Snapshot, SnapshotStore
from arcade.assets import asset
from arcade.games.spec import GameSpec, load_entry
from arcade.match.play.seats import PolicyMapping
from arcade.match.stage.stage import Stage

if TYPE_CHECKING:
    from agents.ladder.ladder import Ladder

DeviceFactory = Callable[[SeatChoice, SeatSpec], Controller]
"""Makes the controller of a person's device; the window has one for "keyboard" and one for "gamepad"."""

Devices = Mapping[str, DeviceFactory]
NO_DEVICES: Devices = {}


def open_store(root: Path) -> SnapshotStore:
    """The user's snapshots in `root`, and behind them those that ship; the ladder beside `root` knows the best."""
    return SnapshotStore(root, bundled=(asset("snapshots"),), rating=_ladder_rating(root.parent / "ladder.sqlite"))


def _ladder_rating(path: Path) -> Rating:
    opened: list[Ladder] = []  # at the first question: its parts take long to import

    def rating(game: str, name: str) -> float | None:
        if not opened and not path.exists():
            return None
        from agents.ladder.ladder import Ladder, LadderError

        try:
            if not opened:
                opened.append(Ladder(path))
            return opened[0].rating(game, name)
        except LadderError:  # a broken ladder keeps nobody from playing: the best is then the latest
            return None

    return rating


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
    """The controller that a seat word means on this seat, held to the limits that stand behind it."""
    choice_limits(choice, spec)  # refused before anything is opened
    controller = _make_free(choice, seat, spec, store, devices)
    controller.kind = choice.kind
    return limit(controller, choice, spec)


def make_policy(choice: SeatChoice, places: Sequence[SeatSpec], *, spec: GameSpec, store: SnapshotStore) -> BatchPolicy:
    """The batch policy that a seat word means on the places of a match; raises UserError where there is none."""
    if not choice.options:
        match choice.kind:
            case "random":
                return RandomBatch(places)
            case "scripted":
                return _scripted_batch(spec, places)
            case "python":
                return FunctionBatch(load_function(choice.argument), places, label=choice.argument)
            case "snapshot":
                from agents.policies.snapshot import SnapshotBatch  # onnxruntime takes a second to import

                return SnapshotBatch(store.get(choice.argument, game=spec.id))
            case "pool":
                from agents.policies.pool import PoolBatch

                return PoolBatch(store, places)
    return ControllerBatch(
        lambda seat: make_controller(choice, seat, spec=spec, store=store), places, label=str(choice)
    )


def _scripted_batch(spec: GameSpec, places: Sequence[SeatSpec]) -> BatchPolicy:
    """By the function of whole batches that stands beside the scripted player, as `play_batch` beside `play`."""
    play = _scripted_function(spec)
    of_batches = getattr(sys.modules[play.__module__], f"{play.__name__}_batch", None)
    if of_batches is None:
        return FunctionBatch(play, places, label="scripted")
    return VectorBatch(lambda observations, masks, draws: of_batches(observations, draws), label="scripted")


def limit(controller: Controller, choice: SeatChoice, spec: GameSpec) -> Controller:
    """`controller` held to what the seat word says, itself where that is nothing."""
    limits = choice_limits(choice, spec)
    if choice.kind == "level" and not choice.options:
        return LimitedController(controller, limits, level=choice.argument)
    if limits.any:
        return LimitedController(controller, limits, level=level_of(limits, turn_based=spec.turn_based))
    return controller


def choice_limits(choice: SeatChoice, spec: GameSpec) -> Limits:
    """What a seat word holds its player to; raises SeatError for limits that are none, or mean nothing in the game."""
    usual = limits_of(choice.argument, turn_based=spec.turn_based) if choice.kind == "level" else Limits()
    limits = usual.changed(choice.limits)
    if spec.turn_based and not limits.for_turns:
        raise SeatError(f"expected noise alone in {spec.id}, which waits for each move, got: {choice}")
    return limits


def _make_free(
    choice: SeatChoice, seat: SeatSpec, spec: GameSpec, store: SnapshotStore, devices: Devices
) -> Controller:
    """The controller without its limits."""
    match choice.kind:
        case "keyboard" | "gamepad":
            if choice.kind not in devices:
                raise SeatError(
                    f"expected a window for the seat {choice}, got a match without one; try snapshot:latest"
                )
            return devices[choice.kind](choice, seat)
        case "random":
            return RandomController()
        case "idle":
            return IdleController()
        case "scripted":
            return _scripted(spec)
        case "snapshot":
            return _snapshot(store.get(choice.argument, game=seat.game, agent=seat.agent), seat)
        case "level" if choice.is_even:
            raise SeatError(f"expected people in a window for the seat {choice}, got a match without; try level:normal")
        case "level":
            return _snapshot(snapshot_of(choice.argument, seat.game, seat.agent, store), seat)
        case "pool":
            from agents.policies.pool import PoolController  # onnxruntime takes a second to import

            return PoolController(store, spec.id)
        case "remote":
            return _remote(choice.argument)
        case "python":
            return FunctionController.from_word(choice.argument)
        case "uci" | "gtp":
            from agents.engines.settings import make_engine

            return make_engine(choice, seat)
        case "replay":
            from arcade.match.playback.replay import read_replay
            from arcade.match.playback.replay_controller import ReplayController

            return ReplayController(read_replay(Path(choice.argument)), seat.agent)
    raise SeatError(f"expected a kind of seat that the arcade knows, got: {choice}")


def _scripted(spec: GameSpec) -> Controller:
    return FunctionController(_scripted_function(spec), label="scripted")


def _scripted_function(spec: GameSpec) -> Callable[..., Any]:
    if not spec.scripted:
        raise SeatError(f"expected a game with a scripted player, got {spec.id}, which ships none; try random")
    play: Callable[..., Any] = load_entry(spec.scripted)
    return play


def _snapshot(snapshot: Snapshot, seat: SeatSpec) -> Controller:
    from agents.policies.snapshot_controller import SnapshotController  # onnxruntime takes a second to import

    snapshot.check(seat)
    return SnapshotController(snapshot)


def _remote(argument: str) -> Controller:
    from agents.wire.client import RemoteController, parse_remote

    return RemoteController(*parse_remote(argument))


def ai_choice(spec: GameSpec, agent: AgentID, store: SnapshotStore) -> SeatChoice:
    """Who plays a seat that no person takes: the latest snapshot that can, else the scripted player, else random."""
    for card in reversed(store.list(spec.id)):
        if card.plays(agent) and store.is_whole(card.name):
            return SeatChoice("snapshot", card.name)
    return SeatChoice("scripted" if spec.scripted else "random")


def fair_choice(spec: GameSpec, agent: AgentID, store: SnapshotStore) -> SeatChoice:
    """Who takes a seat beside people: as `ai_choice`, but a snapshot at a level that people can play with."""
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
