"""What the controls scene edits: a device's layout, the menus', or the actions of a game; each a table of rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from agents.seats.controller import AgentID
from arcade.engine.input.bindings_file import Scope
from arcade.engine.input.conflicts import CONTROL_WORDS, conflicts, taken_by
from arcade.engine.input.default_bindings import CONTROLS, MENUS
from arcade.engine.input.events import ControlInput, Device, InputEvent, SourceInput
from arcade.engine.input.key_bindings import DeviceBindings, KeyBindings
from arcade.engine.input.sources import is_half, source_words
from arcade.games.controls import SeatControls


@dataclass(frozen=True, slots=True)
class BindingRow:
    """One thing that can be done, and what does it."""

    name: str  # control, menu action or action
    words: str
    detail: str  # what the game calls it; "" where it has no word
    sources: tuple[str, ...]
    caps: tuple[str, ...]  # the sources for people


class BindingPage(ABC):
    """A table of rows that can be changed.  `put` and `drop` return what to tell the player, "" for nothing."""

    asks = "Press a key"

    @abstractmethod
    def rows(self) -> list[BindingRow]:
        """As it stands."""

    @abstractmethod
    def hears(self, event: InputEvent) -> str:
        """The source that the event offers, "" for none."""

    @abstractmethod
    def write(self, name: str, sources: Sequence[str], gives: str) -> str:
        """`name` is done by these; `gives` is new among them, "" where one went."""

    @abstractmethod
    def reset(self) -> None:
        """As usual again."""

    def warnings(self) -> tuple[str, ...]:
        """What gets in each other's way."""
        return ()

    def put(self, name: str, place: int, source: str) -> str:
        """`source` does `name`, instead of the one at `place` or beside all."""
        row = self._row(name)
        before, after = row.sources[:place], row.sources[place + 1 :]
        sources = [*(one for one in before if one != source), source, *(one for one in after if one != source)]
        return self.write(name, sources, source)

    def drop(self, name: str, place: int) -> str:
        """The source at `place` no longer does `name`."""
        row = self._row(name)
        return self.write(name, row.sources[:place] + row.sources[place + 1 :], "")

    def _row(self, name: str) -> BindingRow:
        return next(row for row in self.rows() if row.name == name)


class DevicePage(BindingPage):
    """The layout of one device in a scope; `controls` are the game's words for it."""

    def __init__(
        self,
        layouts: KeyBindings,
        device: Device,
        *,
        game: str = "",
        agent: str = "",
        controls: SeatControls | None = None,
    ) -> None:
        self._layouts, self._device, self._game, self._agent = layouts, device, game, agent
        self._controls = controls
        self.scope = Scope(game, agent, layouts.device_of(device.word, guid=device.identity))
        self.asks = "Press a key" if device.kind == "keyboard" else "Press a button or move a stick"

    def rows(self) -> list[BindingRow]:
        layout = self._layout()
        return [_row(layout, control, self._detail(control)) for control in CONTROLS[layout.kind]]

    def hears(self, event: InputEvent) -> str:
        if not isinstance(event, SourceInput) or not event.pressed or event.repeated:
            return ""
        mine = event.device.kind == self._device.kind and (
            event.device.word == self._device.word or not self._device.identity
        )
        return event.source if mine and event.source != "escape" else ""

    def write(self, name: str, sources: Sequence[str], gives: str) -> str:
        layout, told = self._layout(), ""
        changes = {name: tuple(sources)}
        for other in taken_by(layout, gives, name) if gives else ():
            changes[other] = tuple(source for source in layout.sources[other] if source != gives)
            told = f"{source_words(layout.kind, gives)} is no longer {CONTROL_WORDS[other]}"
        self._layouts.change(self.scope, changes)
        return told

    def reset(self) -> None:
        self._layouts.reset(self.scope)

    def warnings(self) -> tuple[str, ...]:
        device = self._device
        return conflicts(self._layouts, device.word, game=self._game, agent=self._agent, guid=device.identity)

    def _layout(self) -> DeviceBindings:
        device = self._device
        return self._layouts.of(device.word, game=self._game, agent=self._agent, guid=device.identity)

    def _detail(self, control: str) -> str:
        if self._controls is None:
            return ""
        return ", ".join(row.words for row in self._controls.rows if control in row.controls)


class MenuPage(BindingPage):
    """What steps through menus on keyboards or gamepads."""

    def __init__(self, layouts: KeyBindings, kind: str) -> None:
        self._layouts, self._kind = layouts, kind
        self.asks = "Press a key" if kind == "keyboard" else "Press a button"

    def rows(self) -> list[BindingRow]:
        layout = self._layouts.menu(self._kind)
        return [_row(layout, action, "") for action in MENUS[self._kind]]

    def hears(self, event: InputEvent) -> str:
        pressed = isinstance(event, SourceInput) and event.pressed and not event.repeated
        return event.source if pressed and event.device.kind == self._kind else ""  # type: ignore[union-attr]

    def write(self, name: str, sources: Sequence[str], gives: str) -> str:
        layout = self._layouts.menu(self._kind)
        changes = {name: tuple(sources)}
        for other in layout.controls_of(gives):
            if other != name:
                changes[other] = tuple(source for source in layout.sources[other] if source != gives)
        empty = next((action for action, found in changes.items() if not found), "")
        if empty:
            return f"{CONTROL_WORDS[empty]} needs a key or button: give it another one first"
        self._layouts.change_menu(self._kind, changes)
        others = [CONTROL_WORDS[other] for other in changes if other != name]
        return f"{source_words(self._kind, gives)} is no longer {', '.join(others)}" if others else ""

    def reset(self) -> None:
        self._layouts.reset_menu(self._kind)


class ActionsPage(BindingPage):
    """Which controls do the actions of a game, on every device; for games that declare none above all."""

    asks = "Press what should do it, on any device"

    def __init__(self, layouts: KeyBindings, game: str, agent: AgentID, controls: SeatControls) -> None:
        self._layouts, self._game, self._agent, self._usual = layouts, game, agent, controls

    def rows(self) -> list[BindingRow]:
        return [
            BindingRow(
                row.action, row.words, "", row.controls, tuple(CONTROL_WORDS[control] for control in row.controls)
            )
            for row in self._now().rows
            if row.action
        ]

    def hears(self, event: InputEvent) -> str:
        if not isinstance(event, ControlInput | SourceInput) or not event.pressed or event.repeated:
            return ""
        if isinstance(event, ControlInput):
            return "" if is_half(event.control) else event.control
        if self._usual.style != "sticks" or not is_half(event.source):
            return ""
        layout = self._layouts.of(event.device.word, guid=event.device.identity)
        return next(filter(is_half, layout.controls_of(event.source)), "")  # rather than the direction that it is too

    def write(self, name: str, sources: Sequence[str], gives: str) -> str:
        self._layouts.change_actions(self._game, {name: sources}, agent=self._agent)
        return ""

    def reset(self) -> None:
        self._layouts.change_actions(self._game, {}, agent=self._agent)

    def warnings(self) -> tuple[str, ...]:
        clashes = self._now().conflicts()
        usual = self._usual.table()
        nothing = [f"Nothing does {row.words}" for row in self.rows() if not row.sources and usual[row.name]]
        return (*(f"{CONTROL_WORDS[control]} does {' and '.join(words)}" for control, words in clashes), *nothing)

    def _now(self) -> SeatControls:
        known = self._usual.table()
        table = self._layouts.actions(self._game, self._agent)
        return self._usual.changed({action: found for action, found in table.items() if action in known})


def _row(layout: DeviceBindings, control: str, detail: str) -> BindingRow:
    return BindingRow(control, CONTROL_WORDS[control], detail, layout.sources.get(control, ()), layout.words(control))
