"""Seats played by hand: driven by the engine's input events, never by asking what is held just now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from agents.controller import Action, ActionMask, Controller, SeatChoice, SeatError, SeatSpec, Turn
from arcade.engine.actions import make_action_map
from arcade.engine.bindings import KEYBOARD
from arcade.engine.cursor import Cursor, Option
from arcade.engine.devices import DeviceHub
from arcade.engine.events import ControlInput
from arcade.engine.hands import Hands
from arcade.games import GameError, GameSpec, find_game

DeviceFactory = Callable[[SeatChoice, SeatSpec], Controller]


class DeviceController(Controller):
    """A seat of a real-time game, played with the device named `word` ("keyboard:wasd", "gamepad:0").

    `act` always has an answer: what is held or was tapped since the last turn, idle where that is nothing.
    A tap shorter than a tick counts for one tick (see Hands); how controls become actions is in `actions`.
    """

    def __init__(self, hub: DeviceHub, word: str, *, label: str, names: tuple[str, ...] = ()) -> None:
        self.word, self.label = word, label
        self._hub, self._names = hub, names
        self._hands = Hands()
        self._map: Any = None
        self._mask: ActionMask | None = None
        hub.subscribe(self, word)

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        self._map = make_action_map(seat.action_space, self._names)
        self._mask = None

    def observe(self, turn: Turn) -> None:
        self._hands.turn()
        self._mask = turn.action_mask

    def act(self) -> Action | None:
        return self._map.action(self._hands.controls(), self._hands.axes, self._mask)

    def close(self) -> None:
        self._hub.unsubscribe(self)

    def on_control(self, event: ControlInput) -> None:
        if event.pressed and self._map is not None:
            self._map.press(event.control)
        if event.pressed and not event.repeated:
            self._hands.press(event.control)
        elif not event.pressed:
            self._hands.release(event.control)

    def on_axis(self, axis: str, value: float) -> None:
        self._hands.axes[axis] = value

    def on_clear(self) -> None:
        self._hands.clear()


class KeyboardController(DeviceController):
    """A seat played with a half of the keyboard, or with every half that nobody named."""


class GamepadController(DeviceController):
    """A seat played with a gamepad; it keeps its number when the pad is pulled out and comes back."""


class CursorController(Controller):
    """A seat of a turn-based game: a cursor over the legal actions, moved by directions and played with a.

    `act` is None until one is played.  The HUD shows `options` and marks `cursor`; the mouse calls `point` and
    `choose`.
    """

    def __init__(self, hub: DeviceHub, word: str, *, label: str, names: tuple[str, ...] = ()) -> None:
        self.word, self.label = word, label
        self._hub, self._names = hub, names
        self._cursor = Cursor("", names)
        self._due = False
        self._answer: Action | None = None
        hub.subscribe(self, word)

    @property
    def options(self) -> tuple[Option, ...]:
        """The legal actions of the turn that is due; () while none is."""
        return self._cursor.options if self._due else ()

    choices = options

    @property
    def cursor(self) -> int:
        """The index in `options` that a press would play."""
        return self._cursor.index

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        self._due, self._answer = False, None
        self._cursor = Cursor(seat.game, self._names, seat=seat.agent)
        self._cursor.reset(seat.action_space)

    def observe(self, turn: Turn) -> None:
        self._due, self._answer = True, None
        self._cursor.show(turn.action_mask)

    def act(self) -> Action | None:
        return self._answer

    def point(self, index: int) -> None:
        """Put the cursor on `options[index]`."""
        self._cursor.point(index)

    def choose(self, index: int | None = None) -> None:
        """Play `options[index]`, or what the cursor is on."""
        if self._due and self._cursor.options:
            if index is not None:
                self._cursor.point(index)
            self._answer = self._cursor.options[self._cursor.index].action
            self._due = False

    def close(self) -> None:
        self._hub.unsubscribe(self)

    def on_control(self, event: ControlInput) -> None:
        if not event.pressed or not self._due:
            return
        if event.control == "a" and not event.repeated:
            self.choose()
        else:
            self._cursor.move(event.control)

    def on_axis(self, axis: str, value: float) -> None:
        """Sticks arrive as directions too; that is enough for a cursor."""

    def on_clear(self) -> None:
        """Nothing is held in a cursor."""


def make_devices(hub: DeviceHub, *, find: Callable[[str], GameSpec] = find_game) -> Mapping[str, DeviceFactory]:
    """The factories of ``keyboard`` and ``gamepad`` seats for make_mapping, fed by `hub` (``engine.devices``)."""

    def make_keyboard(choice: SeatChoice, seat: SeatSpec) -> Controller:
        half = KEYBOARD.get(choice.argument)
        label = f"Keyboard ({half.slot.upper()})" if half else "Keyboard"
        return _make(KeyboardController, hub, str(choice), label, seat, find)

    def make_gamepad(choice: SeatChoice, seat: SeatSpec) -> Controller:
        pad = hub.find_pad(choice.argument)
        if pad is None:
            there = ", ".join(pad.word for pad in hub.pads) or "none"
            raise SeatError(f"expected a free gamepad for {choice}, got: plugged in {there}; plug one in and try again")
        return _make(GamepadController, hub, pad.word, f"{pad.name} {int(pad.slot) + 1}", seat, find)

    return {"keyboard": make_keyboard, "gamepad": make_gamepad}


def _make(
    kind: type[DeviceController],
    hub: DeviceHub,
    word: str,
    label: str,
    seat: SeatSpec,
    find: Callable[[str], GameSpec],
) -> Controller:
    try:
        spec = find(seat.game)
    except GameError:
        return kind(hub, word, label=label)
    names = spec.names_of(seat.agent)
    if spec.turn_based and hasattr(seat.action_space, "n"):
        return CursorController(hub, word, label=label, names=names)
    return kind(hub, word, label=label, names=names)
