"""Where things stand on the page of a recording, at the user's size of text."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from arcade.engine.ui import theme
from arcade.scenes.screen import FOOT

BUTTON = 50
"""Height of a button at the usual scale."""


@dataclass(frozen=True, slots=True)
class ReplayLayout:
    """The areas of the page, from top to bottom; the buttons have one row, enlarged two."""

    head: pygame.Rect
    picture: pygame.Rect
    seats: pygame.Rect
    scrub: pygame.Rect
    rows: tuple[pygame.Rect, ...]

    @staticmethod
    def of(size: tuple[int, int], *, seats: bool = True) -> ReplayLayout:
        """For a canvas of that size; without `seats` the picture has their room too."""
        width, height = size
        large = theme.scale() > 1
        foot = 2 * theme.font(theme.scaled(theme.SMALL)).get_linesize() + theme.GAP if large else FOOT
        button, gap = (min(theme.scaled(34), 60) if large else BUTTON), theme.GAP
        rows = 2 if large else 1
        inner = width - 2 * theme.MARGIN
        bottom = height - foot - 10
        tops = [bottom - (rows - place) * button - (rows - 1 - place) * gap for place in range(rows)]
        scrub = pygame.Rect(theme.MARGIN - 10, tops[0] - 54, inner + 20, 42)
        head = pygame.Rect(theme.MARGIN, 0, inner, min(theme.scaled(52), 84))
        body = pygame.Rect(0, head.bottom, width, scrub.top - head.bottom - 8)
        side = min(theme.scaled(300), 420) if seats else 0
        return ReplayLayout(
            head,
            pygame.Rect(0, body.top, width - side - (2 * gap if side else 0), body.h),
            pygame.Rect(width - side - gap, body.top, side, body.h),
            scrub,
            tuple(pygame.Rect(theme.MARGIN, top, inner, button) for top in tops),
        )
