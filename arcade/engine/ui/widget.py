"""Widget: a rectangle of a screen that measures, arranges and draws itself; the base of the layout kit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pygame

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui.theme import Size, Theme

AMPLE = 10_000
"""Units of width that are never short."""


class Widget:
    """A rectangle of a screen.  A leaf defines `natural` and `draw`, a focusable one `pressed` or `menu` as well."""

    focusable = False
    is_apart = False  # the focus never comes here by passing the other end of the page
    hint = ""  # a sentence for the foot of the screen while the widget has the focus
    label = ""  # names the widget when it is read aloud, and keeps the focus on it when the tree is built again
    key = ""  # as `label`, where several widgets have the same one
    has_sound = False  # it is heard when it is pressed, without the sound of a choice

    def __init__(self, *, grow: float = 0.0, enabled: bool = True) -> None:
        self.grow = grow  # share of the spare room in its Row or Column; 0: its natural size
        self.enabled = enabled
        self.focused = False
        self.rect = pygame.Rect(0, 0, 0, 0)
        self._measured: dict[tuple[object, ...], Size] = {}

    @property
    def children(self) -> Sequence[Widget]:
        """The widgets inside."""
        return ()

    def natural(self, theme: Theme, width: int) -> Size:
        """Return the size in pixels that the widget wants within `width`."""
        return 0, 0

    def least(self, theme: Theme) -> int:
        """Return the width in pixels below which a Row puts its children one below the other."""
        return min(self.measure(theme, theme.px(AMPLE))[0], theme.px(160))

    def measure(self, theme: Theme, width: int) -> Size:
        """Return `natural`, computed once for each pass of the layout."""
        key = theme, width
        if key not in self._measured:
            self._measured[key] = self.natural(theme, width)
        return self._measured[key]

    def least_height(self, theme: Theme, width: int) -> int:
        """Return the height in pixels that it needs where there is less room than it wants."""
        return self.measure(theme, width)[1]

    def forget(self) -> None:
        """Begin a new pass: the tree's contents may have changed."""
        self._measured.clear()
        for child in self.children:
            child.forget()

    def arrange(self, theme: Theme, rect: pygame.Rect) -> None:
        """Take the rectangle, and place the children in it."""
        self.rect = pygame.Rect(rect)

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        """Draw the widget, and the focus ring if it has the focus."""
        for child in self.children:
            if child.rect.colliderect(canvas.get_clip()):
                child.draw(canvas, theme)

    def pressed(self) -> bool:
        """Act on accept or a click; return whether the widget did."""
        return False

    def menu(self, event: MenuInput) -> bool:
        """Handle a menu step while focused; return whether the widget used it."""
        return event.is_accept and self.pressed()

    def jump(self, *, to_end: bool) -> bool:
        """Go to the first or last of many things on Home and End while focused; return whether the widget did."""
        return False

    def pointer(self, event: PointerInput) -> bool:
        """Handle a mouse event over the widget; return whether the widget used it."""
        return event.is_click and self.pressed()

    def leave(self) -> None:
        """The mouse, of which the widget used an event, now points elsewhere."""

    @property
    def attention(self) -> pygame.Rect:
        """The part to keep in view while focused, where the whole does not fit."""
        return self.rect

    @property
    def spoken(self) -> str:
        """What the narrator reads when the widget gets the focus."""
        return self.label

    @property
    def can_focus(self) -> bool:
        return self.focusable and self.enabled

    def walk(self) -> Iterator[Widget]:
        """Yield the widget and all below it, in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def at(self, pos: tuple[int, int]) -> Iterator[Widget]:
        """Yield the widgets under a place of the canvas, the innermost first."""
        if self.rect.collidepoint(pos):
            for child in reversed(self.children):
                yield from child.at(pos)
            yield self

    def reveal(self, target: Widget) -> bool:
        """Scroll what is needed to show `target`; return whether it is this widget or below it."""
        return self is target or any(child.reveal(target) for child in self.children)
