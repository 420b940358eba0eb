"""Icons of the players: keyboard halves, gamepads, snapshots, remote players and all other kinds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

import pygame

from agents.seats.controller import SeatChoice
from arcade.engine.ui.theme import SMALLEST, Colour, Theme
from arcade.scenes.pictograms.pen import Pen


@lru_cache(512)
def icon(theme: Theme, choice: SeatChoice, *, size: int, colour: Colour) -> pygame.Surface:
    """Return the icon of a choice, `size` pixels high; do not draw on it."""
    if choice.kind == "keyboard" and choice.argument in _HALVES:
        return _lettered(theme, _HALVES[choice.argument], size, colour)
    if choice.kind == "keyboard" and choice.argument:  # one of several whole keyboards
        return _beside(theme, _drawn(_keyboard, size, colour), choice.argument, colour)
    if choice.kind == "gamepad":
        number = int(choice.argument) + 1 if choice.argument.isdecimal() else 1
        return _beside(theme, _drawn(_gamepad, size, colour, width=30), str(number), colour)
    if choice.kind == "level":
        return _drawn(lambda pen: _level(pen, choice.argument), size, colour)
    return _drawn(_KINDS.get(choice.kind, _machine), size, colour)


_HALVES = {"wasd": "WASD", "arrows": "←↑↓→", "ijkl": "IJKL"}
LEVELS = ("easy", "normal", "hard", "expert")


def _drawn(draw: Callable[[Pen], object], size: int, colour: Colour, *, width: float = 24) -> pygame.Surface:
    pen = Pen(width, 24, pixels=size, colour=colour)
    draw(pen)
    return pen.picture()


def _lettered(theme: Theme, text: str, size: int, colour: Colour) -> pygame.Surface:
    letters = _letters(theme, text, size, colour)
    width = letters.get_width() + size // 2
    pen = Pen(24 * width / size, 24, pixels=size, colour=colour)
    picture = pen.box((1, 1, 24 * width / size - 2, 22), radius=5, line=2).picture()
    picture.blit(letters, letters.get_rect(center=picture.get_rect().center))
    return picture


def _beside(theme: Theme, picture: pygame.Surface, text: str, colour: Colour) -> pygame.Surface:
    letters = _letters(theme, text, picture.get_height(), colour)
    both = pygame.Surface((picture.get_width() + 2 + letters.get_width(), picture.get_height()), pygame.SRCALPHA)
    both.blit(picture, (0, 0))
    both.blit(letters, letters.get_rect(midright=both.get_rect().midright))
    return both


def _letters(theme: Theme, text: str, height: int, colour: Colour) -> pygame.Surface:
    """Return text that fits an icon of that height in pixels."""
    return theme.text(text, size=max(SMALLEST, height * 5 / 8 / theme.unit), colour=colour, bold=True)


def _gamepad(pen: Pen) -> None:
    pen.box((3, 5, 24, 12), radius=6).disc((6, 15), 5).disc((24, 15), 5)
    pen.cut(lambda pen: pen.box((6, 10, 7, 2)).box((8.5, 7.5, 2, 7)))  # the cross
    pen.cut(lambda pen: pen.disc((20, 12), 1.6).disc((23.5, 9), 1.6))


def _keyboard(pen: Pen) -> None:
    pen.box((1, 5, 22, 14), radius=3, line=2)
    for row in (8.5, 12):
        for left in (4.5, 8.2, 12, 15.8):
            pen.box((left, row, 2.2, 2.2))
    pen.box((7, 15.5, 10, 1.8))


def _mouse(pen: Pen) -> None:
    pen.box((6, 2, 12, 20), radius=6, line=2).stroke([(12, 3), (12, 10)], line=2).stroke([(6, 10), (18, 10)], line=2)


def _machine(pen: Pen) -> None:
    """A chip, for a policy."""
    for at in (8, 12, 16):
        pen.box((at - 0.8, 1, 1.6, 22)).box((1, at - 0.8, 22, 1.6))
    pen.box((4, 4, 16, 16), radius=3).cut(lambda pen: pen.box((8, 8, 8, 8), radius=1))


def _pool(pen: Pen) -> None:
    """Several chips."""
    pen.box((8, 2, 14, 14), radius=3, line=2)
    pen.cut(lambda pen: pen.box((1, 7, 16, 16), radius=3)).box((2, 8, 14, 14), radius=3)
    pen.cut(lambda pen: pen.box((6, 12, 6, 6), radius=1))


def _level(pen: Pen, name: str) -> None:
    """A filled bar for each step of difficulty."""
    full = LEVELS.index(name) + 1 if name in LEVELS else 2
    for place in range(4):
        height = 6 + place * 5
        pen.box((1.5 + place * 5.6, 22 - height, 4, height), radius=1, line=0 if place < full else 1.2)


def _script(pen: Pen) -> None:
    pen.box((4, 2, 16, 20), radius=3, line=2)
    for row, end in ((7, 16), (11, 14), (15, 16)):
        pen.stroke([(8, row), (end, row)], line=1.8)


def _code(pen: Pen) -> None:
    pen.stroke([(8, 6), (2.5, 12), (8, 18)], line=2.4).stroke([(16, 6), (21.5, 12), (16, 18)], line=2.4)
    pen.stroke([(13.5, 4), (10.5, 20)], line=2.2)


def _tree(pen: Pen) -> None:
    """A move that leads to others, and these to more."""
    for start, end in (((12, 4), (5.5, 12)), ((12, 4), (18.5, 12)), ((5.5, 12), (5.5, 20)), ((18.5, 12), (12.5, 20)),
                       ((18.5, 12), (20.5, 20))):  # fmt: skip
        pen.stroke([start, end], line=1.8)
    for at in ((12, 4), (5.5, 12), (18.5, 12), (5.5, 20), (12.5, 20), (20.5, 20)):
        pen.disc(at, 2.6)


def _die(pen: Pen) -> None:
    pen.box((3, 3, 18, 18), radius=4, line=2)
    for at in ((8, 8), (16, 8), (12, 12), (8, 16), (16, 16)):
        pen.disc(at, 1.7)


def _remote(pen: Pen) -> None:
    pen.disc((5, 19), 2.6)
    for radius in (7, 12, 17):
        pen.bow((5, 19), radius, 0, 90, line=2.2)


def _pawn(pen: Pen) -> None:
    pen.disc((12, 6.5), 4).box((7.5, 10, 9, 2.2), radius=1).shape([(10, 12), (14, 12), (16.5, 19), (7.5, 19)])
    pen.box((5, 18.5, 14, 4), radius=1.5)


def _stones(pen: Pen) -> None:
    for at in (7, 17):
        pen.stroke([(at, 1.5), (at, 22.5)], line=1.2).stroke([(1.5, at), (22.5, at)], line=1.2)
    pen.disc((7, 7), 5)
    pen.cut(lambda pen: pen.disc((17, 17), 5)).disc((17, 17), 5, line=1.8)


def _replay(pen: Pen) -> None:
    pen.disc((12, 12), 10.5, line=2).shape([(9.5, 7.5), (9.5, 16.5), (17, 12)])


def _empty(pen: Pen) -> None:
    for start in range(0, 360, 60):
        pen.bow((12, 12), 9.5, start, start + 30, line=2)


_KINDS: Mapping[str, Callable[[Pen], object]] = {
    "keyboard": _keyboard, "mouse": _mouse, "snapshot": _machine, "pool": _pool, "scripted": _script, "python": _code,
    "random": _die, "uci": _pawn, "gtp": _stones, "remote": _remote, "online": _remote, "replay": _replay,
    "idle": _empty, "search": _tree,
}  # fmt: skip
