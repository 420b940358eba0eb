"""Text on tables: as large as the user's scale and the room allow."""

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
    return fitting(most, lambda size: all(_fits(each, width, height, size, bold) for each in words))


@theme.kept(256)
def block(
    words: str, width: int, *, size: int, colour: theme.Colour, bold: bool = False, centred: bool = True
) -> pygame.Surface:
    """Draw text broken into lines at most `width` wide, as `largest_block` measures it; do not draw on it."""
    broken = _broken(words, width, size, bold)
    lines = [theme.fitted(line, width=width, size=size, colour=colour, bold=bold) for line in broken]
    high, across = line_height(size, bold=bold), max(line.get_width() for line in lines)
    picture = pygame.Surface((across, high * len(lines)), pygame.SRCALPHA)
    for place, line in enumerate(lines):
        picture.blit(line, ((across - line.get_width()) // 2 if centred else 0, place * high))
    return picture


def _fits(words: str, width: int, height: int, size: int, bold: bool) -> bool:
    lines = _broken(words, width, size, bold)
    across = max(width_of(line, size, bold=bold) for line in lines)
    return across <= width and len(lines) * line_height(size, bold=bold) <= height


def _broken(words: str, width: int, size: int, bold: bool) -> list[str]:
    lines: list[str] = [""]
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and width_of(longer, size, bold=bold) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
