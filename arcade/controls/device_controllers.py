"""Seats that people play with keyboards and gamepads: presses, the controls of a seat, and its controller."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from gymnasium import spaces

from agents.seats.controller import Action, ActionMask, Controller, SeatChoice, SeatError, SeatSpec, Turn
from arcade.controls.action_maps import ActionMap, ChordMap, NumberMap
from arcade.controls.cursor_controller import CursorController
from arcade.controls.entry_maps import DeskMap, EntryMap
from arcade.engine.input.default_bindings import KEYBOARD, OPPOSITE
from arcade.engine.input.devices import DeviceHub, DeviceListener
from arcade.engine.input.events import ControlInput
from arcade.engine.input.key_bindings import DeviceBindings
from arcade.games import GameError, GameSpec, find_game
from arcade.games.controls import ControlsError, SeatControls
from arcade.games.entries import space_controls

REMEMBERED = 10_000  # newest presses with their delays


class Presses:
    """Held controls, taps that no tick has played yet, and sticks.

    A control counts from its press until a tick has played it, even if released before, and while it is held.  A second
    tap in one tick, and a tap of the opposite after a release, wait for the next tick; newer ones replace them.

    Of two opposite directions the one pressed last counts ("newest"), the one pressed first ("first"), or none
    ("neutral").
    """

    def __init__(self) -> None:
        self._pressed_at: dict[str, int] = {}  # control → its press, counted
        self._held: set[str] = set()
        self._unplayed: list[dict[str, float]] = [{}]  # for the next tick and the one after: control → when, seconds
        self._answered: dict[str, float] = {}  # the taps in the newest answer
        self._answered_at = 0.0
        self._presses = 0
        self.delays: deque[float] = deque(maxlen=REMEMBERED)  # seconds from presses to their answers
        self.sticks: Mapping[str, float] = {}  # halves of axes → how far they are pushed, 0 … 1

    def press(self, control: str, now: float = 0.0) -> None:
        """Note that a control went down."""
        self._presses += 1
        self._pressed_at[control] = self._presses
        if not all(self._fits(control, group) for group in self._unplayed):
            self._unplayed[1:] = [{control: now}]
        else:
            self._unplayed[0][control] = now
        self._held.add(control)

    def release(self, control: str) -> None:
        """Note that a control came up."""
        self._held.discard(control)

    def clear(self) -> None:
        """Release everything, drop all taps and centre the sticks."""
        self._held.clear()
        self._unplayed = [{}]
        self._answered.clear()
        self.sticks = {}

    def controls(self, now: float = 0.0, *, opposites: str = "newest") -> Sequence[str]:
        """Return the controls that count at `now`, oldest press first."""
        self._answered, self._answered_at = dict(self._unplayed[0]), now
        waiting = {control for group in self._unplayed[1:] for control in group}
        counting = sorted((self._held - waiting) | self._unplayed[0].keys(), key=self._pressed_at.__getitem__)
        return [control for control in counting if not self._overruled(control, counting, opposites)]

    def turn(self) -> None:
        """Drop the taps of the last answer, which was played."""
        for control, since in self._answered.items():
            if self._unplayed[0].pop(control, None) is not None:
                self.delays.append(self._answered_at - since)
        self._answered.clear()
        if not self._unplayed[0] and len(self._unplayed) > 1:
            del self._unplayed[0]

    def _fits(self, control: str, group: dict[str, float]) -> bool:
        """Return whether one tick can play `control` with the others."""
        other = OPPOSITE.get(control)
        return control not in group and (other not in group or other in self._held)

    def _overruled(self, control: str, counting: Sequence[str], opposites: str) -> bool:
        other = OPPOSITE.get(control)
        if other is None or other not in counting:
            return False
        newer = self._pressed_at[control] > self._pressed_at[other]
        return {"newest": not newer, "first": newer}.get(opposites, True)


Table = Mapping[str, Sequence[str]]  # the player's own: action → controls


def seat_map(seat: SeatSpec, spec: GameSpec | None = None, *, table: Table | None = None) -> ActionMap:
    """Make the action map of a seat in a real-time game; raises ControlsError where none fits the action space."""
    names = spec.names_of(seat.agent) if spec is not None else ()
    controls, space = seat_controls(seat, spec, table=table), seat.action_space
    is_discrete = isinstance(space, spaces.Discrete)
    if controls.style == "moves" and is_discrete and len(names) == space.n:
        return ChordMap(controls, names, start=int(space.start))
    if controls.style == "numbers" and is_discrete:
        return NumberMap(controls, int(space.n), names=names, start=int(space.start))
    if controls.style in ("sticks", "switches"):
        return EntryMap(controls, space, fps=seat.fps)
    if controls.style == "numbers":
        return DeskMap(controls, space, fps=seat.fps)
    raise ControlsError(f"expected controls for {space} with {len(names)} names, got: the style {controls.style!r}")


def seat_controls(seat: SeatSpec, spec: GameSpec | None = None, *, table: Table | None = None) -> SeatControls:
    """Return the game's declared controls, else defaults for the action space, with the player's own changes.

    The space of a game with other settings may not fit its declared controls.  Changes of unknown actions are ignored.
    """
    names = spec.names_of(seat.agent) if spec is not None else ()
    if spec is not None and _suits(spec, seat):
        controls = spec.controls_of(seat.agent)
    else:
        controls = space_controls(seat.action_space, names, turn_based=spec is not None and spec.turn_based)
    known = controls.table()
    return controls.changed({action: wanted for action, wanted in (table or {}).items() if action in known})


def _suits(spec: GameSpec, seat: SeatSpec) -> bool:
    """Return whether the game declares controls for the seat that fit its action space."""
    if not spec.declares_controls(seat.agent):
        return False
    space, style = seat.action_space, spec.controls_of(seat.agent).style
    if style in ("sticks", "switches"):
        return not isinstance(space, spaces.Discrete) or style == "switches"
    if style == "numbers":
        return True
    named = style == "choose" or len(spec.names_of(seat.agent)) == getattr(space, "n", 0)
    return isinstance(space, spaces.Discrete) and named


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
