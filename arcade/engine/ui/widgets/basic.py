"""The base of all widgets, and buttons."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme

Area = pygame.Rect | tuple[int, int, int, int]
Press = Callable[[], object]

UNPLACED = pygame.Rect(0, 0, 0, 0)  # of a widget before `column` places it


class Widget:
    """A control in a rectangle.  Focusable widgets can be the target of the next press."""

    focusable = True

    def __init__(self, rect: Area, *, enabled: bool = True) -> None:
        self.rect = pygame.Rect(rect)
        self.enabled = enabled
        self.hint = ""  # a sentence for the foot of the screen while the widget has the focus

    def pressed(self) -> bool:
        """Act on accept or a click; return whether the widget did."""
        return False

    def menu(self, event: MenuInput) -> bool:
        """Handle a menu step while focused; return whether the widget used it."""
        return event.is_accept and self.pressed()

    def pointer(self, event: PointerInput) -> bool:
        """Handle a mouse event over the widget; return whether the widget used it."""
        return event.is_click and self.pressed()

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        """Draw the widget; `focused` with the focus ring."""

    @property
    def attention(self) -> pygame.Rect:
        """The part to keep in view while focused, where the whole does not fit."""
        return self.rect


class PaintedWidget(Widget):
    """A widget with a cached picture, painted again for other values of `shown`, another size and another theme."""

    _picture: pygame.Surface | None = None
    _painted: tuple[object, ...] = ()  # what the picture depends on
    drawn = 0  # counts the pictures

    @property
    def shown(self) -> object:
        """The values in the picture."""
        return None

    def paint(self) -> pygame.Surface:
        """Make the picture."""
        raise NotImplementedError

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        wanted = self.shown, theme.version, self.rect.size
        if self._picture is None or self._painted != wanted:
            self._picture, self._painted = self.paint(), wanted
            self.drawn += 1
        canvas.blit(self._picture, self.rect)
        if focused:
            theme.draw_focus(canvas, self.rect)


class Button(Widget):
    """Calls `press` on accept or a click."""

    def __init__(
        self, rect: Area, label: str, press: Press, *,
        primary: bool = False, enabled: bool = True, hint: str = "", size: int = theme.BODY,
    ) -> None:  # fmt: skip
        super().__init__(rect, enabled=enabled)
        self.label, self.press, self.primary, self.hint, self.size = label, press, primary, hint, size

    def pressed(self) -> bool:
        self.press()
        return True

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        fill = theme.ORANGE if self.primary else theme.RAISED
        ink = theme.GROUND if self.primary else theme.INK
        if not self.enabled:
            fill, ink = theme.GROUND, theme.FAINT
        theme.draw_panel(canvas, self.rect, fill=fill, edge=None if self.enabled else theme.RAISED)
        at, width = self.rect.center, self.rect.w - 16
        theme.draw_text(canvas, self.label, at, anchor="center", width=width, size=self.size, colour=ink, bold=True)
        if focused:
            theme.draw_focus(canvas, self.rect, over=self.primary)


def column(widgets: Sequence[Widget], first: pygame.Rect, *, gap: int = 8, bottom: int | None = None) -> list[Widget]:
    """Place the widgets one below the other, with less height where they would reach below `bottom`."""
    step = first.h + gap
    if bottom is not None:
        step = min(step, (bottom + gap - first.top) // max(1, len(widgets)))
    for place, widget in enumerate(widgets):
        widget.rect = pygame.Rect(first.left, first.top + place * step, first.w, step - gap)
    return list(widgets)
