"""Pictures of games: their frames, else their text as in a terminal, or their observations as pictures or figures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import ceil
from typing import Any

import numpy as np
import pygame
from numpy.typing import NDArray

from agents.seats.controller import AgentID
from arcade.engine.ui import theme
from arcade.engine.window.video import fit_rect

Frame = NDArray[np.uint8]

SHARP = 3  # least scale at which pixels stay sharp; a smaller one smooths the whole frame


class FrameView:
    """Draws the frames of one game.

    `whole`: scale up by whole numbers where that fills most of the rectangle (`fit_rect`); False: fill it.  Between
    whole numbers only the edges of pixels are smoothed.  A larger frame is smoothed down.  `shape`: width and height
    that the picture is stretched to, such as 4 to 3; None: its pixels are square.
    """

    def __init__(self, *, whole: bool = True, shape: tuple[int, int] | None = None) -> None:
        self.whole, self.shape = whole, shape
        self._pixels: Frame | None = None  # a copy: the memory of a frame may be written again
        self._source: pygame.Surface | None = None  # a view of _pixels
        self._kept: dict[str, pygame.Surface] = {}  # surfaces by their use, for the next frame

    def draw(self, canvas: pygame.Surface, frame: Frame | None, into: pygame.Rect) -> pygame.Rect:
        """Draw `frame` (uint8, (rows, columns, 3); None: the last one) in the middle of `into`; return its place."""
        if frame is not None:
            self._take(frame)
        if self._source is None:
            return pygame.Rect(into.center, (0, 0))
        where = fit_rect(self.shape or self._source.get_size(), into, whole=self.whole and self.shape is None)
        if where.size == self._source.get_size():
            canvas.blit(self._source, where)
        else:
            canvas.blit(self._scale(self._source, where.size), where)
        return where

    def forget(self) -> None:
        """Drop the last frame."""
        self._pixels = self._source = None
        self._kept.clear()

    def _take(self, frame: Frame) -> None:
        if frame.dtype != np.uint8 or frame.ndim != 3 or frame.shape[2] != 3 or 0 in frame.shape:
            raise ValueError(f"expected a uint8 frame (rows, columns, 3), got: {frame.dtype} {frame.shape}")
        if self._pixels is None or self._pixels.shape != frame.shape:
            self._pixels = np.empty(frame.shape, np.uint8)
            self._source = pygame.image.frombuffer(self._pixels.data, frame.shape[1::-1], "RGB")
        np.copyto(self._pixels, frame)

    def _scale(self, source: pygame.Surface, size: tuple[int, int]) -> pygame.Surface:
        """Return the frame at that size: repeated by whole numbers, or smoothed."""
        wide = self._surface("four bytes a pixel", source.get_size())  # they scale much faster than three
        wide.blit(source, (0, 0))
        width, height = source.get_size()
        if size[0] % width == 0 and size[1] % height == 0:
            return pygame.transform.scale(wide, size, self._surface("scaled", size))
        times = ceil(size[0] / width), ceil(size[1] / height)
        if max(times) >= SHARP:
            larger = width * times[0], height * times[1]
            wide = pygame.transform.scale(wide, larger, self._surface("larger", larger))
        return pygame.transform.smoothscale(wide, size, self._surface("scaled", size))

    def _surface(self, use: str, size: tuple[int, int]) -> pygame.Surface:
        if use not in self._kept or self._kept[use].get_size() != size:
            self._kept[use] = pygame.Surface(size, depth=32)
        return self._kept[use]


LARGEST, SMALLEST = 30, theme.SMALLEST  # pixels of the type
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
    picture = _text_picture(text, into.size)
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
def _text_picture(text: str, room: tuple[int, int]) -> pygame.Surface:
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


LEAST = 8  # least rows and columns of a picture
PANES = 4  # most seats side by side

_CELL, _ROW, _HEAD = 170, 26, 40


class ObservationView:
    """Draws the observations of some seats side by side, again only when they change."""

    def __init__(self) -> None:
        self._seen: Mapping[AgentID, Any] | None = None
        self._picture: pygame.Surface | None = None
        self._version = -1  # of the theme that it was drawn in

    def draw(self, canvas: pygame.Surface, seen: Mapping[AgentID, Any], into: pygame.Rect) -> pygame.Rect:
        """Draw into `into`; returns the picture's rectangle."""
        look = (self._version, self._picture and self._picture.get_size())
        if self._picture is None or self._seen is not seen or look != (theme.version, into.size):
            self._seen, self._version, self._picture = seen, theme.version, _panes(seen, into.size)
        return canvas.blit(self._picture, into)


def parts_of(observation: Any, name: str = "") -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield the arrays of an observation with their names, "" for an array itself."""
    if isinstance(observation, Mapping):
        for key, value in observation.items():
            yield from parts_of(value, f"{name} {key}".strip())
    elif isinstance(observation, tuple | list):
        for place, value in enumerate(observation):
            yield from parts_of(value, f"{name} {place}".strip())
    else:
        yield name, np.asarray(observation)


def as_pixels(array: NDArray[Any]) -> NDArray[np.uint8] | None:
    """Turn an array into a picture, uint8 (rows, columns, 3), from black (least) to white; None for other arrays."""
    if array.ndim == 3 and array.shape[0] in (1, 3, 4) and array.shape[2] not in (1, 3, 4):
        array = np.moveaxis(array, 0, 2)  # channels first
    if array.ndim not in (2, 3) or min(array.shape[:2]) < LEAST or array.dtype.kind not in "biuf":
        return None
    if array.ndim == 3 and array.shape[2] not in (3, 4):
        array = array.max(axis=2)  # planes of a board, on top of each other
    if array.dtype != np.uint8:
        values = np.nan_to_num(array.astype(float))
        array = ((values - values.min()) / (np.ptp(values) or 1.0) * 255).astype(np.uint8)
    return np.ascontiguousarray(np.stack([array] * 3, axis=2) if array.ndim == 2 else array[:, :, :3])


def _panes(seen: Mapping[AgentID, Any], size: tuple[int, int]) -> pygame.Surface:
    picture = pygame.Surface(size)
    picture.fill(theme.GROUND)
    shown = list(seen.items())[:PANES]
    wide = (size[0] - theme.GAP) // max(1, len(shown))
    for place, (agent, observation) in enumerate(shown):
        pane = pygame.Rect(theme.GAP + place * wide, theme.GAP, wide - theme.GAP, size[1] - 2 * theme.GAP)
        theme.draw_panel(picture, pane)
        at = (pane.left + 16, pane.top + _HEAD // 2)
        theme.draw_text(picture, f"{agent} observes", at, bold=True, anchor="midleft", width=pane.w - 32)
        _draw_parts(picture, observation, pygame.Rect(pane.left, pane.top + _HEAD, pane.w, pane.h - _HEAD))
    return picture


def _draw_parts(picture: pygame.Surface, observation: Any, room: pygame.Rect) -> None:
    parts = list(parts_of(observation))
    figures = [(name, array) for name, array in parts if as_pixels(array) is None]
    pictures = [(name, pixels) for name, array in parts if (pixels := as_pixels(array)) is not None]
    inside = room.inflate(-32, -16)
    share = inside.h * (2 if figures else 3) // 3 // max(1, len(pictures)) if pictures else 0
    for name, pixels in pictures:
        _draw_pixels(picture, name, pixels, pygame.Rect(inside.left, inside.top, inside.w, share - theme.GAP))
        inside = pygame.Rect(inside.left, inside.top + share, inside.w, inside.h - share)
    _draw_figures(picture, [cell for name, array in figures for cell in _cells(name, array)], inside)


def _draw_pixels(picture: pygame.Surface, name: str, pixels: NDArray[np.uint8], room: pygame.Rect) -> None:
    if name:
        theme.draw_text(picture, name, room.topleft, size=theme.SMALL, colour=theme.MUTED, width=room.w)
        room = pygame.Rect(room.left, room.top + _ROW, room.w, room.h - _ROW)
    source = pygame.image.frombuffer(pixels.tobytes(), pixels.shape[1::-1], "RGB")
    where = fit_rect(source.get_size(), room, whole=True)
    picture.blit(pygame.transform.scale(source, where.size), where)


def _cells(name: str, array: NDArray[Any]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each figure."""
    for place in np.ndindex(array.shape):
        value = array[place]
        text = f"{float(value):.3g}" if array.dtype.kind in "fc" else str(value)
        yield f"{name} {', '.join(map(str, place))}".strip(), text


def _draw_figures(picture: pygame.Surface, cells: list[tuple[str, str]], room: pygame.Rect) -> None:
    """Draw figures in columns, and the number of those without room."""
    columns, rows = max(1, room.w // _CELL), max(1, room.h // _ROW - 1)
    wide = room.w // columns
    for at, (name, text) in enumerate(cells[: columns * rows]):
        cell = pygame.Rect(room.left + at // rows * wide, room.top + at % rows * _ROW, wide - 16, _ROW)
        half = max(20, cell.w // 2)
        title = theme.draw_text(picture, name, cell.topleft, size=theme.SMALL, colour=theme.FAINT, width=half)
        width = max(20, cell.right - title.right - 8)
        theme.draw_text(picture, text, cell.topright, size=theme.SMALL, anchor="topright", width=width)
    if len(cells) > columns * rows:
        rest = f"and {len(cells) - columns * rows:,} more"
        theme.draw_text(picture, rest, room.bottomleft, size=theme.SMALL, colour=theme.FAINT, anchor="bottomleft")
