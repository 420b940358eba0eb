"""What every widget can do."""

from __future__ import annotations

import pygame

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme

Area = pygame.Rect | tuple[int, int, int, int]


class Widget:
    """Something in a rectangle.  `focusable` ones can be the target of the next press."""

    focusable = True

    def __init__(self, rect: Area, *, enabled: bool = True) -> None:
        self.rect = pygame.Rect(rect)
        self.enabled = enabled
        self.hint = ""  # a sentence for the foot of the screen while it has the focus

    def menu(self, event: MenuInput) -> bool:
        """A menu step while it has the focus; True where it used it."""
        return False

    def pointer(self, event: PointerInput) -> bool:
        """A mouse event over it; True where it used it."""
        return False

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        """Draw it; `focused` with the focus ring."""

    @property
    def attention(self) -> pygame.Rect:
        """The part that must be seen while it has the focus, where not all of it can be."""
        return self.rect


def beginning(row: pygame.Rect) -> pygame.Rect:
    """Of a wide row where it is read from: narrow enough for a page at three times its size, which shows 426 pixels."""
    return pygame.Rect(row.topleft, (min(row.w, 400), row.h))


def draw_ring(canvas: pygame.Surface, rect: pygame.Rect, *, over: bool = False) -> None:
    """The focus ring; `over` what has the focus colour itself, a second ring tells it apart."""
    theme.draw_focus(canvas, rect)
    if over:
        pygame.draw.rect(canvas, theme.GROUND, rect.inflate(-6, -6), width=2, border_radius=theme.RADIUS - 3)
