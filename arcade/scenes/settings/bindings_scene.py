"""Controls: which key or button does what, for every device, game and seat."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from agents.seats.controller import AgentID
from arcade.controls.seat_maps import seat_controls
from arcade.engine.input.bindings_file import KeyBindingsError
from arcade.engine.input.default_bindings import KEYBOARD
from arcade.engine.input.events import (
    ControlInput,
    Device,
    DeviceAdded,
    DeviceRemoved,
    InputEvent,
    KeyInput,
    MenuInput,
    SourceInput,
)
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Choice, Widget
from arcade.engine.window.scene import Host
from arcade.games.controls import SeatControls
from arcade.games.spec import GameSpec
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.scenes.settings.binding_pages import ActionsPage, BindingPage, DevicePage, MenuPage
from arcade.scenes.settings.binding_table import BindingTable, Cell
from arcade.session.services import Services

LEFT = pygame.Rect(theme.MARGIN, 100, 400, 50)
PITCH = 60
TABLE = pygame.Rect(460, 100, 780, 560)
NOTES = pygame.Rect(LEFT.left, 350, LEFT.w, 310)
PATIENCE = 8.0
"""Seconds that are waited for a key; a player with a pad alone has no Esc."""

MENU_KEYS, MENU_BUTTONS, ACTIONS = "Menus: keys", "Menus: gamepad", "Moves of the game"


class BindingsScene(Screen):
    """Edits controls.toml, beginning with the game that is played below and the first person in it."""

    heading = "Controls"
    legend = "{enter}, {a} or click: change    Delete, X or right click: take off    {esc} or {b}: back"

    def __init__(self, services: Services, route: routes.KeyBindings) -> None:
        super().__init__(services, route)
        playing = services.setup.playing if route.spec is None else None
        seats = playing.seat_specs if playing is not None else route.seats
        spec = playing.spec if playing is not None and seats else route.spec
        self._known = {seat.agent: seat for seat in seats}
        first = [] if spec is None or spec in services.library.games else [spec]
        self._games: list[GameSpec | None] = [None, *first, *services.library.games]
        self.spec = spec
        self.agent: AgentID = ""  # "" for every seat
        people = [str(choice) for choice in playing.lineup.values() if choice.is_human] if seats and playing else []
        self.device = next(iter(people), "keyboard:wasd")  # a word, or what else there is to edit
        self.table = BindingTable(TABLE, [], pick=self._ask, drop=self._drop)
        self._device = KEYBOARD["wasd"]  # what `device` names, for as long as it is chosen; it may be gone by now
        self._asked: Cell | None = None
        self._until = 0.0
        self._fresh = self._held = False  # an answer was pressed since the last update; is perhaps still down
        self._pressed = ""  # which keyboard was

    # On and off the stack

    def enter(self, engine: Host) -> None:
        self.engine = engine
        engine.devices.keyboards.wanted.add(id(self))
        engine.devices.keyboards.refresh()
        super().enter(engine)

    def leave(self) -> None:
        self.engine.devices.keyboards.wanted.discard(id(self))

    @property
    def asking(self) -> bool:
        """Whether the next key or button is an answer."""
        return self._asked is not None

    # What there is to choose from

    @property
    def page(self) -> BindingPage:
        """The table that is shown, as it stands."""
        layouts, game = self.engine.bindings, self.spec.id if self.spec is not None else ""
        if self.device in (MENU_KEYS, MENU_BUTTONS):
            return MenuPage(layouts, "keyboard" if self.device == MENU_KEYS else "gamepad")
        if self.device == ACTIONS:
            return ActionsPage(layouts, game, self.agent, self.controls_of() or SeatControls(rows=(), style="moves"))
        return DevicePage(layouts, self._device, game=game, agent=str(self.agent), controls=self.controls_of())

    def _devices(self) -> list[tuple[str, Device]]:
        """(words, device) of all that can be played with now."""
        halves = [(f"Keyboard {half.upper()}", device) for half, device in KEYBOARD.items()]
        own = [(f"Keyboard {device.slot}: {device.name}", device) for device in self.engine.devices.keyboards.present]
        pads = [(f"Gamepad {int(pad.slot) + 1}: {pad.name}", pad) for pad in self.engine.devices.pads]
        return [*halves, *own, *pads, ("Any gamepad", Device("gamepad"))]

    def _options(self) -> list[tuple[str, str]]:
        """(words, what `device` is then)."""
        found = [(words, device.word) for words, device in self._devices()]
        controls = self.controls_of()
        if controls is not None and controls.table() and controls.style != "choose":
            found.append((ACTIONS, ACTIONS))
        return [*found, (MENU_KEYS, MENU_KEYS), (MENU_BUTTONS, MENU_BUTTONS)]

    def controls_of(self) -> SeatControls | None:
        """What hands do in the seat, or in the game's first; None for every game."""
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
        seats = ["Every seat", *map(str, self.spec.agents if self.spec is not None else ())]
        in_menus = self.device in (MENU_KEYS, MENU_BUTTONS)
        rects = [LEFT.move(0, place * PITCH) for place in range(4)]
        game = Choice(
            rects[1], "", games, index=self._games.index(self.spec), change=self._set_game,
            hint="Holds in this game alone, or in every game that has nothing of its own",
        )  # fmt: skip
        seat = Choice(
            rects[2], "", seats, index=0 if self.agent == "" else seats.index(str(self.agent)), change=self._set_seat,
            hint="Holds for whoever plays in this seat",
        )  # fmt: skip
        self.table.show(self.page.rows())
        return [
            Choice(rects[0], "", [words for words, _ in options], index=chosen, change=self._set_device,
                   hint="What is pressed"),
            *([] if in_menus else [game, seat]),
            Button(rects[1 if in_menus else 3], "As usual", self._reset, hint="Forget what was changed here"),
            self.table,
            _Notes(NOTES, lambda: self.notes, focusable=self.engine.settings.ui_scale > 1),
            self.back_button(),
        ]  # fmt: skip

    def draw_over(self, canvas: pygame.Surface) -> None:
        super().draw_over(canvas)
        if self._asked is not None:
            theme.dim(canvas)
            _draw_question(canvas, self._asked[0].words, self.page.asks)

    @property
    def notes(self) -> tuple[str, str]:
        """What is in each other's way, and what there is to know of keyboards."""
        apart = self._pressed or self.engine.devices.keyboards.why
        return "\n".join(self.page.warnings()), apart

    # What happens

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, SourceInput) and event.pressed and event.device.kind == "keyboard" and event.device.slot:
            self._pressed = f"Keyboard {event.device.slot} was pressed last."
        if isinstance(event, DeviceAdded | DeviceRemoved):
            self._asked = None  # perhaps of the one that went
            self.rebuild(keep=next((i for i, w in enumerate(self.focus.widgets) if w is self.focus.focused), 0))
        elif self._asked is not None:
            self._hear(event, self._asked)
        elif self._is_echo(event):
            return None
        elif _takes_off(event) and self.focus.focused is self.table:
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

    def _hear(self, event: InputEvent, cell: Cell) -> None:
        source = self.page.hears(event)
        if source:
            self._change(lambda: self.page.put(cell[0].name, cell[1], source))
        if source or (isinstance(event, SourceInput) and event.pressed and event.source == "escape"):
            self._asked, self._fresh, self._held = None, True, True

    def _is_echo(self, event: InputEvent) -> bool:
        """Whether the event comes of the press that was an answer: that one steps through no menu, nor repeats."""
        if self._fresh and isinstance(event, KeyInput | ControlInput | MenuInput):
            return True
        if isinstance(event, MenuInput):
            self._held = self._held and event.repeated
            return self._held
        return False

    def _drop(self, cell: Cell) -> None:
        self._change(lambda: self.page.drop(cell[0].name, cell[1]))

    def _change(self, make: Callable[[], str]) -> None:
        try:
            told = make()
        except KeyBindingsError as error:
            told = str(error)
        self.engine.sound.play("accept")
        if told:
            self.engine.say(told)
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
    """What is in each other's way, and below it what there is to know of keyboards."""

    def __init__(self, rect: pygame.Rect, tell: Callable[[], tuple[str, str]], *, focusable: bool) -> None:
        super().__init__(rect)
        self._tell = tell
        self.focusable = focusable  # only where pages are enlarged: then it must be brought into sight

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        warnings, apart = self._tell()
        theme.draw_panel(canvas, self.rect)
        inside = self.rect.inflate(-36, -28)
        words, colour = (
            warnings or "Nothing is in the way of anything else.",
            theme.WARNING if warnings else theme.MUTED,
        )
        picture = theme.paragraph(words, width=inside.w, size=theme.SMALL, colour=colour)
        below = theme.paragraph(apart, width=inside.w, size=15, colour=theme.MUTED)
        canvas.blit(picture, inside, (0, 0, inside.w, inside.h - below.get_height() - theme.GAP))
        canvas.blit(below, below.get_rect(bottomleft=inside.bottomleft))
        if focused:
            theme.draw_focus(canvas, self.rect)


def _draw_question(canvas: pygame.Surface, words: str, asks: str) -> None:
    lines = (
        (words, theme.scaled(theme.LARGE), theme.INK),
        (asks, theme.scaled(theme.BODY), theme.INK),
        ("Esc, or wait: leave it as it is", theme.scaled(theme.SMALL), theme.MUTED),
    )
    middle = canvas.get_rect().center
    width = min(canvas.get_width() - 40, theme.scaled(600))
    box = pygame.Rect(0, 0, width, theme.scaled(180))
    box.center = middle
    theme.draw_panel(canvas, box, edge=theme.FOCUS)
    for place, (line, size, colour) in enumerate(lines):
        at = (box.centerx, box.top + (place + 1) * box.h // 4)
        theme.draw_text(canvas, line, at, size=size, colour=colour, bold=not place, anchor="center", width=width - 40)


def _takes_off(event: InputEvent) -> bool:
    if isinstance(event, KeyInput):
        return event.pressed and event.name == "delete"
    return isinstance(event, ControlInput) and event.pressed and event.control == "x" and event.device.kind == "gamepad"
