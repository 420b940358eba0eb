"""FieldRow: one setting in the form, with its error below its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pygame

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Row
from arcade.engine.ui.widgets.rows import draw_arrows
from arcade.session.training.form import Form, as_text, stepped
from arcade.session.training.schema import SettingField

ARROWS = 34  # width of each side that a click steps on


class FieldRow(Row):
    """Left and right step through choices and numbers; accept or a click opens a text entry."""

    def __init__(
        self, rect: pygame.Rect, field: SettingField, form: Form, *, entry: Callable[[SettingField], None]
    ) -> None:
        """`entry` opens the text entry of a field."""
        super().__init__(rect, field.title)
        self.field, self._form, self._entry = field, form, entry
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
        return event.is_accept and self.pressed()

    def pointer(self, event: PointerInput) -> bool:
        area, x = self.value_side, event.pos[0]
        at_arrow = self._steps and (area.left <= x <= area.left + ARROWS or x >= area.right - ARROWS)
        if not event.is_click or not at_arrow:
            return event.is_click and self.pressed()
        self.step(-1 if x <= area.left + ARROWS else 1)
        return True

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        if not self.error:
            super().draw(canvas, focused=focused)
            return
        rect, left = self.rect, self.rect.left + 16
        theme.draw_panel(canvas, rect, fill=theme.RAISED, edge=theme.WARNING)
        theme.draw_text(canvas, self.label, (left, rect.top + 2), width=self.label_width, size=theme.SMALL)
        look: dict[str, Any] = {"size": 16, "colour": theme.WARNING, "anchor": "bottomleft"}
        theme.draw_text(canvas, self.error, (left, rect.bottom - 3), width=rect.w - 32, **look)
        self.draw_value(canvas)
        if focused:
            theme.draw_focus(canvas, rect)

    def draw_value(self, canvas: pygame.Surface) -> None:
        area = self.value_side
        if self.error:
            area.h = 28
        text = {True: "On", False: "Off"}[bool(self.value)] if self.field.kind == "toggle" else as_text(self.value)
        look: dict[str, Any] = {"anchor": "center", "bold": self.field.path in self._form.changed}
        colour = theme.INK if text else theme.FAINT
        theme.draw_text(canvas, text or "none", area.center, colour=colour, width=area.w - 2 * ARROWS - 8, **look)
        if self._steps:
            draw_arrows(canvas, area)

    def pressed(self) -> bool:
        if self.field.kind in ("toggle", "choice"):
            self.step(1)
        else:
            self._entry(self.field)
        return True

    @property
    def _steps(self) -> bool:
        return self.field.kind in ("toggle", "choice", "number")
