"""The controls page: the key bindings of each device, game and seat."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from agents.seats.controller import AgentID
from arcade.controls.device_controllers import seat_controls
from arcade.engine.input import events
from arcade.engine.input.bindings_file import KeyBindingsError
from arcade.engine.input.default_bindings import KEYBOARD
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import UNPLACED, Button, Choice, Widget, column
from arcade.engine.window.scene import Host
from arcade.games.controls import SeatControls
from arcade.games.spec import GameSpec
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.scenes.settings.binding_pages import ActionsPage, BindingPage, DevicePage, MenuPage
from arcade.scenes.settings.binding_table import BindingTable, Cell
from arcade.session.services import Services

LEFT = pygame.Rect(theme.MARGIN, 100, 400, 50)
TABLE = pygame.Rect(460, 100, 780, 560)
NOTES = pygame.Rect(LEFT.left, 350, LEFT.w, 310)
PATIENCE = 8.0
"""Seconds to wait for a key: a player with only a gamepad has no Esc to cancel."""

MENU_KEYS, MENU_BUTTONS, ACTIONS = "Menus: keys", "Menus: gamepad", "Moves of the game"


class BindingsScene(Screen):
    """Edits controls.toml; begins with the match on the screen and the first person in it."""

    heading = "Controls"
    legend = "{enter}, {a} or click: change    Delete, X or right click: remove    {esc} or {b}: back"

    def __init__(self, services: Services, route: routes.KeyBindings) -> None:
        super().__init__(services, route)
        playing = services.setup.playing if route.spec is None else None
        seats = playing.seat_specs if playing is not None else route.seats
        spec = playing.spec if playing is not None and seats else route.spec
        self._known = {seat.agent: seat for seat in seats}
        first = [] if spec is None or spec in services.library.games else [spec]
        self._games: list[GameSpec | None] = [None, *first, *services.library.games]
        self.spec = spec
        self.agent: AgentID = ""  # "": all seats
        people = [str(choice) for choice in playing.lineup.values() if choice.is_human] if seats and playing else []
        self.device = next(iter(people), "keyboard:wasd")  # a device word, MENU_KEYS, MENU_BUTTONS or ACTIONS
        self.table = BindingTable(TABLE, pick=self._ask, drop=self._drop)
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
        halves = [(f"Keyboard {half.upper()}", device) for half, device in KEYBOARD.items()]
        own = [(f"Keyboard {device.slot}: {device.name}", device) for device in self.engine.devices.keyboards.present]
        pads = [(f"Gamepad {int(pad.slot) + 1}: {pad.name}", pad) for pad in self.engine.devices.pads]
        return [*halves, *own, *pads, ("Any gamepad", events.Device("gamepad"))]

    def _options(self) -> list[tuple[str, str]]:
        """Return (text, value of `device`) of all choices."""
        found = [(label, device.word) for label, device in self._devices()]
        controls = self.controls_of()
        if controls is not None and controls.table() and controls.style != "choose":
            found.append((ACTIONS, ACTIONS))
        return [*found, (MENU_KEYS, MENU_KEYS), (MENU_BUTTONS, MENU_BUTTONS)]

    def controls_of(self) -> SeatControls | None:
        """Return the controls of the seat, or of the game's first; None for all games."""
        if self.spec is None:
            return None
        agent = self.agent if self.agent != "" else self.spec.agents[0]
        seat = self._known.get(agent)
        return seat_controls(seat, self.spec) if seat is not None else self.spec.controls_of(agent)

    # The page

    def widgets(self) -> list[Widget]:
        options = self._options()
        if self.device not in [word for _, word in options]:
            self.device = options[0][1]
        chosen = [word for _, word in options].index(self.device)
        self._device = next((device for _, device in self._devices() if device.word == self.device), self._device)
        games = [spec.title if spec is not None else "Every game" for spec in self._games]
        agents = self.spec.agents if self.spec is not None else ()
        seats = ["Every seat", *(map(self.spec.seat_title, agents) if self.spec is not None else ())]
        at = agents.index(self.agent) + 1 if self.agent in agents else 0
        game = Choice(
            UNPLACED, "", games, index=self._games.index(self.spec), change=self._set_game,
            hint="For this game, or for all games without key bindings of their own",
        )  # fmt: skip
        seat = Choice(
            UNPLACED, "", seats, index=at, change=self._set_seat, hint="For this seat, or for all seats",
        )  # fmt: skip
        more = [] if self.device in (MENU_KEYS, MENU_BUTTONS) else [game, seat]
        self.table.show(self.page.rows())
        names = [label for label, _ in options]
        device = Choice(UNPLACED, "", names, index=chosen, change=self._set_device, hint="The device")
        reset = Button(UNPLACED, "Reset to defaults", self._reset, hint="Undo all changes of this table")
        notes = _Notes(NOTES, lambda: self.notes, focusable=self.engine.settings.ui_scale > 1)
        return [*column([device, *more, reset], LEFT, gap=10), self.table, notes, self.back_button()]

    def draw_over(self, canvas: pygame.Surface) -> None:
        super().draw_over(canvas)
        if self._asked is not None:
            theme.dim(canvas)
            _draw_question(canvas, self._asked[0].label, self.page.prompt)

    @property
    def notes(self) -> tuple[str, str]:
        """The conflicts, and information on several keyboards."""
        apart = self._pressed or self.engine.devices.keyboards.why
        return "\n".join(self.page.warnings()), apart

    # Input

    def handle(self, event: events.InputEvent) -> bool | None:
        match event:
            case events.SourceInput(pressed=True, device=events.Device(kind="keyboard", slot=slot)) if slot:
                self._pressed = f"Keyboard {slot} was pressed last."
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
        self.table.show(self.page.rows())

    def _reset(self) -> None:
        self.page.reset()
        self.table.show(self.page.rows())

    def _set_device(self, index: int) -> None:
        self.device = self._options()[index][1]
        self.rebuild(keep=0)

    def _set_game(self, index: int) -> None:
        self.spec, self.agent = self._games[index], ""
        self.rebuild(keep=1)

    def _set_seat(self, index: int) -> None:
        self.agent = self.spec.agents[index - 1] if self.spec is not None and index else ""
        self.rebuild(keep=2)


class _Notes(Widget):
    """Shows the conflicts, and below them information on several keyboards."""

    def __init__(self, rect: pygame.Rect, text: Callable[[], tuple[str, str]], *, focusable: bool) -> None:
        super().__init__(rect)
        self._text = text
        self.focusable = focusable  # on enlarged pages, to be scrolled into view

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        warnings, apart = self._text()
        theme.draw_panel(canvas, self.rect)
        inside = self.rect.inflate(-36, -28)
        colour = theme.WARNING if warnings else theme.MUTED
        picture = theme.paragraph(warnings or "No conflicts", width=inside.w, size=theme.SMALL, colour=colour)
        below = theme.paragraph(apart, width=inside.w, size=15, colour=theme.MUTED)
        canvas.blit(picture, inside, (0, 0, inside.w, inside.h - below.get_height() - theme.GAP))
        canvas.blit(below, below.get_rect(bottomleft=inside.bottomleft))
        if focused:
            theme.draw_focus(canvas, self.rect)


def _draw_question(canvas: pygame.Surface, label: str, prompt: str) -> None:
    lines = (
        (label, theme.scaled(theme.LARGE), theme.INK),
        (prompt, theme.scaled(theme.BODY), theme.INK),
        ("Esc, or wait: cancel", theme.scaled(theme.SMALL), theme.MUTED),
    )
    width = min(canvas.get_width() - 40, theme.scaled(600))
    box = pygame.Rect(0, 0, width, theme.scaled(180))
    box.center = canvas.get_rect().center
    theme.draw_panel(canvas, box, edge=theme.FOCUS)
    for place, (line, size, colour) in enumerate(lines):
        at = (box.centerx, box.top + (place + 1) * box.h // 4)
        theme.draw_text(canvas, line, at, size=size, colour=colour, bold=not place, anchor="center", width=width - 40)


def _removes(event: events.InputEvent) -> bool:
    match event:
        case events.KeyInput(pressed=True, name="delete"):
            return True
        case events.ControlInput(pressed=True, control="x"):
            return event.device.kind == "gamepad"
    return False
