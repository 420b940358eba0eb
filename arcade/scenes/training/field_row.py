"""FieldRow: one setting in the form, with its error below its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pygame

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Widget
from arcade.session.training.form import Form, as_text, stepped
from arcade.session.training.schema import SettingField

ARROWS = 34  # width of each side that a click steps on


class FieldRow(Widget):
    """Left and right step through choices and numbers; accept or a click opens a text entry."""

    def __init__(
        self, rect: pygame.Rect, field: SettingField, form: Form, *, entry: Callable[[SettingField], None]
    ) -> None:
        """`entry` opens the text entry of a field."""
        super().__init__(rect)
        self.field, self._form, self._entry = field, form, entry
        self.label = field.title
        self.hint = "Left, right: change" + ("" if field.kind in ("toggle", "choice") else "    Enter, A: type a value")
        if not self._steps:
            self.hint = "Enter, A or click: type a value"

    @property
    def value(self) -> Any:
        return self._form.value(self.field)

    @property
    def error(self) -> str:
        return self._form.errors.get(self.field.path, "")

    def step(self, way: int) -> None:
        """Select the next value; None precedes the first choice where it is allowed."""
        field = self.field
        if field.kind == "toggle":
            self._form.set(field, not self.value)
        elif field.kind == "choice":
            options = [*([None] if field.optional else []), *field.options]
            place = options.index(self.value) if self.value in options else 0
            self._form.set(field, options[(place + way) % len(options)])
        elif field.kind == "number":
            self._form.set(field, stepped(field, self.value, way))

    def menu(self, event: MenuInput) -> bool:
        way = {"left": -1, "right": 1}.get(event.action, 0)
        if way and self._steps:
            self.step(way)
            return True
        if event.action == "accept" and not event.repeated:
            self._press()
            return True
        return False

    def pointer(self, event: PointerInput) -> bool:
        if event.kind != "press" or event.button != 1:
            return False
        area = self._value_rect()
        if self._steps and area.left <= event.pos[0] <= area.left + ARROWS:
            self.step(-1)
        elif self._steps and event.pos[0] >= area.right - ARROWS:
            self.step(1)
        else:
            self._press()
        return True

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        edge = theme.WARNING if self.error else None
        theme.draw_panel(canvas, self.rect, fill=theme.RAISED, edge=edge)
        left, width = self.rect.left + 16, self.rect.w // 2 - 24
        if self.error:
            theme.draw_text(canvas, self.label, (left, self.rect.top + 2), width=width, size=theme.SMALL)
            theme.draw_text(
                canvas, self.error, (left, self.rect.bottom - 3), size=16, colour=theme.WARNING, anchor="bottomleft",
                width=self.rect.w - 32,
            )  # fmt: skip
        else:
            theme.draw_text(canvas, self.label, (left, self.rect.centery), anchor="midleft", width=width)
        self._draw_value(canvas)
        if focused:
            theme.draw_focus(canvas, self.rect)

    def _draw_value(self, canvas: pygame.Surface) -> None:
        area, changed = self._value_rect(), self.field.path in self._form.changed
        words = {True: "On", False: "Off"}[bool(self.value)] if self.field.kind == "toggle" else as_text(self.value)
        colour = theme.INK if words else theme.FAINT
        at = (area.centerx, area.centery if not self.error else self.rect.top + 14)
        look = {"anchor": "center", "bold": changed, "width": area.w - 2 * ARROWS - 8}
        theme.draw_text(canvas, words or "none", at, colour=colour, **look)  # type: ignore[arg-type]
        if self._steps:
            for x, side in ((area.left + ARROWS // 2, -1), (area.right - ARROWS // 2, 1)):
                y = at[1]
                points = [(x + 6 * side, y), (x - 5 * side, y - 8), (x - 5 * side, y + 8)]
                pygame.draw.polygon(canvas, theme.INK, points)

    @property
    def _steps(self) -> bool:
        return self.field.kind in ("toggle", "choice", "number")

    def _press(self) -> None:
        if self.field.kind in ("toggle", "choice"):
            self.step(1)
        else:
            self._entry(self.field)

    def _value_rect(self) -> pygame.Rect:
        return pygame.Rect(self.rect.centerx, self.rect.top, self.rect.w // 2, self.rect.h)
