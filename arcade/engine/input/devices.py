"""DeviceHub: routes the input of each device to its controllers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from agents.seats.controller import AgentID
from arcade.engine.input.curtain import Curtain
from arcade.engine.input.default_bindings import Control, deal_halves
from arcade.engine.input.events import AxisInput, ControlInput, Device, DeviceAdded, FocusLost, InputEvent, SourceInput
from arcade.engine.input.gamepads import Gamepads
from arcade.engine.input.key_bindings import DeviceBindings, HeldControls, KeyBindings
from arcade.engine.input.keyboards import Keyboards
from arcade.engine.input.sources import is_half


class DeviceListener(Protocol):
    """A controller that plays with a device."""

    def on_control(self, event: ControlInput) -> None:
        """Handle a control going down or up."""

    def on_sticks(self, pushes: Mapping[Control, float]) -> None:
        """Handle the new positions of sticks and triggers: halves of axes that are pushed → how far, 0 … 1."""

    def on_clear(self) -> None:
        """Release everything held, and drop all presses not yet played."""


class _Subscriber:
    """A listener, and the bindings of its seat."""

    def __init__(self, listener: DeviceListener, word: str) -> None:
        self.listener, self.word = listener, word
        self.game: str = ""
        self.agent: AgentID = ""
        self.held = HeldControls(DeviceBindings(word.partition(":")[0], {}))

    def tune(self, bindings: DeviceBindings) -> None:
        if bindings != self.held.bindings:
            self.held = HeldControls(bindings)
            self.listener.on_clear()

    def handle(self, event: SourceInput, device: Device, reach: Mapping[str, float]) -> None:
        for control, pressed in self.held.update(event.source, event.pressed, repeated=event.repeated):
            if not is_half(control):
                self.listener.on_control(ControlInput(device, control, pressed, event.repeated))
            elif not is_half(event.source):
                self.report_sticks(reach)

    def report_sticks(self, reach: Mapping[str, float]) -> None:
        """Report how far the halves of axes are pushed; opposite pushes cancel each other."""
        pushes = {half: self._reach(half, reach) for half in self.held.bindings.sources if is_half(half)}
        net = {half: push - pushes.get(half[:-1] + "+-"[half[-1] == "+"], 0.0) for half, push in pushes.items()}
        self.listener.on_sticks({half: push for half, push in net.items() if push > 0})

    def clear(self, reach: Mapping[str, float]) -> None:
        self.held.clear()
        self.listener.on_clear()
        self.report_sticks(reach)

    def _reach(self, half: str, reach: Mapping[str, float]) -> float:
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
        self._subscribers: list[_Subscriber] = []
        self._reach: dict[str, dict[str, float]] = {}  # word → half of an axis → how far it is pushed, 0 … 1
        self._version = bindings.version
        self.curtain = Curtain()  # between the players of a card game at this screen
        self.opposites = "newest"  # see Presses

    @property
    def pads(self) -> tuple[Device, ...]:
        """The connected pads, by number."""
        return self._pads.present

    def is_gone(self, word: str) -> bool:
        """Whether `word` names a disconnected pad or separate keyboard."""
        there = {device.word for device in (*self.pads, *self.keyboards.present)}
        return (word.startswith("gamepad:") or _is_own_keyboard(word)) and word not in there

    def describe(self, word: str, name: str) -> dict[str, Any]:
        """Describe a device for the report of its seat."""
        identity = self._pads.identity_of(word)
        return {"device": word, "name": name, **({"pad": identity} if identity else {})}

    @property
    def apart(self) -> bool:
        """Whether a seat has a separate keyboard: then keys count only for the keyboard they come from."""
        return any(_is_own_keyboard(one.word) for one in self._subscribers)

    def subscribe(self, listener: DeviceListener, word: str) -> None:
        """Feed `listener` from the device `word`."""
        self._subscribers.append(_Subscriber(listener, word))
        self._tune()
        self._subscribers[-1].clear(self._reach.get(word, {}))

    def place(self, listener: DeviceListener, game: str, agent: AgentID) -> None:
        """Give `listener` the bindings of its seat."""
        for one in self._subscribers:
            if one.listener is listener:
                one.game, one.agent = game, agent
        self._tune()

    def bindings_of(self, listener: DeviceListener) -> DeviceBindings | None:
        """Return a listener's bindings, the same object until they change; None without a subscription."""
        self._refresh()
        return next((one.held.bindings for one in self._subscribers if one.listener is listener), None)

    def unsubscribe(self, listener: DeviceListener) -> None:
        """End a listener's subscription; can be called twice."""
        self._subscribers = [one for one in self._subscribers if one.listener is not listener]
        self._tune()

    def find_pad(self, number: str = "") -> Device | None:
        """Return the pad of that number, also a disconnected one; without a number, the first free pad."""
        if number:
            return self._pads.numbered(int(number))
        taken = {one.word for one in self._subscribers}
        return next((pad for pad in self.pads if pad.word not in taken), None)

    def feed(self, event: InputEvent) -> None:
        """Pass an event to its listeners."""
        if isinstance(event, DeviceAdded):
            self._tune()
        self._refresh()
        if isinstance(event, SourceInput):
            for one in self._subscribers_to(event.device):
                one.handle(event, event.device, self._reach.get(one.word, {}))
        elif isinstance(event, AxisInput):
            reach = self._reach.setdefault(event.device.word, {})
            reach[event.axis + "-"], reach[event.axis + "+"] = max(0.0, -event.value), max(0.0, event.value)
            for one in self._subscribers_to(event.device):
                one.report_sticks(reach)
        elif isinstance(event, FocusLost):
            self._reach.clear()
            self.clear()

    def clear(self) -> None:
        """Release everything held but sticks: after a change of scene, in a pause, without the window's focus."""
        for one in self._subscribers:
            one.clear(self._reach.get(one.word, {}))

    def close(self) -> None:
        """Drop every listener, and close the keyboards."""
        self._subscribers.clear()
        self.keyboards.close()

    def listeners(self, device: Device) -> list[DeviceListener]:
        """Return the listeners of a pad, a keyboard, or half a keyboard."""
        named = [one.listener for one in self._subscribers if one.word == device.word]
        if named or device.kind != "keyboard" or not device.slot:
            return named
        return [one.listener for one, halves in self._shares() if device.slot in halves]

    def _subscribers_to(self, device: Device) -> list[_Subscriber]:
        """Return the subscribers to the keys and buttons of `device`."""
        named = [one for one in self._subscribers if one.word == device.word]
        if device.kind != "keyboard" or (named and device.slot):
            return named
        if bool(device.slot) != self.apart:  # a key comes from the window or from its keyboard, never from both
            return []
        return [one for one in self._subscribers if one.word.startswith("keyboard") and not _is_own_keyboard(one.word)]

    def _refresh(self) -> None:
        if self._version != self.bindings.version:
            self._tune()

    def _tune(self) -> None:
        """Give every subscriber its present bindings."""
        self._version = self.bindings.version
        (self.keyboards.wanted.add if self.apart else self.keyboards.wanted.discard)(id(self))
        shares = {id(one): halves for one, halves in self._shares()}
        for one in self._subscribers:
            if one.word == "keyboard":
                one.tune(self.bindings.together(shares[id(one)], game=one.game, agent=one.agent))
            else:
                one.tune(self.bindings.of(one.word, game=one.game, agent=one.agent))

    def _shares(self) -> Iterator[tuple[_Subscriber, list[str]]]:
        """Return the subscribers to the whole keyboard with their halves."""
        bare = [one for one in self._subscribers if one.word == "keyboard"]
        return zip(bare, deal_halves([one.word for one in self._subscribers]), strict=True)


def _is_own_keyboard(word: str) -> bool:
    return word.startswith("keyboard:") and word[9:].isdecimal()
