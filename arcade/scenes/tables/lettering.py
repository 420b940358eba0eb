"""Text on game tables, sized by the user's text scale and the space."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from arcade.engine.ui import theme

MOST = 2.4  # largest growth of text that is already large at scale 1, as in the bars of a match


def grown(size: float, *, most: float = MOST) -> int:
    """Scale a size by the user's scale, at most by `most`."""
    return round(size * min(theme.scale(), most))


def line_height(size: int, *, bold: bool = False) -> int:
    """Return the height of a line."""
    return theme.font(size, bold=bold).get_linesize()


def width_of(words: str, size: int, *, bold: bool = False) -> int:
    """Return the width of a line."""
    return theme.font(size, bold=bold).size(words)[0]


def fitting(most: int, fits: Callable[[int], bool]) -> int:
    """Search the largest text size up to `most` that `fits`; the smallest size without one."""
    low, high = theme.SMALLEST, max(most, theme.SMALLEST)
    if fits(high):
        return high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


@theme.kept(512)
def largest(lines: tuple[str, ...], width: int, *, most: int, bold: bool = False) -> int:
    """Return the text size at which every line is within `width`."""
    return fitting(most, lambda size: all(width_of(words, size, bold=bold) <= width for words in lines))


@theme.kept(512)
def largest_block(words: tuple[str, ...], width: int, height: int, *, most: int, bold: bool = False) -> int:
    """Return the text size at which each of `words`, broken between words, is within `width` and `height`."""
    longest = tuple(word for each in words for word in each.split())

    def fits(size: int) -> bool:
        blocks = (theme.paragraph(each, width=width, size=size, bold=bold) for each in words)
        return all(width_of(word, size, bold=bold) <= width for word in longest) and all(
            picture.get_height() <= height for picture in blocks
        )

    return fitting(most, fits)


@theme.kept(256)
def block(
    words: str, width: int, *, size: int, colour: theme.Colour, bold: bool = False, centred: bool = True
) -> pygame.Surface:
    """Draw text broken into lines at most `width` wide, as `largest_block` measures it; do not draw on it."""
    face = theme.font(size, bold=bold)
    face.align = pygame.FONT_CENTER if centred else pygame.FONT_LEFT
    picture = face.render(words, True, colour, None, width)
    face.align = pygame.FONT_LEFT
    return picture
