"""Questions: yes or no, one of a list, and a line of text; and the message of an error."""

from __future__ import annotations

import pygame

from agents.errors import UserError
from arcade.engine.input.events import InputEvent, KeyInput, PointerInput, TextInput
from arcade.engine.ui import theme
from arcade.engine.ui.menus import ListMenu
from arcade.engine.ui.widgets import Button, Widget
from arcade.engine.window.scene import Host
from arcade.scenes import routes
from arcade.scenes.screen import Dialog, Screen
from arcade.session.services import Services

BOX = pygame.Rect(390, 90, 500, 560)
MOST = 9
"""Rows shown at once."""
ENTRY = pygame.Rect(180, 110, 920, 520)
KEY = pygame.Rect(ENTRY.left + 40, ENTRY.top + 176, 76, 48)
ROWS = ("1234567890", "qwertyuiop", "asdfghjkl-", "zxcvbnm._/", "@:,=+*[]{}")


class ConfirmScene(Dialog):
    """Calls `then` on `yes`; the focus begins on the other answer."""

    box = pygame.Rect(340, 220, 600, 260)
    margin = 40, 30

    def __init__(self, services: Services, route: routes.Confirm) -> None:
        super().__init__(services, route)
        self.heading, self.detail, self._yes, self._then = route.question, route.detail, route.yes, route.then

    def widgets(self) -> list[Widget]:
        rect = pygame.Rect(self.box.left + 40, self.box.bottom - 84, 250, 54)
        return [
            Button(rect, "No", self.back, hint="Change nothing"),
            Button(rect.move(270, 0), self._yes, self._agree, primary=True, hint=self.detail),
        ]

    def draw_page(self, canvas: pygame.Surface) -> None:
        picture = theme.paragraph(self.detail, width=self.box.w - 80, colour=theme.MUTED)
        canvas.blit(picture, (self.box.left + 40, self.box.top + 80))

    def _agree(self) -> None:
        self.engine.pop()
        self._then()


class PickScene(Dialog):
    """`done` gets the index of the option picked; Esc, B and a click beside the list cancel."""

    margin = 30, 24

    def __init__(self, services: Services, route: routes.Pick) -> None:
        super().__init__(services, route)
        self.heading, self._done = route.title, route.done
        rows = min(MOST, len(route.options))
        self.box = pygame.Rect(BOX.left, 0, BOX.w, 108 + rows * ListMenu.ROW)
        self.box.centery = BOX.centery
        area = pygame.Rect(BOX.left + 30, self.box.top + 78, BOX.w - 60, rows * ListMenu.ROW)
        self._list = ListMenu(area, route.options, pick=self._pick, index=route.index, hint="Choose it")

    def widgets(self) -> list[Widget]:
        return [self._list]

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, PointerInput) and event.kind == "press" and not self.box.collidepoint(event.pos):
            self.back()
            return None
        return super().handle(event)

    def _pick(self, index: int) -> None:
        self.engine.pop()
        self._done(index)


class TextEntryScene(Dialog):
    """`done` gets the text, and may refuse it by an error; Esc, B and Cancel drop it."""

    legend = "Type, or choose keys    {enter} on Done: accept    {esc} or {b}: cancel"
    box = ENTRY

    def __init__(self, services: Services, route: routes.EnterText) -> None:
        super().__init__(services, route)
        self.heading, self.value, self.hint = route.title, route.value, route.hint
        self._done, self._limit, self._capitals = route.done, route.limit, False

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        engine.text_entry = True

    def leave(self) -> None:
        self.engine.text_entry = False

    def widgets(self) -> list[Widget]:
        presses = {
            "Done": self._accept, "Cancel": self.back, "Delete": self._delete, "Clear": self._clear,
            "Space": lambda: self._add(" "), "Capitals": self._change_case,
        }  # fmt: skip
        first = pygame.Rect(ENTRY.left + 40, ENTRY.bottom - 72, 130, 50)
        last = [
            Button(first.move(place * 142, 0), label, press, primary=not place)
            for place, (label, press) in enumerate(presses.items())
        ]
        return [*last, *(self._key(row, place) for row in range(len(ROWS)) for place in range(10))]

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, TextInput):
            self._add(event.text)
            self.focus.focus(self.focus.widgets[0])  # typed text ends with Enter
        elif isinstance(event, KeyInput) and event.pressed and event.name == "backspace":
            self._delete()
        else:
            return super().handle(event)
        return None

    def draw_page(self, canvas: pygame.Surface) -> None:
        left, width = ENTRY.left + 40, ENTRY.w - 80
        theme.draw_text(canvas, self.hint, (left, ENTRY.top + 66), size=theme.SMALL, colour=theme.MUTED, width=width)
        field = pygame.Rect(left, ENTRY.top + 100, width, 56)
        pygame.draw.rect(canvas, theme.GROUND, field, border_radius=8)
        picture = theme.text(self.value, bold=True)
        room = field.inflate(-32, 0)
        shown = pygame.Rect(max(0, picture.get_width() - room.w), 0, room.w, picture.get_height())  # its end
        canvas.blit(picture, (room.left, field.centery - picture.get_height() // 2), shown)
        end = room.left + min(picture.get_width(), room.w) + 3
        pygame.draw.line(canvas, theme.INK, (end, field.top + 12), (end, field.bottom - 13), 2)

    def _key(self, row: int, place: int) -> Button:
        letter = ROWS[row][place].upper() if self._capitals else ROWS[row][place]
        rect = KEY.move(place * (KEY.w + 8), row * (KEY.h + 6))
        return Button(rect, letter, lambda: self._add(letter))

    def _add(self, text: str) -> None:
        self.value = (self.value + "".join(c for c in text if c.isprintable()))[: self._limit]

    def _delete(self) -> None:
        self.value = self.value[:-1]

    def _clear(self) -> None:
        self.value = ""

    def _change_case(self) -> None:
        self._capitals = not self._capitals
        self.rebuild(keep=5)

    def _accept(self) -> None:
        self.engine.pop()
        try:
            self._done(self.value.strip())
        except (UserError, ValueError) as error:
            self.engine.say(str(error))
            self.engine.sound.play("warning")
            self.engine.push(self)  # to correct the text


LINES = 14
"""Lines shown of the traceback, the last ones."""


class ErrorScene(Screen):
    """Shown where a scene raises; a StageError has the game's name and the traceback of its process."""

    read_first = True
    grace = 0.5

    def __init__(self, services: Services, route: routes.Failed) -> None:
        super().__init__(services, route)
        self.error = error = route.error
        game = getattr(error, "game", "")
        self.heading = f"{game} stopped" if game else "Something went wrong"
        self.message = str(getattr(error, "message", "") or error) or type(error).__name__
        details = getattr(error, "details", "") if game else ("" if isinstance(error, UserError) else route.details)
        self.lines = str(details).rstrip().splitlines()[-LINES:]

    def widgets(self) -> list[Widget]:
        rects = [pygame.Rect(theme.MARGIN + place * 324, 600, 300, 60) for place in range(3)]
        return [
            Button(rects[0], "Title", self.back, primary=True, hint="Back to the title"),
            Button(rects[1], "Games", self._games, enabled=self.services.ready, hint="Choose another game"),
            Button(rects[2], "Quit", self.engine.quit, hint="Close the arcade"),
        ]

    def back(self) -> None:
        self.engine.reset_to(routes.Title())

    def draw_page(self, canvas: pygame.Surface) -> None:
        picture = theme.paragraph(self.message, width=1200, colour=theme.WARNING)
        at = canvas.blit(picture, (theme.MARGIN, 96))
        if self.lines:
            area = pygame.Rect(theme.MARGIN, at.bottom + 20, 1200, 24 * len(self.lines) + 32)
            theme.draw_panel(canvas, area)
            for place, line in enumerate(self.lines):
                where = (area.left + 20, area.top + 16 + place * 24)
                theme.draw_text(canvas, line, where, size=theme.SMALL, colour=theme.MUTED, width=area.w - 40)

    def _games(self) -> None:
        self.back()
        self.engine.push(routes.Games())
