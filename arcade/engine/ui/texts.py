"""Label, Paragraph, Picture: what a screen shows without the focus; ReadLine: what is read with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pygame

from arcade.engine.ui import theme as themes
from arcade.engine.ui.layout import Align
from arcade.engine.ui.theme import Colour, Size, Theme
from arcade.engine.ui.widget import Widget

Text = str | Callable[[], str]
"""A text, or a function that is asked for it in each frame."""


def text_of(text: Text) -> str:
    """Return the present text."""
    return text if isinstance(text, str) else text()


class Label(Widget):
    """A line of text, or two where it does not fit into one.

    `colour` names a field of the palette, or is a colour itself.
    """

    def __init__(
        self, text: Text, *, size: float = themes.BODY, colour: str | Colour = "ink", bold: bool = False,
        align: Align = "start", grow: float = 0.0, keep_end: bool = False, least: float = 160,
    ) -> None:  # fmt: skip
        super().__init__(grow=grow)
        self.text, self.size, self.colour, self.bold = text, size, colour, bold
        self.align, self.keep_end, self._least = align, keep_end, least

    @property
    def label(self) -> str:  # type: ignore[override]
        return text_of(self.text)

    def natural(self, theme: Theme, width: int) -> Size:
        text, line = text_of(self.text), theme.line_height(self.size)
        wide, _ = theme.font(self.size, bold=self.bold).size(text)
        size, wraps = theme.fit(text, width=width, height=2 * line, size=self.size, bold=self.bold)
        if not wraps:
            return min(wide, width), line
        return width, theme.paragraph(text, width=width, size=size, bold=self.bold).get_height()

    def least(self, theme: Theme) -> int:
        wide, _ = theme.font(self.size, bold=self.bold).size(text_of(self.text))
        return min(wide, theme.px(self._least))

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        anchor = {"start": "midleft", "centre": "center", "end": "midright", "stretch": "midleft"}[self.align]
        side = {"centre": pygame.FONT_CENTER, "end": pygame.FONT_RIGHT}.get(self.align, pygame.FONT_LEFT)
        look: dict[str, Any] = {"size": self.size, "colour": colour_of(theme, self.colour), "bold": self.bold}
        width, height = max(1, self.rect.w), self.rect.h
        picture = theme.fitted(self.label, width=width, height=height, keep_end=self.keep_end, align=side, **look)
        canvas.blit(picture, picture.get_rect(**{anchor: getattr(self.rect, anchor)}))


class Paragraph(Widget):
    """Text broken into lines; `lines` limits their number."""

    def __init__(
        self, text: Text, *, size: float = themes.BODY, colour: str | Colour = "ink", bold: bool = False,
        grow: float = 0.0, least: float = 200, align: Align = "start", lines: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(grow=grow)
        self.text, self.size, self.colour, self.bold = text, size, colour, bold
        self.align, self._least, self.lines = align, least, lines

    @property
    def label(self) -> str:  # type: ignore[override]
        return text_of(self.text)

    def natural(self, theme: Theme, width: int) -> Size:
        text = text_of(self.text)
        if not text:
            return 0, 0
        wide, high = self._picture(theme, text, width).get_size()
        return wide, min(high, self.lines * theme.line_height(self.size)) if self.lines else high

    def least(self, theme: Theme) -> int:
        wide, _ = theme.font(self.size, bold=self.bold).size(text_of(self.text))
        return min(wide, theme.px(self._least))

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        if text := text_of(self.text):
            picture = self._picture(theme, text, self.rect.w)
            left = {"centre": (self.rect.w - picture.get_width()) // 2, "end": self.rect.w - picture.get_width()}
            at = self.rect.left + left.get(self.align, 0), self.rect.top
            if picture.get_height() > self.rect.h + theme.line_height(self.size) // 2:
                themes.clipped_texts.append(text)
            canvas.blit(picture, at, (0, 0, picture.get_width(), max(self.rect.h, theme.line_height(self.size))))

    def _picture(self, theme: Theme, text: str, width: int) -> pygame.Surface:
        colour = colour_of(theme, self.colour)
        return theme.paragraph(text, width=width, size=self.size, colour=colour, bold=self.bold)


class Picture(Widget):
    """A part of the screen that `paint(canvas, theme, rect)` draws, `width` x `height` units; it may grow."""

    def __init__(
        self, paint: Callable[[pygame.Surface, Theme, pygame.Rect], object], *, width: float, height: float,
        grow: float = 0.0, least: float = 0, label: str = "",
    ) -> None:  # fmt: skip
        super().__init__(grow=grow)
        self.paint, self.width, self.height, self._least, self.label = paint, width, height, least, label

    def natural(self, theme: Theme, width: int) -> Size:
        return min(width, theme.px(self.width)), theme.px(self.height)

    def least(self, theme: Theme) -> int:
        return theme.px(self._least or min(self.width, 240))

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        self.paint(canvas, theme, self.rect)


def colour_of(theme: Theme, colour: str | Colour) -> Colour:
    """Return a colour by its name in the palette, "team 1" … for the teams', or itself."""
    if not isinstance(colour, str):
        return colour
    if colour.startswith("team "):
        return theme.team_colour(int(colour[5:]) - 1)
    found: Colour = getattr(theme.colours, colour)
    return found


def text_rect(shown: Label | Paragraph, theme: Theme) -> pygame.Rect:
    """Return the part of the widget that its text covers."""
    wide = min(shown.rect.w, theme.font(shown.size, bold=shown.bold).size(shown.label)[0])
    side = {"centre": "midtop", "end": "topright"}.get(shown.align, "topleft")
    rect = pygame.Rect(0, 0, wide, shown.rect.h)
    setattr(rect, side, getattr(shown.rect, side))
    return rect


class ReadLine(Widget):
    """Before a class of texts: its lines can have the focus, so that the page scrolls to them without a mouse."""

    focusable = True

    def pressed(self) -> bool:
        return True

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        super().draw(canvas, theme)
        if self.focused:
            theme.draw_focus(canvas, self.rect)
