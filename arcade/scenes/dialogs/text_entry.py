"""Text entry: a line of text, typed on a keyboard or, by gamepad or mouse, on the screen."""

from __future__ import annotations

import pygame

from agents.errors import UserError
from arcade.engine.input.events import InputEvent, KeyInput, TextInput
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Widget
from arcade.engine.window.scene import Host
from arcade.scenes import routes
from arcade.scenes.screen import Dialog
from arcade.session.services import Services

BOX = pygame.Rect(180, 110, 920, 520)
KEY = pygame.Rect(BOX.left + 40, BOX.top + 176, 76, 48)
ROWS = ("1234567890", "qwertyuiop", "asdfghjkl-", "zxcvbnm._/", "@:,=+*[]{}")


class TextEntryScene(Dialog):
    """`done` gets the text, and may refuse it by an error; Esc, B and Cancel drop it."""

    legend = "Type, or choose keys    {enter} on Done: accept    {esc} or {b}: cancel"
    box = BOX

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
        first = pygame.Rect(BOX.left + 40, BOX.bottom - 72, 130, 50)
        last = [
            Button(first.move(place * 142, 0), words, press, primary=not place)
            for place, (words, press) in enumerate(presses.items())
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
        left, width = BOX.left + 40, BOX.w - 80
        theme.draw_text(canvas, self.hint, (left, BOX.top + 66), size=theme.SMALL, colour=theme.MUTED, width=width)
        field = pygame.Rect(left, BOX.top + 100, width, 56)
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
