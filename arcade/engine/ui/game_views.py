"""Pictures of games: their frames, else their text as in a terminal, or their observations as pictures or figures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import ceil
from typing import Any

import numpy as np
import pygame
from numpy.typing import NDArray

from agents.seats.controller import AgentID
from arcade.engine.ui import theme as themes
from arcade.engine.ui.theme import Colour, Theme
from arcade.engine.window.video import fit_rect
from arcade.language import _, local_number, ngettext

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
        self._scaled: pygame.Surface | None = None  # the last frame in the size that it was drawn in

    def draw(self, canvas: pygame.Surface, frame: Frame | None, into: pygame.Rect) -> pygame.Rect:
        """Draw `frame` (uint8, (rows, columns, 3); None: the last one) in the middle of `into`; return its place."""
        if frame is not None:
            self._take(frame)
        if self._source is None:
            return pygame.Rect(into.center, (0, 0))
        where = fit_rect(self.shape or self._source.get_size(), into, whole=self.whole and self.shape is None)
        if where.size == self._source.get_size():
            canvas.blit(self._source, where)
            return where
        if self._scaled is None or self._scaled.get_size() != where.size:
            self._scaled = self._scale(self._source, where.size)
        canvas.blit(self._scaled, where)
        return where

    def forget(self) -> None:
        """Drop the last frame."""
        self._pixels = self._source = self._scaled = None
        self._kept.clear()

    def _take(self, frame: Frame) -> None:
        if frame.dtype != np.uint8 or frame.ndim != 3 or frame.shape[2] != 3 or 0 in frame.shape:
            raise ValueError(f"expected a uint8 frame (rows, columns, 3), got: {frame.dtype} {frame.shape}")
        if self._pixels is None or self._pixels.shape != frame.shape:
            self._pixels = np.empty(frame.shape, np.uint8)
            self._source = pygame.image.frombuffer(self._pixels.data, frame.shape[1::-1], "RGB")
        np.copyto(self._pixels, frame)
        self._scaled = None

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


LARGEST, SMALLEST = 30, themes.SMALLEST  # units of the type
_INK, _PAPER = (235, 230, 222), (16, 15, 18)  # of a terminal, in every palette
_WIDE, _HIGH = 0.68, 1.25  # of a cell, times the text size; the typeface is proportional
_TAB = 4

_ESCAPE = re.compile(r"\x1b\[([\d;]*)([A-Za-z])")  # ECMA-48 control sequences; those ending in m set colours
_COLOURS: tuple[Colour, ...] = (
    (60, 60, 66), (230, 90, 80), (90, 190, 120), (220, 190, 80),
    (90, 150, 235), (200, 120, 200), (90, 190, 200), (235, 230, 222),
)  # fmt: skip
# Characters that the typeface lacks → similar ones: lines and corners, blocks, chess pieces.
_ALIKE = str.maketrans("─━│┃┌┐└┘├┤┬┴┼═║╔╗╚╝╠╣╦╩╬╭╮╯╰█▓▒░♔♕♖♗♘♙♚♛♜♝♞♟", "--||+++++++++=|+++++++++++++##%:KQRBNPkqrbnp")

_Cell = tuple[str, Colour, Colour | None]  # a character, its colour, the colour behind it


def draw_game_text(canvas: pygame.Surface, theme: Theme, text: str, into: pygame.Rect) -> pygame.Rect:
    """Draw text in the middle of `into`, as large as fits; returns its rectangle."""
    picture = _text_picture(theme, text, into.size)
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


def _colours(codes: list[int], ink: Colour, behind: Colour | None) -> tuple[Colour, Colour | None]:
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


@lru_cache(4)
def _text_picture(theme: Theme, text: str, room: tuple[int, int]) -> pygame.Surface:
    rows = read_cells(text)
    columns = max(1, max(map(len, rows)))
    size = int(min(room[0] / columns / _WIDE / theme.unit, room[1] / len(rows) / _HIGH / theme.unit, LARGEST))
    size = max(size, SMALLEST)
    wide, high = theme.px(size * _WIDE), theme.px(size * _HIGH)
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

_CELL, _ROW, _HEAD, _PANE = 170, 26, 40, 200  # units; the last two of a pane: height of its head, least width


class ObservationView:
    """Draws the observations of some seats side by side, again only when they change."""

    def __init__(self) -> None:
        self._seen: Mapping[AgentID, Any] | None = None
        self._picture: pygame.Surface | None = None
        self._look: object = None  # theme and size that it was drawn in

    def draw(self, canvas: pygame.Surface, theme: Theme, seen: Mapping[AgentID, Any], into: pygame.Rect) -> pygame.Rect:
        """Draw into `into`; returns the picture's rectangle."""
        look = theme, into.size
        if self._picture is None or self._seen is not seen or self._look != look:
            self._seen, self._look, self._picture = seen, look, _panes(theme, seen, into.size)
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


def _panes(theme: Theme, seen: Mapping[AgentID, Any], size: tuple[int, int]) -> pygame.Surface:
    picture = pygame.Surface(size)
    picture.fill(theme.colours.ground)
    shown = list(seen.items())[: min(PANES, max(1, size[0] // theme.px(_PANE)))]
    gap, head, pad = theme.gap, theme.px(_HEAD), theme.px(16)
    wide = (size[0] - gap) // max(1, len(shown))
    for place, (agent, observation) in enumerate(shown):
        pane = pygame.Rect(gap + place * wide, gap, wide - gap, size[1] - 2 * gap)
        theme.draw_panel(picture, pane)
        at = (pane.left + pad, pane.top + head // 2)
        title = _("{seat} observes").format(seat=agent)
        theme.draw_text(picture, title, at, bold=True, anchor="midleft", width=pane.w - 2 * pad)
        _draw_parts(picture, theme, observation, pygame.Rect(pane.left, pane.top + head, pane.w, pane.h - head))
    return picture


def _draw_parts(picture: pygame.Surface, theme: Theme, observation: Any, room: pygame.Rect) -> None:
    parts = list(parts_of(observation))
    figures = [(name, array) for name, array in parts if as_pixels(array) is None]
    pictures = [(name, pixels) for name, array in parts if (pixels := as_pixels(array)) is not None]
    inside = room.inflate(-theme.px(32), -theme.px(16))
    share = inside.h * (2 if figures else 3) // 3 // max(1, len(pictures)) if pictures else 0
    for name, pixels in pictures:
        _draw_pixels(picture, theme, name, pixels, pygame.Rect(inside.left, inside.top, inside.w, share - theme.gap))
        inside = pygame.Rect(inside.left, inside.top + share, inside.w, inside.h - share)
    _draw_figures(picture, theme, [cell for name, array in figures for cell in _cells(name, array)], inside)


def _draw_pixels(
    picture: pygame.Surface, theme: Theme, name: str, pixels: NDArray[np.uint8], room: pygame.Rect
) -> None:
    if name:
        muted, row = theme.colours.muted, theme.px(_ROW)
        theme.draw_text(picture, name, room.topleft, size=themes.SMALL, colour=muted, width=room.w)
        room = pygame.Rect(room.left, room.top + row, room.w, room.h - row)
    source = pygame.image.frombuffer(pixels.tobytes(), pixels.shape[1::-1], "RGB")
    where = fit_rect(source.get_size(), room, whole=True)
    picture.blit(pygame.transform.scale(source, where.size), where)


def _cells(name: str, array: NDArray[Any]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each figure."""
    for place in np.ndindex(array.shape):
        value = array[place]
        text = local_number(f"{float(value):.3g}") if array.dtype.kind in "fc" else str(value)
        yield f"{name} {', '.join(map(str, place))}".strip(), text


def _draw_figures(picture: pygame.Surface, theme: Theme, cells: list[tuple[str, str]], room: pygame.Rect) -> None:
    """Draw figures in columns, and the number of those without room."""
    high, pad, faint = theme.px(_ROW), theme.px(16), theme.colours.faint
    columns, rows = max(1, room.w // theme.px(_CELL)), max(1, room.h // high - 1)
    wide = room.w // columns
    for at, (name, text) in enumerate(cells[: columns * rows]):
        cell = pygame.Rect(room.left + at // rows * wide, room.top + at % rows * high, wide - pad, high)
        half = max(theme.px(20), cell.w // 2)
        title = theme.draw_text(picture, name, cell.topleft, size=themes.SMALL, colour=faint, width=half)
        width = max(theme.px(20), cell.right - title.right - theme.px(8))
        theme.draw_text(picture, text, cell.topright, size=themes.SMALL, anchor="topright", width=width)
    if len(cells) > columns * rows:
        count = len(cells) - columns * rows
        rest = ngettext("and {count} more", "and {count} more", count).format(count=local_number(f"{count:,}"))
        theme.draw_text(picture, rest, room.bottomleft, size=themes.SMALL, colour=faint, anchor="bottomleft")
