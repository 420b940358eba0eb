"""The page of key bindings: those of each device, game and seat, and of menus."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from agents.seats.controller import AgentID
from arcade.controls.device_controllers import seat_controls
from arcade.engine.input import events
from arcade.engine.input.bindings_file import KeyBindingsError
from arcade.engine.input.default_bindings import KEYBOARD
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button, Choice, TextField
from arcade.engine.ui.layout import Centred, Column, Panel, Row
from arcade.engine.ui.texts import Paragraph
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host
from arcade.games.controls import SeatControls
from arcade.games.spec import GameSpec
from arcade.language import N_, _
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.scenes.settings.binding_pages import ActionsPage, BindingPage, DevicePage, MenuPage
from arcade.scenes.settings.binding_table import BindingTable, Cell
from arcade.session.services import Services

PATIENCE = 8.0
"""Seconds to wait for a key: a player with only a gamepad has no Esc to cancel."""

MENU_KEYS, MENU_BUTTONS, ACTIONS = N_("Menus: keys"), N_("Menus: gamepad"), N_("Moves of the game")


class BindingsScene(Screen):
    """Edits controls.toml; begins with the match on the screen and the first person in it."""

    heading = N_("Keys and buttons")
    legend = (("accept", N_("Change")), ("back", N_("Back")))

    def __init__(self, services: Services, route: routes.KeyBindings) -> None:
        super().__init__(services, route)
        playing = services.setup.playing if route.spec is None else None
        seats = playing.seat_specs if playing is not None else route.seats
        spec = playing.spec if playing is not None and seats else route.spec
        self._known = {seat.agent: seat for seat in seats}
        self.spec = spec
        self.agent: AgentID = ""  # "": all seats
        people = [str(choice) for choice in playing.lineup.values() if choice.is_human] if seats and playing else []
        self.device = next(iter(people), "keyboard:wasd")  # a device word, MENU_KEYS, MENU_BUTTONS or ACTIONS
        hint = _("Press to change; Delete, a pad's X button or a right click removes")
        self.table = BindingTable(pick=self._ask, drop=self._drop, hint=hint)
        self._device = KEYBOARD["wasd"]  # the device of that word; it may be disconnected
        self._asked: Cell | None = None
        self._until = 0.0
        self._fresh = self._held = False  # a key was bound since the last update; may still be down
        self._pressed = ""  # text about the last keyboard that was used

    def enter(self, engine: Host) -> None:
        self.engine = engine
        engine.devices.keyboards.wanted.add(id(self))
        engine.devices.keyboards.refresh()
        super().enter(engine)

    def leave(self) -> None:
        self.engine.devices.keyboards.wanted.discard(id(self))

    @property
    def asking(self) -> bool:
        """Whether the next key or button is bound."""
        return self._asked is not None

    # Choices

    @property
    def page(self) -> BindingPage:
        """The table that is shown."""
        bindings, game = self.engine.bindings, self.spec.id if self.spec is not None else ""
        if self.device in (MENU_KEYS, MENU_BUTTONS):
            return MenuPage(bindings, "keyboard" if self.device == MENU_KEYS else "gamepad")
        if self.device == ACTIONS:
            return ActionsPage(bindings, game, self.agent, self.controls_of() or SeatControls(rows=(), style="moves"))
        return DevicePage(bindings, self._device, game=game, agent=str(self.agent), controls=self.controls_of())

    def _devices(self) -> list[tuple[str, events.Device]]:
        """Return (text, device) of all connected devices."""
        half, own = _("Keyboard {keys}"), _("Keyboard {number}: {name}")
        pad, present = _("Gamepad {number}: {name}"), self.engine.devices.keyboards.present
        return [
            *((half.format(keys=keys.upper()), device) for keys, device in KEYBOARD.items()),
            *((own.format(number=device.slot, name=device.name), device) for device in present),
            *((pad.format(number=int(one.slot) + 1, name=one.name), one) for one in self.engine.devices.pads),
            (_("Any gamepad"), events.Device("gamepad")),
        ]

    def _options(self) -> list[tuple[str, str]]:
        """Return (text, value of `device`) of all choices."""
        found = [(label, device.word) for label, device in self._devices()]
        controls = self.controls_of()
        if controls is not None and controls.table() and controls.style != "choose":
            found.append((_(ACTIONS), ACTIONS))
        return [*found, (_(MENU_KEYS), MENU_KEYS), (_(MENU_BUTTONS), MENU_BUTTONS)]

    def controls_of(self) -> SeatControls | None:
        """Return the controls of the seat, or of the game's first; None for all games."""
        if self.spec is None:
            return None
        agent = self.agent if self.agent != "" else self.spec.agents[0]
        seat = self._known.get(agent)
        return seat_controls(seat, self.spec) if seat is not None else self.spec.controls_of(agent)

    # The page

    def body(self) -> Widget:
        self.table.show_rows(self.page.rows())
        reset = Button(_("Reset to defaults"), self._reset, danger=True, hint=_("Undo all changes of this table"))
        warning = Paragraph(lambda: self.notes[0], size=themes.SMALL, colour="warning")
        fine = Paragraph(lambda: "" if self.notes[0] else _("No conflicts"), size=themes.SMALL, colour="muted")
        apart = Paragraph(lambda: self.notes[1], size=themes.SMALL, colour="muted")
        notes = Panel(Column([warning, fine, apart]), padding=16)
        return Row([Column([*self._choices(), reset, notes], gap=10, grow=1), self.table], gap=20, align="stretch")

    def _choices(self) -> list[Widget | None]:
        """Make the rows that choose the table: device, game and seat."""
        options = self._options()
        words = [word for _label, word in options]
        if self.device not in words:
            self.device = words[0]
        self._device = next((device for _label, device in self._devices() if device.word == self.device), self._device)
        device = Choice(
            _("Device"), [label for label, _word in options], index=words.index(self.device), key="device",
            change=self._set_device, hint=_("The keyboard or gamepad, or the menus"),
        )  # fmt: skip
        if self.device in (MENU_KEYS, MENU_BUTTONS):
            return [device]
        agents = self.spec.agents if self.spec is not None else ()
        seats = [_("Every seat"), *(map(self.spec.seat_title, agents) if self.spec is not None else ())]
        shown = _(self.spec.title) if self.spec is not None else _("Every game")
        game = TextField(
            _("Game"), value=shown, press=self._ask_game, key="game",
            hint=_("For this game, or for all games without key bindings of their own"),
        )  # fmt: skip
        seat = Choice(
            _("Seat"), seats, index=agents.index(self.agent) + 1 if self.agent in agents else 0, key="seat",
            change=self._set_seat, hint=_("For this seat, or for all seats"),
        )  # fmt: skip
        every = Button(_("Every game"), lambda: self._set_game(None), hint=_("Those of all games"), key="every")
        return [device, game, every if self.spec is not None else None, seat]

    def _ask_game(self) -> None:
        self.engine.push(routes.Games(self._set_game, N_("Keys and buttons of a game")))

    def draw_over(self, canvas: pygame.Surface) -> None:
        super().draw_over(canvas)
        if self._asked is not None:
            self.theme.dim(canvas)
            question = self._question(self._asked[0].label)
            question.arrange(self.theme, canvas.get_rect())
            question.draw(canvas, self.theme)

    def _question(self, label: str) -> Widget:
        lines = (
            Paragraph(label, size=themes.LARGE, bold=True, align="centre"),
            Paragraph(_(self.page.prompt), align="centre"),
            Paragraph(_("Esc, or wait: cancel"), size=themes.SMALL, colour="muted", align="centre"),
        )
        return Centred(Panel(Column(lines, gap=16), padding=28, edge="focus"), width=600)

    @property
    def notes(self) -> tuple[str, str]:
        """The conflicts, and information on several keyboards."""
        apart = self._pressed or _(self.engine.devices.keyboards.why)
        return "\n".join(self.page.warnings()), apart

    # Input

    def handle(self, event: events.InputEvent) -> bool | None:
        match event:
            case events.SourceInput(pressed=True, device=events.Device(kind="keyboard", slot=slot)) if slot:
                self._pressed = _("Keyboard {number} was pressed last.").format(number=slot)
        if isinstance(event, events.DeviceAdded | events.DeviceRemoved):
            self._asked = None  # it may be the device that was asked for
            self.refresh()
        elif self._asked is not None:
            self._bind(event, self._asked)
        elif self._is_echo(event):
            return None
        elif _removes(event) and self.focus.focused is self.table:
            self.table.remove()
        else:
            return super().handle(event)
        return None

    def update(self, now: float) -> None:
        super().update(now)
        self._fresh = False
        if self._asked is not None and now > self._until:
            self._asked = None

    def _ask(self, cell: Cell) -> None:
        self._asked, self._until = cell, self.engine.clock() + PATIENCE

    def _bind(self, event: events.InputEvent, cell: Cell) -> None:
        source = self.page.source_of(event)
        if source:
            self._change(lambda: self.page.put(cell[0].name, cell[1], source))
        if source or (isinstance(event, events.SourceInput) and event.pressed and event.source == "escape"):
            self._asked, self._fresh, self._held = None, True, True

    def _is_echo(self, event: events.InputEvent) -> bool:
        """Whether the event is part of the press that was bound, which must not move the menu too."""
        if self._fresh and isinstance(event, events.KeyInput | events.ControlInput | events.MenuInput):
            return True
        if isinstance(event, events.MenuInput):
            self._held = self._held and event.repeated
            return self._held
        return False

    def _drop(self, cell: Cell) -> None:
        self._change(lambda: self.page.drop(cell[0].name, cell[1]))

    def _change(self, make: Callable[[], str]) -> None:
        try:
            message = make()
        except KeyBindingsError as error:
            message = str(error)
        self.engine.sound.play("accept")
        if message:
            self.engine.say(message)
        self.table.show_rows(self.page.rows())

    def _reset(self) -> None:
        def reset() -> None:
            self.page.reset()
            self.table.show_rows(self.page.rows())

        question, detail = _("Reset to defaults?"), _("All changes of this table are lost.")
        self.engine.push(routes.Confirm(question, detail, _("Reset"), reset))

    def _set_device(self, index: int) -> None:
        self.device = self._options()[index][1]
        self.refresh()

    def _set_game(self, spec: GameSpec | None) -> None:
        self.spec, self.agent = spec, ""
        self.refresh()

    def _set_seat(self, index: int) -> None:
        self.agent = self.spec.agents[index - 1] if self.spec is not None and index else ""
        self.refresh()


def _removes(event: events.InputEvent) -> bool:
    match event:
        case events.KeyInput(pressed=True, name="delete"):
            return True
        case events.ControlInput(pressed=True, control="x"):
            return event.device.kind == "gamepad"
    return False
