"""DeviceHub: routes the input of each device to its controllers.  Curtain: hides cards from others at one screen."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from agents.seats.controller import AgentID
from agents.seats.keyboard import deal_halves
from arcade.engine.input.default_bindings import Control
from arcade.engine.input.events import AxisInput, ControlInput, Device, DeviceAdded, FocusLost, InputEvent, SourceInput
from arcade.engine.input.gamepads import Gamepads, Rumble
from arcade.engine.input.key_bindings import DeviceBindings, HeldControls, KeyBindings
from arcade.engine.input.keyboards import Keyboards
from arcade.engine.input.sources import is_half


class Curtain:
    """Shows the screen to one person at a time, after a press that confirms it.  Controllers pass themselves::

        curtain.sit(seat)        # a match begins
        curtain.wait(seat, word) # a turn is due, with the device of that word
        curtain.hides(seat)      # True: draw nothing of the seat, obey only the press that lifts the curtain
        curtain.lift(seat)       # that press
        curtain.done(seat)       # the turn is played: the curtain falls
        curtain.leave(seat)      # the match, or the seat, is over

    It never hides a single person's seat.
    """

    def __init__(self) -> None:
        self._seats: list[object] = []
        self._waiting: list[object] = []
        self._words: list[str] = []  # devices of the players asked since none waited
        self._lifted = False

    @property
    def together(self) -> bool:
        """Whether several players choose at once, each with a device of their own, and so may choose unseen."""
        return len(self._words) > 1 and len(set(self._words)) == len(self._words)

    @property
    def called(self) -> object | None:
        """The player who may look next; None without a turn, or for a single person."""
        return self._waiting[0] if self._waiting and len(self._seats) > 1 else None

    def sit(self, seat: object) -> None:
        self.leave(seat)
        self._seats.append(seat)

    def wait(self, seat: object, word: str) -> None:
        self.done(seat)
        self._waiting.append(seat)
        self._words.append(word)

    def hides(self, seat: object) -> bool:
        return len(self._seats) > 1 and not (self._lifted and self.called is seat)

    def lift(self, seat: object) -> None:
        """Ignored where it is another player's turn to look."""
        self._lifted = self._lifted or self.called is seat

    def fall(self) -> None:
        """Ask the player to confirm again, after another scene was shown."""
        self._lifted = False

    def done(self, seat: object) -> None:
        if seat in self._waiting:
            if self._waiting[0] is seat:
                self._lifted = False
            self._waiting.remove(seat)
        if not self._waiting:
            self._words.clear()

    def leave(self, seat: object) -> None:
        self.done(seat)
        if seat in self._seats:
            self._seats.remove(seat)


class DeviceListener:
    """Receives the input of the device `word`, by the key bindings of its seat; a base of controllers."""

    def __init__(self, hub: DeviceHub, word: str, *, label: str) -> None:
        self.word, self.label = word, label
        self.game: str = ""
        self.agent: AgentID = ""
        self.held = HeldControls(DeviceBindings(word.partition(":")[0], {}))
        self._hub = hub
        hub.subscribe(self)

    def on_control(self, event: ControlInput) -> None:
        """Handle a control going down or up."""

    def on_sticks(self, pushes: Mapping[Control, float]) -> None:
        """Handle the new positions of sticks and triggers: halves of axes that are pushed → how far, 0 … 1."""

    def on_clear(self) -> None:
        """Release everything held, and drop all presses not yet played."""

    def report(self) -> dict[str, Any]:
        """Report the device."""
        return self._hub.describe(self.word, self.label)

    def close(self) -> None:
        """Stop listening; can be called twice."""
        self._hub.unsubscribe(self)

    def bind(self, bindings: DeviceBindings) -> None:
        """Use these bindings from now on."""
        if bindings != self.held.bindings:
            self.held = HeldControls(bindings)
            self.on_clear()

    def handle(self, event: SourceInput, reach: Mapping[str, float]) -> None:
        """Pass on the controls of a key or button; `reach`: how far the device's halves of axes are pushed."""
        for control, pressed in self.held.update(event.source, event.pressed, repeated=event.repeated):
            if not is_half(control):
                self.on_control(ControlInput(event.device, control, pressed, event.repeated))
            elif not is_half(event.source):
                self.report_sticks(reach)

    def report_sticks(self, reach: Mapping[str, float]) -> None:
        """Pass on how far the halves of axes are pushed; opposite pushes cancel each other."""
        pushes = {half: self._push(half, reach) for half in self.held.bindings.sources if is_half(half)}
        net = {half: push - pushes.get(half[:-1] + "+-"[half[-1] == "+"], 0.0) for half, push in pushes.items()}
        self.on_sticks({half: push for half, push in net.items() if push > 0})

    def clear(self, reach: Mapping[str, float]) -> None:
        """Release everything but sticks."""
        self.held.clear()
        self.on_clear()
        self.report_sticks(reach)

    def _push(self, half: str, reach: Mapping[str, float]) -> float:
        """Return how far half of an axis is pushed, 0 … 1; a button pushes it all the way."""
        found = self.held.bindings.sources.get(half, ())
        return max((reach.get(s, 0.0) if is_half(s) else float(self.held.holds(s)) for s in found), default=0.0)


class DeviceHub:
    """Hands input to listeners by their device words, each with the key bindings of its seat.

    ``keyboard:wasd`` is a half, which seats may share; ``keyboard`` the halves that no seat names, dealt out in turn;
    ``keyboard:1`` a separate keyboard, on Linux; ``gamepad:0`` a pad, also after a reconnection.
    """

    def __init__(
        self, pads: Gamepads, bindings: KeyBindings, keyboards: Keyboards | None = None, *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._pads, self.bindings, self.clock = pads, bindings, clock
        self.keyboards = keyboards or Keyboards()
        self._listeners: list[DeviceListener] = []
        self._reach: dict[str, dict[str, float]] = {}  # word → half of an axis → how far it is pushed, 0 … 1
        self._version = bindings.version
        self.curtain = Curtain()  # between the players of a card game at this screen
        self.opposites = "newest"  # see Presses
        self.down: set[tuple[Device, str]] = set()  # keys and buttons that are down, also those that count no more
        self.pressed_at = float("-inf")  # when a key or button last went down

    @property
    def pads(self) -> tuple[Device, ...]:
        """The connected pads, by number."""
        return self._pads.present

    def is_gone(self, word: str) -> bool:
        """Whether `word` names a disconnected pad or separate keyboard."""
        present = {device.word for device in (*self.pads, *self.keyboards.present)}
        return (word.startswith("gamepad:") or _is_own_keyboard(word)) and word not in present

    def rumble(self, word: str, rumble: Rumble) -> bool:
        """Vibrate the pad with that word, as the settings allow; returns whether it can."""
        return self._pads.rumble(word, rumble)

    def describe(self, word: str, name: str) -> dict[str, Any]:
        """Describe a device for the report of its seat."""
        identity = self._pads.identity_of(word)
        return {"device": word, "name": name, **({"pad": identity} if identity else {})}

    @property
    def apart(self) -> bool:
        """Whether a seat has a separate keyboard: then keys count only for the keyboard they come from."""
        return any(_is_own_keyboard(one.word) for one in self._listeners)

    def subscribe(self, listener: DeviceListener) -> None:
        """Feed `listener` from its device."""
        self._listeners.append(listener)
        self._bind()
        listener.clear(self._reach.get(listener.word, {}))

    def place(self, listener: DeviceListener, game: str, agent: AgentID) -> None:
        """Give `listener` the bindings of its seat."""
        listener.game, listener.agent = game, agent
        self._bind()

    def bindings_of(self, listener: DeviceListener) -> DeviceBindings:
        """Return a listener's bindings, the same object until they change."""
        self._refresh()
        return listener.held.bindings

    def unsubscribe(self, listener: DeviceListener) -> None:
        """Stop feeding a listener; can be called twice."""
        self._listeners = [one for one in self._listeners if one is not listener]
        self._bind()

    def find_pad(self, number: str = "") -> Device | None:
        """Return the pad of that number, also a disconnected one; without a number, the first free pad."""
        if number:
            return self._pads.numbered(int(number))
        taken = {one.word for one in self._listeners}
        return next((pad for pad in self.pads if pad.word not in taken), None)

    def feed(self, event: InputEvent) -> None:
        """Pass an event to its listeners."""
        if isinstance(event, DeviceAdded):
            self._bind()
        self._refresh()
        if isinstance(event, SourceInput):
            for one in self._listeners_to(event.device):
                one.handle(event, self._reach.get(one.word, {}))
        elif isinstance(event, AxisInput):
            reach = self._reach.setdefault(event.device.word, {})
            reach[event.axis + "-"], reach[event.axis + "+"] = max(0.0, -event.value), max(0.0, event.value)
            for one in self._listeners_to(event.device):
                one.report_sticks(reach)
        elif isinstance(event, FocusLost):
            self._reach.clear()
            self.clear()

    def clear(self) -> None:
        """Release everything held but sticks: after a change of scene, in a pause, without the window's focus."""
        for one in self._listeners:
            one.clear(self._reach.get(one.word, {}))

    def close(self) -> None:
        """Drop every listener, and close the keyboards."""
        self._listeners.clear()
        self.keyboards.close()

    def listeners(self, device: Device) -> list[DeviceListener]:
        """Return the listeners of a pad, a keyboard, or half a keyboard."""
        named = [one for one in self._listeners if one.word == device.word]
        if named or device.kind != "keyboard" or not device.slot:
            return named
        return [one for one, halves in self._shares() if device.slot in halves]

    def _listeners_to(self, device: Device) -> list[DeviceListener]:
        """Return the listeners to the keys and buttons of `device`."""
        named = [one for one in self._listeners if one.word == device.word]
        if device.kind != "keyboard" or (named and device.slot):
            return named
        if bool(device.slot) != self.apart:  # a key comes from the window or from its keyboard, never from both
            return []
        return [one for one in self._listeners if one.word.startswith("keyboard") and not _is_own_keyboard(one.word)]

    def _refresh(self) -> None:
        if self._version != self.bindings.version:
            self._bind()

    def _bind(self) -> None:
        """Give every listener its present bindings."""
        self._version = self.bindings.version
        (self.keyboards.wanted.add if self.apart else self.keyboards.wanted.discard)(id(self))
        shares = {id(one): halves for one, halves in self._shares()}
        for one in self._listeners:
            if one.word == "keyboard":
                one.bind(self.bindings.together(shares[id(one)], game=one.game, agent=one.agent))
            else:
                one.bind(self.bindings.of(one.word, game=one.game, agent=one.agent))

    def _shares(self) -> Iterator[tuple[DeviceListener, list[str]]]:
        """Return the listeners to the whole keyboard with their halves."""
        bare = [one for one in self._listeners if one.word == "keyboard"]
        return zip(bare, deal_halves([one.word for one in self._listeners]), strict=True)


def _is_own_keyboard(word: str) -> bool:
    return word.startswith("keyboard:") and word[9:].isdecimal()
