"""Words on tables: as large as the user wants them and as their room allows, never cut while smaller ones fit."""

from __future__ import annotations

from collections.abc import Iterator

import pygame

from arcade.engine import theme

MOST = 2.4
"""What is read from afar at 1x need not grow more often than this, as in the bars of a match."""


def grown(size: float, *, most: float = MOST) -> int:
    """So many pixels at the user's scale, at most `most` times as many."""
    return round(size * min(theme.scale(), most))


def line_height(size: int, *, bold: bool = False) -> int:
    """Pixels from one line of that text to the next."""
    return theme.font(size, bold=bold).get_linesize()


def width_of(words: str, size: int, *, bold: bool = False) -> int:
    """Pixels that one line takes."""
    return theme.font(size, bold=bold).size(words)[0]


@theme.kept(512)
def largest(lines: tuple[str, ...], width: int, *, most: int, height: int = 0, bold: bool = False) -> int:
    """Pixels of text at which every line is within `width`, and all together within `height` where that is given."""
    for size in sizes(most):
        fits_across = all(width_of(words, size, bold=bold) <= width for words in lines)
        if fits_across and (not height or len(lines) * line_height(size, bold=bold) <= height):
            return size
    return theme.SMALLEST


@theme.kept(512)
def largest_block(words: tuple[str, ...], width: int, height: int, *, most: int, bold: bool = False) -> int:
    """Pixels of text at which each of `words`, broken into lines, is within `width` and `height`; no word is broken."""
    for size in sizes(most):
        if all(_fits(each, width, height, size, bold) for each in words):
            return size
    return theme.SMALLEST


@theme.kept(256)
def block(words: str, width: int, *, size: int, colour: theme.Colour, bold: bool = False) -> pygame.Surface:
    """Words broken into lines at most `width` wide, each in the middle of the picture.  Do not draw on it."""
    lines = [
        theme.fitted(line, width=width, size=size, colour=colour, bold=bold)
        for line in _broken(words, width, size, bold)
    ]
    high = line_height(size, bold=bold)
    picture = pygame.Surface((max(line.get_width() for line in lines), high * len(lines)), pygame.SRCALPHA)
    for place, line in enumerate(lines):
        picture.blit(line, line.get_rect(midtop=(picture.get_width() // 2, place * high)))
    return picture


def sizes(most: int) -> Iterator[int]:
    """Sizes to try, the largest first; large ones differ by more than a pixel, as nobody sees that."""
    size = max(most, theme.SMALLEST)
    while size > theme.SMALLEST:
        yield size
        size -= 1 + size // 24
    yield theme.SMALLEST


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
