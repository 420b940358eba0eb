"""Seats that people play with keyboards and gamepads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from agents.seats.controller import Action, ActionMask, Controller, SeatChoice, SeatError, SeatSpec, Turn
from arcade.controls.action_maps import ActionMap
from arcade.controls.cursor_controller import CursorController
from arcade.controls.presses import Presses
from arcade.controls.seat_maps import seat_map
from arcade.engine.input.default_bindings import KEYBOARD
from arcade.engine.input.devices import DeviceHub, DeviceListener
from arcade.engine.input.events import ControlInput
from arcade.engine.input.key_bindings import DeviceBindings
from arcade.games import GameError, GameSpec, find_game

DeviceFactory = Callable[[SeatChoice, SeatSpec], Controller]


class DeviceController(DeviceListener, Controller):
    """A seat of a real-time game, played with the device `word` ("keyboard:wasd", "gamepad:0").

    `act` returns the action of all controls held or tapped since the last turn, or the idle action; in a game that
    waits, None until the press that plays it.  A tap shorter than a tick counts for one tick (see Presses).
    """

    def __init__(self, hub: DeviceHub, word: str, *, label: str, spec: GameSpec | None = None) -> None:
        self._spec = spec
        self._presses = Presses()
        self._map: ActionMap | None = None
        self._seat: SeatSpec | None = None
        self._bindings: DeviceBindings | None = None  # those that the map was made with
        self._mask: ActionMask | None = None
        super().__init__(hub, word, label=label)

    @property
    def setting(self) -> str:
        """The setting that stays between presses, for the HUD: "saying C", "action 7"; "" without one."""
        return self._map.setting if self._map is not None else ""

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        self._seat, self._mask = seat, None
        self._learn(seat)

    def observe(self, turn: Turn) -> None:
        self._presses.turn()
        if self._seat is not None and self._hub.bindings_of(self) is not self._bindings:
            self._learn(self._seat)
        if self._map is not None:
            self._map.turn()
        self._mask = turn.action_mask

    def act(self) -> Action | None:
        assert self._map is not None  # a turn follows a reset
        if not self._map.ready:
            return None
        controls = self._presses.controls(self._hub.clock(), opposites=self._hub.opposites)
        return self._map.action(controls, self._presses.sticks, self._mask)

    def report(self) -> dict[str, Any]:
        """Report the device, and the delays from presses to their actions."""
        report = super().report()
        delays = sorted(1000 * delay for delay in self._presses.delays)
        if delays:
            p50, p99 = (delays[round(share * (len(delays) - 1))] for share in (0.5, 0.99))
            report["input_ms"] = {"p50": round(p50, 2), "p99": round(p99, 2), "presses": len(delays)}
        return report

    def _learn(self, seat: SeatSpec) -> None:
        """Make the map, with the player's own controls for the game's actions."""
        self._bindings = self._hub.bindings_of(self)
        self._map = seat_map(seat, self._spec, table=self._bindings.actions)

    def on_control(self, event: ControlInput) -> None:
        if event.pressed and self._map is not None:
            if not self._map.uses(event.control):
                return  # an unused key must not overrule its opposite
            self._map.press(event.control)
        if event.pressed and not event.repeated:
            self._presses.press(event.control, self._hub.clock())
        elif not event.pressed:
            self._presses.release(event.control)

    def on_sticks(self, pushes: Mapping[str, float]) -> None:
        self._presses.sticks = pushes

    def on_clear(self) -> None:
        self._presses.clear()


def make_devices(hub: DeviceHub, *, find: Callable[[str], GameSpec] = find_game) -> Mapping[str, DeviceFactory]:
    """Return the factories of ``keyboard`` and ``gamepad`` seats for make_mapping, fed by `hub`."""

    def make_keyboard(choice: SeatChoice, seat: SeatSpec) -> Controller:
        half = KEYBOARD.get(choice.argument)
        label = f"Keyboard ({half.slot.upper()})" if half else f"Keyboard {choice.argument}".strip()
        if choice.argument.isdecimal():
            hub.keyboards.refresh()
            if hub.keyboards.numbered(choice.argument) is None:
                present = ", ".join(keyboard.word for keyboard in hub.keyboards.present) or "none"
                raise SeatError(f"expected a separate keyboard for {choice}, got: {present}; {hub.keyboards.why}")
        return make(str(choice), label, seat)

    def make_gamepad(choice: SeatChoice, seat: SeatSpec) -> Controller:
        pad = hub.find_pad(choice.argument)
        if pad is None:
            present = ", ".join(pad.word for pad in hub.pads) or "none"
            raise SeatError(
                f"expected a free gamepad for {choice}, got: connected {present}; connect one and try again"
            )
        return make(pad.word, f"{pad.name} {int(pad.slot) + 1}", seat)

    def make(word: str, label: str, seat: SeatSpec) -> Controller:
        spec = None
        with suppress(GameError):
            spec = find(seat.game)
        controller: DeviceController | CursorController
        if spec is not None and spec.turn_based and hasattr(seat.action_space, "n"):
            names, curtain = spec.names_of(seat.agent), hub.curtain if spec.secret else None
            controller = CursorController(hub, word, label=label, names=names, curtain=curtain)
        else:
            controller = DeviceController(hub, word, label=label, spec=spec)
        hub.place(controller, seat.game, seat.agent)
        return controller

    return {"keyboard": make_keyboard, "gamepad": make_gamepad}
