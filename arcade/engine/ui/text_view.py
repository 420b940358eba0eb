"""The text of a game without a picture, drawn as in a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pygame

from arcade.engine.ui import theme
from arcade.engine.window.video import fit_rect

LARGEST, SMALLEST = 30, 14  # pixels of the type
_INK, _PAPER = (235, 230, 222), (16, 15, 18)  # of a terminal, in every palette
_WIDE, _HIGH = 0.68, 1.25  # of a cell, times the text size; the typeface is proportional
_TAB = 4

_ESCAPE = re.compile(r"\x1b\[([\d;]*)([A-Za-z])")  # ECMA-48 control sequences; those ending in m set colours
_COLOURS: tuple[theme.Colour, ...] = (
    (60, 60, 66), (230, 90, 80), (90, 190, 120), (220, 190, 80),
    (90, 150, 235), (200, 120, 200), (90, 190, 200), (235, 230, 222),
)  # fmt: skip
# Characters that the typeface lacks → similar ones: lines and corners, blocks, chess pieces.
_ALIKE = str.maketrans("─━│┃┌┐└┘├┤┬┴┼═║╔╗╚╝╠╣╦╩╬╭╮╯╰█▓▒░♔♕♖♗♘♙♚♛♜♝♞♟", "--||+++++++++=|+++++++++++++##%:KQRBNPkqrbnp")

_Cell = tuple[str, theme.Colour, theme.Colour | None]  # a character, its colour, the colour behind it


def draw_game_text(canvas: pygame.Surface, text: str, into: pygame.Rect) -> pygame.Rect:
    """Draw text in the middle of `into`, as large as fits; returns its rectangle."""
    picture = _picture(text, into.size)
    if picture.get_width() <= into.w and picture.get_height() <= into.h:
        return canvas.blit(picture, picture.get_rect(center=into.center))
    where = fit_rect(picture.get_size(), into)
    return canvas.blit(pygame.transform.smoothscale(picture, where.size), where)


def read_cells(text: str) -> list[list[_Cell]]:
    """Return the rows of a terminal with that text."""
    ink, behind = _INK, None
    rows: list[list[_Cell]] = [[]]
    for sign in _signs(text):
        if isinstance(sign, list):
            ink, behind = _colours(sign, ink, behind)
        elif sign == "\n":
            rows.append([])
        elif sign == "\t":
            rows[-1] += [(" ", ink, behind)] * (_TAB - len(rows[-1]) % _TAB)
        elif sign.isprintable():
            rows[-1].append((sign.translate(_ALIKE), ink, behind))
    while len(rows) > 1 and not rows[-1]:
        rows.pop()
    return rows


def _signs(text: str) -> Iterator[str | list[int]]:
    """Yield characters, and the numbers of sequences that set colours."""
    end = 0
    for escape in _ESCAPE.finditer(text):
        yield from text[end : escape.start()]
        end = escape.end()
        if escape[2] == "m":
            yield [int(code or 0) for code in escape[1].split(";")]
    yield from text[end:]


def _colours(
    codes: list[int], ink: theme.Colour, behind: theme.Colour | None
) -> tuple[theme.Colour, theme.Colour | None]:
    for code in codes:
        if code in (0, 39):
            ink = _INK
        if code in (0, 49):
            behind = None
        if code // 10 in (3, 9) and code % 10 < 8:
            ink = _COLOURS[code % 10]
        if code // 10 in (4, 10) and code % 10 < 8:
            behind, ink = _COLOURS[code % 10], _PAPER
    return ink, behind


@theme.kept(4)
def _picture(text: str, room: tuple[int, int]) -> pygame.Surface:
    rows = read_cells(text)
    columns = max(1, max(map(len, rows)))
    size = int(min(room[0] / columns / _WIDE, room[1] / len(rows) / _HIGH, LARGEST))
    size = max(size, SMALLEST)
    wide, high = round(size * _WIDE), round(size * _HIGH)
    picture = pygame.Surface((columns * wide, len(rows) * high))
    picture.fill(_PAPER)
    for y, row in enumerate(rows):
        for x, (sign, ink, behind) in enumerate(row):
            cell = pygame.Rect(x * wide, y * high, wide, high)
            if behind is not None:
                picture.fill(behind, cell)
            if sign != " ":
                drawn = theme.text(sign, size=size, colour=ink)
                picture.blit(drawn, drawn.get_rect(center=cell.center))
    return picture
