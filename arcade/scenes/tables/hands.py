"""Rock, paper and scissors as pictures, drawn once for each size and kept."""

from __future__ import annotations

import pygame

from arcade.engine.ui import theme

_FINE = 4  # shapes are drawn this many times larger and smoothed down
_STONE, _STONE_DARK, _STONE_LIGHT = (150, 146, 142), (104, 100, 98), (190, 186, 180)
_SHEET, _SHEET_LINE = (250, 247, 240), (150, 160, 190)
_STEEL, _STEEL_DARK, _GRIP = (214, 220, 226), (120, 128, 138), (214, 92, 60)


@theme.kept(32)
def hand_picture(move: str, size: int) -> pygame.Surface:
    """The picture of "rock", "paper" or "scissors" in a square of `size` pixels; do not draw on it."""
    side = size * _FINE
    picture = pygame.Surface((side, side), pygame.SRCALPHA)
    {"rock": _rock, "paper": _paper, "scissors": _scissors}[move](picture, side)
    return pygame.transform.smoothscale(picture, (size, size))


def has_picture(move: str) -> bool:
    """False for the further moves of a larger game, which are shown by their words."""
    return move in ("rock", "paper", "scissors")


def _polygon(picture: pygame.Surface, side: int, colour: tuple[int, int, int], *points: tuple[float, float]) -> None:
    pygame.draw.polygon(picture, colour, [(x * side, y * side) for x, y in points])


def _rock(picture: pygame.Surface, side: int) -> None:
    outline = ((0.1, 0.62), (0.2, 0.32), (0.42, 0.16), (0.7, 0.2), (0.9, 0.46), (0.86, 0.76), (0.6, 0.88), (0.26, 0.84))
    _polygon(picture, side, _STONE, *outline)
    _polygon(picture, side, _STONE_DARK, (0.1, 0.62), (0.36, 0.66), (0.6, 0.88), (0.26, 0.84))
    _polygon(picture, side, _STONE_DARK, (0.68, 0.52), (0.9, 0.46), (0.86, 0.76), (0.6, 0.88), (0.36, 0.66))
    _polygon(picture, side, _STONE_LIGHT, (0.2, 0.32), (0.42, 0.16), (0.7, 0.2), (0.5, 0.36))


def _paper(picture: pygame.Surface, side: int) -> None:
    sheet = ((0.2, 0.08), (0.64, 0.08), (0.82, 0.26), (0.82, 0.92), (0.2, 0.92))
    _polygon(picture, side, _SHEET, *sheet)
    _polygon(picture, side, _SHEET_LINE, (0.64, 0.08), (0.82, 0.26), (0.64, 0.26))
    for y in (0.4, 0.52, 0.64, 0.76):
        pygame.draw.line(picture, _SHEET_LINE, (side * 0.3, side * y), (side * 0.72, side * y), max(1, side // 40))


def _scissors(picture: pygame.Surface, side: int) -> None:
    for sign in (1, -1):
        x = [0.5 + sign * offset for offset in (-0.18, -0.24, 0.12, 0.19)]
        _polygon(picture, side, _STEEL, (x[0], 0.06), (x[1], 0.14), (x[2], 0.64), (x[3], 0.58))
        ring = (side * (0.5 + sign * 0.2), side * 0.76)
        pygame.draw.circle(picture, _GRIP, ring, side * 0.16, width=round(side * 0.065))
    pygame.draw.circle(picture, _STEEL_DARK, (side * 0.5, side * 0.48), side * 0.035)
