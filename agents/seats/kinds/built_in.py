"""Built-in kinds of seats and their names for people (`describe`): keyboard, gamepad, scripted, snapshot, level …"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from agents.engines.engine import EngineController, EngineSettings, find_command, label_of
from agents.errors import UserError
from agents.origin import origin
from agents.seats.controller import EVEN, KEYBOARD_HALVES, LEVELS, Controller, SeatChoice, SeatError, SeatSpec
from agents.seats.kinds.kind import NamedSeatKind, SeatContext, SeatKind
from agents.seats.kinds.searching import Search, search_with
from agents.wire.addresses import AddressError, parse_address

if TYPE_CHECKING:
    from agents.policies.batch import BatchPolicy
    from agents.seats.limits import Limits
    from agents.snapshots.snapshot import Snapshot as FrozenPolicy


class DeviceKind(SeatKind):
    """A person's device; the window makes its controller."""

    is_one_player = False

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        if self.name not in context.devices:
            raise SeatError(f"expected a window for the seat {choice}, got a match without one; try snapshot:latest")
        return context.devices[self.name](choice, seat)


class Keyboard(DeviceKind):
    """A whole keyboard, half of one, or one of several keyboards."""

    name, form = "keyboard", "keyboard[:wasd|arrows|ijkl|N]"

    def check(self, argument: str) -> None:
        if argument not in ("", *KEYBOARD_HALVES) and not (argument.isdecimal() and int(argument)):
            raise SeatError(f"expected {self.form} with N = 1, 2, …")

    def describe(self, choice: SeatChoice) -> str:
        half = {"wasd": "WASD", "ijkl": "IJKL"}.get(choice.argument, choice.argument)
        return f"keyboard {half}".strip()


class Gamepad(DeviceKind):
    """A gamepad by its number."""

    name, form = "gamepad", "gamepad[:N]"

    def check(self, argument: str) -> None:
        if argument and not argument.isdecimal():
            raise SeatError(f"expected {self.form} with N = 0, 1, …")

    def describe(self, choice: SeatChoice) -> str:
        return f"gamepad {int(choice.argument or 0) + 1}"


class Random(SeatKind):
    """Draws evenly from the legal actions."""

    name = form = "random"
    title = "random moves"
    is_vectorised = True
    takes_limits = True

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        from agents.policies.random import RandomController  # gymnasium takes long to import

        return RandomController()

    def make_policy(self, choice: SeatChoice, places: Sequence[SeatSpec], context: SeatContext) -> BatchPolicy:
        from agents.policies.random import RandomBatch

        return RandomBatch(places)


class Idle(SeatKind):
    """Does nothing."""

    name = form = "idle"
    title = "empty"

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        from agents.policies.random import IdleController  # gymnasium takes long to import

        return IdleController()


class Python(NamedSeatKind):
    """Any function of (observation, action_mask, rng), imported when a seat is made."""

    name, form = "python", "python:module:function"
    runs = "Python code"
    takes_limits = True

    def place(self, argument: str) -> str:
        return origin(argument)

    def check(self, argument: str) -> None:
        if argument.count(":") != 1:
            raise SeatError(f"expected {self.form}")

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        from agents.policies.functions import FunctionController, load_function  # gymnasium takes long to import

        return FunctionController(load_function(choice.argument), label=choice.argument)

    def make_policy(self, choice: SeatChoice, places: Sequence[SeatSpec], context: SeatContext) -> BatchPolicy:
        from agents.policies.functions import FunctionBatch, load_function

        return FunctionBatch(load_function(choice.argument), places, label=choice.argument)


class Scripted(SeatKind):
    """The game's own player; many seats are asked together where its module has `play_batch` beside `play`.

    Where the game has levels, its function or class takes a keyword ``level``; without one in the seat word it plays
    normal.  Such a function searches: a live seat of it thinks in a process of its own.  A class decides at once.
    In turn-based games it takes ``mistakes`` too, the share of moves that it makes as the level below would.
    """

    name = form = "scripted"
    title = "scripted player"
    settings = ("level", "mistakes")
    is_vectorised = True
    takes_limits = True

    def describe(self, choice: SeatChoice) -> str:
        mistakes = dict(choice.settings).get("mistakes")
        name = f"AI, {_level(choice)}" if choice.settings else self.title
        return f"{name} (mistakes {mistakes})" if mistakes else name

    def limits(self, choice: SeatChoice, *, turn_based: bool) -> Limits:
        if "mistakes" in _skill(choice) and not turn_based:
            raise SeatError(f"expected mistakes in turn-based games alone, got: {choice}; try noise")
        return super().limits(choice, turn_based=turn_based)

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        from agents.policies.functions import FunctionController, is_class, load_function  # gymnasium takes long

        label = self._label(choice, seat.game, context)
        play = load_function(context.scripted)
        if not context.has_levels:
            return FunctionController(play, label=label)
        if is_class(play):
            return FunctionController(partial(play, **_skill(choice)), label=label)
        from agents.engines.thinking import FunctionProcess

        return EngineController(partial(FunctionProcess, context.scripted, _skill(choice)), label=label)

    def make_policy(self, choice: SeatChoice, places: Sequence[SeatSpec], context: SeatContext) -> BatchPolicy:
        from agents.policies.functions import FunctionBatch, VectorBatch, load_function

        label = self._label(choice, places[0].game if places else "this game", context)
        play = load_function(context.scripted)
        if context.has_levels:
            return FunctionBatch(partial(play, **_skill(choice)), places, label=label)
        vectorised = getattr(sys.modules[play.__module__], f"{play.__name__}_batch", None)
        if vectorised is None:
            return FunctionBatch(play, places, label=label)
        return VectorBatch(lambda observations, masks, draws: vectorised(observations, draws), label=label)

    def _label(self, choice: SeatChoice, game: str, context: SeatContext) -> str:
        """The player's name on the ladder; raises SeatError where the game has no such player."""
        if not context.scripted:
            raise SeatError(f"expected a game with a scripted player, got {game}, which ships none; try random")
        if choice.settings and not context.has_levels:
            raise SeatError(f"expected scripted without a level in {game}, got: {choice}")
        return self.describe(choice) if choice.settings else self.name


def _skill(choice: SeatChoice) -> dict[str, Any]:
    """The arguments of a player with levels; raises SeatError for wrong ones."""
    skill: dict[str, Any] = {"level": _level(choice)}
    if mistakes := dict(choice.settings).get("mistakes"):
        skill["mistakes"] = _share(mistakes, choice)
    return skill


def _share(text: str, choice: SeatChoice) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise SeatError(f"expected 0 <= mistakes <= 1, got: {choice}")
    return share


def _level(choice: SeatChoice) -> str:
    level = dict(choice.settings).get("level", "normal")
    if level not in LEVELS:
        raise SeatError(f"expected scripted?level={'|'.join(LEVELS)}, got: {choice}")
    return level


class Snapshot(NamedSeatKind):
    """A snapshot by its name or path, the latest, or the best by the ladder; with ``search=`` it thinks ahead."""

    name, form = "snapshot", "snapshot:NAME|latest|best|PATH"
    settings = ("search", "movetime_ms")
    is_vectorised = True
    takes_limits = True

    def describe(self, choice: SeatChoice) -> str:
        name = {"latest": "newest snapshot", "best": "best snapshot"}.get(choice.argument, choice.argument)
        ahead = dict(choice.settings).get("search")
        return f"{name}, search {ahead}" if ahead else name

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        snapshot = context.store.get(choice.argument, game=seat.game, agent=seat.agent)
        if not choice.settings:
            return _make_controller(snapshot, seat)
        snapshot.check(seat)
        return search_with(snapshot, choice, seat, context)

    def make_policy(self, choice: SeatChoice, places: Sequence[SeatSpec], context: SeatContext) -> BatchPolicy:
        if choice.settings:
            return super().make_policy(choice, places, context)
        from agents.policies.snapshot import SnapshotBatch

        snapshot = context.store.get(choice.argument, game=places[0].game)
        return SnapshotBatch(snapshot, frame_skip=places[0].frame_skip, sticks=places[0].sticks)


def _make_controller(snapshot: FrozenPolicy, seat: SeatSpec) -> Controller:
    from agents.policies.snapshot_controller import SnapshotController  # onnxruntime takes a second to import

    snapshot.check(seat)
    return SnapshotController(snapshot)


class Level(SeatKind):
    """One of four difficulty levels, or the level of about the opponents' strength."""

    name, form = "level", f"level:{'|'.join((*LEVELS, EVEN))}"
    takes_limits = True

    def check(self, argument: str) -> None:
        if argument not in (*LEVELS, EVEN):
            raise SeatError(f"expected {self.form}")

    def describe(self, choice: SeatChoice) -> str:
        return "about your strength" if choice.is_even else f"AI, {choice.argument}"

    def limits(self, choice: SeatChoice, *, turn_based: bool) -> Limits:
        from agents.seats.limits import limits_of  # numpy takes long to import

        return limits_of(choice.argument, turn_based=turn_based)

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        if choice.is_even:
            raise SeatError(f"expected people in a window for the seat {choice}, got a match without; try level:normal")
        from agents.seats.limits import snapshot_of  # numpy takes long to import

        return _make_controller(snapshot_of(choice.argument, seat.game, seat.agent, context.store), seat)


class Pool(SeatKind):
    """Draws a snapshot by the episode's seed."""

    name = form = "pool"
    title = "any snapshot"
    takes_limits = True
    is_one_player = False

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        from agents.policies.snapshot_controller import PoolController  # onnxruntime takes a second to import

        return PoolController(context.store, seat.game)

    def make_policy(self, choice: SeatChoice, places: Sequence[SeatSpec], context: SeatContext) -> BatchPolicy:
        from agents.policies.snapshot_controller import PoolBatch

        return PoolBatch(context.store, places)


class EngineKind(NamedSeatKind):
    """An engine in its own process, started by the module of `agents.engines` that is named as the kind."""

    runs = "a program"
    takes_limits = True

    def place(self, argument: str) -> str:
        try:
            return os.path.realpath(find_command(argument)[0])
        except UserError:
            return ""

    def describe(self, choice: SeatChoice) -> str:
        return label_of(choice)

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        """Raises SeatError for wrong settings, ControllerError for a missing program or a seat of another game."""
        settings, command = EngineSettings.of(choice), find_command(choice.argument)
        starter = import_module(f"agents.engines.{self.name}").starter  # python-chess takes long to import
        return EngineController(starter(seat, command, settings), label=label_of(choice))


class Uci(EngineKind):
    """A chess engine."""

    name, form = "uci", "uci:PROGRAM"
    settings = ("skill", "elo", "movetime_ms", "nodes", "depth")


class Gtp(EngineKind):
    """A go engine."""

    name, form = "gtp", "gtp:PROGRAM"
    settings = ("level", "komi")


class Remote(NamedSeatKind):
    """A policy server, or any program behind the same protocol."""

    name, form = "remote", "remote:ADDRESS[/POLICY]"
    runs = "another machine"
    takes_limits = True

    def check(self, argument: str) -> None:
        super().check(argument)
        try:
            parse_address(argument)
        except AddressError as error:
            raise SeatError(f"expected {self.form}: {error}") from error

    def describe(self, choice: SeatChoice) -> str:
        return f"remote {parse_address(choice.argument).place}"

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        from agents.wire.client import RemoteController, parse_remote  # zmq takes long to import

        return RemoteController(*parse_remote(choice.argument))


KINDS = (Keyboard, Gamepad, Random, Idle, Scripted, Snapshot, Search, Level, Pool, Remote, Python, Uci, Gtp)
