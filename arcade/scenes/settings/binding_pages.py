"""The tables of the controls page: the key bindings of a device, of the menus, and of a game's actions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.seats.controller import AgentID
from arcade.engine.input.bindings_file import Scope
from arcade.engine.input.default_bindings import CONTROLS, MENUS
from arcade.engine.input.events import ControlInput, Device, InputEvent, SourceInput
from arcade.engine.input.key_bindings import DeviceBindings, KeyBindings, conflicts, control_label, taken_by
from arcade.engine.input.sources import is_half, source_label
from arcade.games.controls import SeatControls
from arcade.language import N_, _


@dataclass(frozen=True, slots=True)
class BindingRow:
    """A control, and the keys and buttons that are bound to it."""

    name: str  # control, menu action or action
    label: str
    detail: str  # the game's name of it, or ""
    sources: tuple[str, ...]
    caps: tuple[str, ...]  # names of the sources


class BindingPage(ABC):
    """A table of key bindings.  Changes return a message for the player, or ""."""

    kind = "keyboard"  # of the sources
    prompt = N_("Press a key")

    def __init__(self, bindings: KeyBindings, scope: Scope) -> None:
        self._bindings, self.scope = bindings, scope

    @abstractmethod
    def rows(self) -> list[BindingRow]:
        """Return the present rows."""

    @abstractmethod
    def source_of(self, event: InputEvent) -> str:
        """Return the source that the event binds, or ""."""

    def others(self, source: str, name: str) -> Sequence[str]:
        """Return the names of the rows that lose `source` to the row `name`."""
        return ()

    def save(self, changes: Mapping[str, Sequence[str]]) -> str:
        """Bind some rows to other sources; return why that is refused, or ""."""
        self._bindings.change(self.scope, changes)
        return ""

    def reset(self) -> None:
        """Reset to defaults."""
        self._bindings.reset(self.scope)

    def warnings(self) -> tuple[str, ...]:
        """Return the conflicts."""
        return ()

    def put(self, name: str, place: int, source: str) -> str:
        """Bind `source` to `name`, in place of the one at `place` or as another one."""
        sources = {row.name: row.sources for row in self.rows()}
        before, after = sources[name][:place], sources[name][place + 1 :]
        bound = [*(one for one in before if one != source), source, *(one for one in after if one != source)]
        lost = {other: [one for one in sources[other] if one != source] for other in self.others(source, name)}
        message = self.save({name: bound, **lost})
        if message or not lost:
            return message
        names = ", ".join(map(control_label, lost))
        return _("{key} is no longer {control}").format(key=source_label(self.kind, source), control=names)

    def drop(self, name: str, place: int) -> str:
        """Unbind the source at `place` from `name`."""
        sources = next(row.sources for row in self.rows() if row.name == name)
        return self.save({name: sources[:place] + sources[place + 1 :]})


class DevicePage(BindingPage):
    """The key bindings of one device in a scope; `controls` has the game's names of them."""

    def __init__(
        self, bindings: KeyBindings, device: Device, *, game: str, agent: str, controls: SeatControls | None
    ) -> None:
        super().__init__(bindings, Scope(game, agent, bindings.device_of(device.word, guid=device.identity)))
        self._device, self._game, self._agent, self._controls = device, game, agent, controls
        self.kind = device.kind
        self.prompt = N_("Press a key") if device.kind == "keyboard" else N_("Press a button or move a stick")

    def rows(self) -> list[BindingRow]:
        bindings = self._device_bindings()
        return [_row(bindings, control, self._detail(control)) for control in CONTROLS[bindings.kind]]

    def source_of(self, event: InputEvent) -> str:
        if not isinstance(event, SourceInput) or not event.pressed or event.repeated:
            return ""
        is_its_own = event.device.kind == self._device.kind and (
            event.device.word == self._device.word or not self._device.identity
        )
        return event.source if is_its_own and event.source != "escape" else ""

    def others(self, source: str, name: str) -> Sequence[str]:
        return taken_by(self._device_bindings(), source, name)

    def warnings(self) -> tuple[str, ...]:
        device = self._device
        return conflicts(self._bindings, device.word, game=self._game, agent=self._agent, guid=device.identity)

    def _device_bindings(self) -> DeviceBindings:
        device = self._device
        return self._bindings.of(device.word, game=self._game, agent=self._agent, guid=device.identity)

    def _detail(self, control: str) -> str:
        if self._controls is None:
            return ""
        return ", ".join(_(row.words) for row in self._controls.rows if control in row.controls)


class MenuPage(BindingPage):
    """The key bindings of menus, on keyboards or gamepads."""

    def __init__(self, bindings: KeyBindings, kind: str) -> None:
        super().__init__(bindings, Scope(device=kind, section="menu"))
        self.kind = kind
        self.prompt = N_("Press a key") if kind == "keyboard" else N_("Press a button")

    def rows(self) -> list[BindingRow]:
        bindings = self._bindings.menu(self.kind)
        return [_row(bindings, action, "") for action in MENUS[self.kind]]

    def source_of(self, event: InputEvent) -> str:
        if not isinstance(event, SourceInput) or not event.pressed or event.repeated:
            return ""
        return event.source if event.device.kind == self.kind else ""

    def others(self, source: str, name: str) -> Sequence[str]:
        return [other for other in self._bindings.menu(self.kind).controls_of(source) if other != name]

    def save(self, changes: Mapping[str, Sequence[str]]) -> str:
        if empty := next((action for action, found in changes.items() if not found), ""):
            told = _("{control} needs a key or button: give it another one first")
            return told.format(control=control_label(empty))
        return super().save(changes)


class ActionsPage(BindingPage):
    """The controls of a game's actions, on every device; made for games that declare none."""

    prompt = N_("Press a key or button on any device")

    def __init__(self, bindings: KeyBindings, game: str, agent: AgentID, controls: SeatControls) -> None:
        super().__init__(bindings, Scope(game, str(agent), section="actions"))
        self._game, self._agent, self._default = game, agent, controls

    def rows(self) -> list[BindingRow]:
        return [
            BindingRow(row.action, _(row.words), "", row.controls, tuple(map(control_label, row.controls)))
            for row in self._now().rows
            if row.action
        ]

    def source_of(self, event: InputEvent) -> str:
        if not isinstance(event, ControlInput | SourceInput) or not event.pressed or event.repeated:
            return ""
        if isinstance(event, ControlInput):
            return "" if is_half(event.control) else event.control
        if self._default.style != "sticks" or not is_half(event.source):
            return ""
        bindings = self._bindings.of(event.device.word, guid=event.device.identity)
        return next(filter(is_half, bindings.controls_of(event.source)), "")  # it is bound to a direction too

    def warnings(self) -> tuple[str, ...]:
        shared = self._now().conflicts()
        default = self._default.table()
        free, several = _("{control} has no key or button"), _("{key} does several things: {controls}")
        return (
            *(several.format(key=control_label(one), controls=", ".join(map(_, words))) for one, words in shared),
            *(free.format(control=row.label) for row in self.rows() if not row.sources and default[row.name]),
        )

    def _now(self) -> SeatControls:
        known = self._default.table()
        table = self._bindings.actions(self._game, self._agent)
        return self._default.changed({action: found for action, found in table.items() if action in known})


def _row(bindings: DeviceBindings, control: str, detail: str) -> BindingRow:
    return BindingRow(
        control, control_label(control), detail, bindings.sources.get(control, ()), bindings.labels(control)
    )
