"""Words, plates and buttons."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.widgets.base import Area, Widget, draw_ring

Press = Callable[[], None]


class Label(Widget):
    """A line of text; `anchor` says which point of the text lies on that point of the rectangle."""

    focusable = False

    def __init__(
        self,
        rect: Area,
        words: str = "",
        *,
        size: int = theme.BODY,
        colour: theme.Colour | None = None,
        bold: bool = False,
        anchor: str = "midleft",
    ) -> None:
        super().__init__(rect)
        self.words, self.size, self.colour, self.bold, self.anchor = words, size, colour, bold, anchor

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        theme.draw_text(
            canvas,
            self.words,
            getattr(self.rect, self.anchor),
            size=self.size,
            colour=self.colour,
            bold=self.bold,
            anchor=self.anchor,
            width=self.rect.w,
        )


class Button(Widget):
    """Does `press` on accept, start or a click."""

    def __init__(
        self,
        rect: Area,
        words: str,
        press: Press,
        *,
        primary: bool = False,
        enabled: bool = True,
        hint: str = "",
        size: int = theme.BODY,
    ) -> None:
        super().__init__(rect, enabled=enabled)
        self.words, self.press, self.primary, self.hint, self.size = words, press, primary, hint, size

    def menu(self, event: MenuInput) -> bool:
        if event.action != "accept" or event.repeated:
            return False
        self.press()
        return True

    def pointer(self, event: PointerInput) -> bool:
        if event.kind != "press" or event.button != 1:
            return False
        self.press()
        return True

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        fill = theme.ORANGE if self.primary else theme.RAISED
        ink = theme.GROUND if self.primary else theme.INK
        if not self.enabled:
            fill, ink = theme.GROUND, theme.FAINT
        theme.draw_panel(canvas, self.rect, fill=fill, edge=None if self.enabled else theme.RAISED)
        theme.draw_text(
            canvas,
            self.words,
            self.rect.center,
            anchor="center",
            width=self.rect.w - 16,
            size=self.size,
            colour=ink,
            bold=True,
        )
        if focused:
            draw_ring(canvas, self.rect, over=self.primary)


class Panel(Widget):
    """A plate behind other widgets, with a title."""

    focusable = False

    def __init__(self, rect: Area, title: str = "") -> None:
        super().__init__(rect)
        self.title = title

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        theme.draw_panel(canvas, self.rect)
        if self.title:
            at = (self.rect.left + 20, self.rect.top + 16)
            theme.draw_text(canvas, self.title, at, size=theme.LARGE, bold=True, width=self.rect.w - 40)
