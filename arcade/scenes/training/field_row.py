"""FieldRow: a row of the form of a new run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pygame

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import FormRow
from arcade.engine.ui.theme import Size, Theme
from arcade.language import _
from arcade.session.training.field_hints import shown_hint
from arcade.session.training.field_titles import shown_title
from arcade.session.training.form import Form, as_text, stepped
from arcade.session.training.schema import SettingField


class FieldRow(FormRow):
    """Left and right step through choices and numbers; accept or a click opens a text entry."""

    def __init__(self, field: SettingField, form: Form, *, entry: Callable[[SettingField], None]) -> None:
        """`entry` opens the text entry of a field."""
        super().__init__(shown_title(field.title), key="/".join(field.path), hint=shown_hint(field.hint))
        self.field, self._form, self._entry = field, form, entry
        self._arrow = 1  # width in pixels of each side that a click steps on

    @property
    def value(self) -> Any:
        return self._form.value(self.field)

    @property
    def value_text(self) -> str:
        if self.field.kind == "toggle":
            return _("On") if self.value else _("Off")
        return as_text(self.value) or _("none")

    @property
    def error(self) -> str:
        return self._form.errors.get(self.field.path, "")

    @property
    def spoken(self) -> str:
        return f"{super().spoken}. {self.error}" if self.error else super().spoken

    def natural(self, theme: Theme, width: int) -> Size:
        wide, high = super().natural(theme, width)
        return wide, high + (theme.line_height(themes.SMALL) if self.error else 0)

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
        side, x = self._side, event.pos[0]
        at_arrow = self._steps and (side.left <= x <= side.left + self._arrow or x >= side.right - self._arrow)
        if not event.is_click or not at_arrow:
            return event.is_click and self.pressed()
        self.step(-1 if x <= side.left + self._arrow else 1)
        return True

    def pressed(self) -> bool:
        if self.field.kind in ("toggle", "choice"):
            self.step(1)
        else:
            self._entry(self.field)
        return True

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        whole, low = self.rect, theme.line_height(themes.SMALL)
        if self.error:
            self.rect = pygame.Rect(whole.left, whole.top, whole.w, whole.h - low)
        super().draw(canvas, theme)
        if self.error:
            self.rect = whole
            at, colour = (whole.left + theme.px(16), whole.bottom), theme.colours.warning
            width = whole.w - theme.px(32)
            theme.draw_text(canvas, self.error, at, width=width, size=themes.SMALL, colour=colour, anchor="bottomleft")

    def draw_value(self, canvas: pygame.Surface, theme: Theme, side: pygame.Rect) -> None:
        self._arrow = theme.px(44)
        is_changed = self.field.path in self._form.changed
        room = side.w - 2 * self._arrow
        theme.draw_text(
            canvas, self.value_text, side.center, anchor="center", bold=is_changed, width=room, height=side.h
        )
        for x, way in ((side.left + theme.px(16), -1), (side.right - theme.px(16), 1)) if self._steps else ():
            tip, base, half = (x + way * theme.px(7), side.centery), x - way * theme.px(5), theme.px(9)
            corners = [tip, (base, side.centery - half), (base, side.centery + half)]
            pygame.draw.polygon(canvas, theme.colours.ink, corners)

    @property
    def _steps(self) -> bool:
        return self.field.kind in ("toggle", "choice", "number")
