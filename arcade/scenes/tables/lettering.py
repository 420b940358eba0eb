"""Text on game tables, sized by the user's text scale and the space.

A table measures in units of the window at scale 1, so that its picture keeps its room at each scale; its text grows
with the scale as far as it fits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import pygame

from arcade.engine.ui import theme as themes
from arcade.engine.ui.theme import Colour, Size, Theme, unit_for

MOST = 2.4  # largest growth of text that is already large at scale 1, as in the bars of a match
STEPS = 50  # a unit of a small area is a whole number of fiftieths of a pixel, so that few themes are made


def table_theme(theme: Theme, size: Size, least: Size) -> Theme:
    """Return the theme of a table of that size in pixels, with smaller units where `least` units do not fit."""
    whole = unit_for(theme.window, 1.0)
    fitting = min([room / wanted for room, wanted in zip(size, least, strict=True) if wanted], default=whole)
    return _with_unit(theme, whole if fitting >= whole else max(1, int(fitting * STEPS)) / STEPS)


@lru_cache(16)
def _with_unit(theme: Theme, unit: float) -> Theme:
    return Theme(theme.palette, window=theme.window, scale=theme.scale, unit=unit)


def grown(theme: Theme, size: float, *, most: float = MOST) -> int:
    """Scale a size in units by the user's scale, at most by `most`."""
    return round(size * min(theme.scale, most))


def units(theme: Theme, pixels: float) -> int:
    """Return the whole units in a length."""
    return int(pixels / theme.unit)


def line_height(theme: Theme, size: float, *, bold: bool = False) -> int:
    """Return the height of a line in pixels."""
    height: int = theme.font(size, bold=bold).get_linesize()
    return height


def width_of(theme: Theme, words: str, size: float, *, bold: bool = False) -> int:
    """Return the width of a line in pixels."""
    width: int = theme.font(size, bold=bold).size(words)[0]
    return width


def fitting(most: int, fits: Callable[[int], bool]) -> int:
    """Search the largest text size up to `most` units that `fits`; the smallest size without one."""
    low, high = themes.SMALLEST, max(most, themes.SMALLEST)
    if fits(high):
        return high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


@lru_cache(512)
def largest(theme: Theme, lines: tuple[str, ...], width: int, *, most: int, bold: bool = False) -> int:
    """Return the text size in units at which every line is within `width` pixels."""
    return fitting(most, lambda size: all(width_of(theme, words, size, bold=bold) <= width for words in lines))


@lru_cache(512)
def largest_block(
    theme: Theme, words: tuple[str, ...], width: int, height: int, *, most: int, bold: bool = False
) -> int:
    """Return the text size at which each of `words`, broken between words, is within `width` and `height` pixels."""
    longest = tuple(word for each in words for word in each.split())

    def fits(size: int) -> bool:
        blocks = (theme.paragraph(each, width=width, size=size, bold=bold) for each in words)
        return all(width_of(theme, word, size, bold=bold) <= width for word in longest) and all(
            picture.get_height() <= height for picture in blocks
        )

    return fitting(most, fits)


@lru_cache(256)
def block(
    theme: Theme, words: str, width: int, *, size: float, colour: Colour, bold: bool = False, centred: bool = True
) -> pygame.Surface:
    """Draw text broken into lines at most `width` pixels wide, as `largest_block` measures it; do not draw on it."""
    face = theme.font(size, bold=bold)
    face.align = pygame.FONT_CENTER if centred else pygame.FONT_LEFT
    picture = face.render(words, True, colour, None, max(1, width))
    face.align = pygame.FONT_LEFT
    return picture
