"""The tables of the controls page: the key bindings of a device, of the menus, and of a game's actions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from agents.seats.controller import AgentID
from arcade.engine.input.bindings_file import Scope
from arcade.engine.input.conflicts import CONTROL_LABELS, conflicts, taken_by
from arcade.engine.input.default_bindings import CONTROLS, MENUS
from arcade.engine.input.events import ControlInput, Device, InputEvent, SourceInput
from arcade.engine.input.key_bindings import DeviceBindings, KeyBindings
from arcade.engine.input.sources import is_half, source_label
from arcade.games.controls import SeatControls


@dataclass(frozen=True, slots=True)
class BindingRow:
    """A control, and the keys and buttons that are bound to it."""

    name: str  # control, menu action or action
    words: str
    detail: str  # the game's name of it, or ""
    sources: tuple[str, ...]
    caps: tuple[str, ...]  # names of the sources


class BindingPage(ABC):
    """A table of key bindings.  Changes return a message for the player, or ""."""

    asks = "Press a key"

    def __init__(self, bindings: KeyBindings, scope: Scope) -> None:
        self._bindings, self.scope = bindings, scope

    @abstractmethod
    def rows(self) -> list[BindingRow]:
        """Return the present rows."""

    @abstractmethod
    def hears(self, event: InputEvent) -> str:
        """Return the source that the event binds, or ""."""

    @abstractmethod
    def write(self, name: str, sources: Sequence[str], new: str) -> str:
        """Bind `name` to these; `new` is the new one among them, "" after a removal."""

    def reset(self) -> None:
        """Reset to defaults."""
        self._bindings.reset(self.scope)

    def warnings(self) -> tuple[str, ...]:
        """Return the conflicts."""
        return ()

    def put(self, name: str, place: int, source: str) -> str:
        """Bind `source` to `name`, in place of the one at `place` or as another one."""
        row = self._row(name)
        before, after = row.sources[:place], row.sources[place + 1 :]
        sources = [*(one for one in before if one != source), source, *(one for one in after if one != source)]
        return self.write(name, sources, source)

    def drop(self, name: str, place: int) -> str:
        """Unbind the source at `place` from `name`."""
        row = self._row(name)
        return self.write(name, row.sources[:place] + row.sources[place + 1 :], "")

    def _row(self, name: str) -> BindingRow:
        return next(row for row in self.rows() if row.name == name)


class DevicePage(BindingPage):
    """The key bindings of one device in a scope; `controls` has the game's names of them."""

    def __init__(
        self, bindings: KeyBindings, device: Device, *, game: str, agent: str, controls: SeatControls | None
    ) -> None:
        super().__init__(bindings, Scope(game, agent, bindings.device_of(device.word, guid=device.identity)))
        self._device, self._game, self._agent, self._controls = device, game, agent, controls
        self.asks = "Press a key" if device.kind == "keyboard" else "Press a button or move a stick"

    def rows(self) -> list[BindingRow]:
        bindings = self._device_bindings()
        return [_row(bindings, control, self._detail(control)) for control in CONTROLS[bindings.kind]]

    def hears(self, event: InputEvent) -> str:
        if not isinstance(event, SourceInput) or not event.pressed or event.repeated:
            return ""
        mine = event.device.kind == self._device.kind and (
            event.device.word == self._device.word or not self._device.identity
        )
        return event.source if mine and event.source != "escape" else ""

    def write(self, name: str, sources: Sequence[str], new: str) -> str:
        bindings, message = self._device_bindings(), ""
        changes = {name: tuple(sources)}
        for other in taken_by(bindings, new, name) if new else ():
            changes[other] = tuple(source for source in bindings.sources[other] if source != new)
            message = f"{source_label(bindings.kind, new)} is no longer {CONTROL_LABELS[other]}"
        self._bindings.change(self.scope, changes)
        return message

    def warnings(self) -> tuple[str, ...]:
        device = self._device
        return conflicts(self._bindings, device.word, game=self._game, agent=self._agent, guid=device.identity)

    def _device_bindings(self) -> DeviceBindings:
        device = self._device
        return self._bindings.of(device.word, game=self._game, agent=self._agent, guid=device.identity)

    def _detail(self, control: str) -> str:
        if self._controls is None:
            return ""
        return ", ".join(row.words for row in self._controls.rows if control in row.controls)


class MenuPage(BindingPage):
    """The key bindings of menus, on keyboards or gamepads."""

    def __init__(self, bindings: KeyBindings, kind: str) -> None:
        super().__init__(bindings, Scope(device=kind, section="menu"))
        self._kind = kind
        self.asks = "Press a key" if kind == "keyboard" else "Press a button"

    def rows(self) -> list[BindingRow]:
        bindings = self._bindings.menu(self._kind)
        return [_row(bindings, action, "") for action in MENUS[self._kind]]

    def hears(self, event: InputEvent) -> str:
        if not isinstance(event, SourceInput) or not event.pressed or event.repeated:
            return ""
        return event.source if event.device.kind == self._kind else ""

    def write(self, name: str, sources: Sequence[str], new: str) -> str:
        bindings = self._bindings.menu(self._kind)
        changes = {name: tuple(sources)}
        for other in bindings.controls_of(new):
            if other != name:
                changes[other] = tuple(source for source in bindings.sources[other] if source != new)
        empty = next((action for action, found in changes.items() if not found), "")
        if empty:
            return f"{CONTROL_LABELS[empty]} needs a key or button: give it another one first"
        self._bindings.change(self.scope, changes)
        others = [CONTROL_LABELS[other] for other in changes if other != name]
        return f"{source_label(self._kind, new)} is no longer {', '.join(others)}" if others else ""


class ActionsPage(BindingPage):
    """The controls of a game's actions, on every device; made for games that declare none."""

    asks = "Press a key or button on any device"

    def __init__(self, bindings: KeyBindings, game: str, agent: AgentID, controls: SeatControls) -> None:
        super().__init__(bindings, Scope(game, str(agent), section="actions"))
        self._game, self._agent, self._default = game, agent, controls

    def rows(self) -> list[BindingRow]:
        return [
            BindingRow(row.action, row.words, "", row.controls, tuple(map(CONTROL_LABELS.__getitem__, row.controls)))
            for row in self._now().rows
            if row.action
        ]

    def hears(self, event: InputEvent) -> str:
        if not isinstance(event, ControlInput | SourceInput) or not event.pressed or event.repeated:
            return ""
        if isinstance(event, ControlInput):
            return "" if is_half(event.control) else event.control
        if self._default.style != "sticks" or not is_half(event.source):
            return ""
        bindings = self._bindings.of(event.device.word, guid=event.device.identity)
        return next(filter(is_half, bindings.controls_of(event.source)), "")  # it is bound to a direction too

    def write(self, name: str, sources: Sequence[str], new: str) -> str:
        self._bindings.change(self.scope, {name: sources})
        return ""

    def warnings(self) -> tuple[str, ...]:
        shared = self._now().conflicts()
        default = self._default.table()
        nothing = [f"Nothing does {row.words}" for row in self.rows() if not row.sources and default[row.name]]
        return (*(f"{CONTROL_LABELS[control]} does {' and '.join(words)}" for control, words in shared), *nothing)

    def _now(self) -> SeatControls:
        known = self._default.table()
        table = self._bindings.actions(self._game, self._agent)
        return self._default.changed({action: found for action, found in table.items() if action in known})


def _row(bindings: DeviceBindings, control: str, detail: str) -> BindingRow:
    return BindingRow(
        control, CONTROL_LABELS[control], detail, bindings.sources.get(control, ()), bindings.labels(control)
    )
