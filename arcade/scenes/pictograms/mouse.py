"""A mouse as one sees it from above."""

from __future__ import annotations

import pygame

from arcade.engine.ui import theme
from arcade.scenes.pictograms.pen import Pen


@theme.kept(8)
def mouse_picture(*, size: int, line: theme.Colour, light: theme.Colour) -> pygame.Surface:
    """The mouse, `size` pixels high, its left button filled with `light`."""
    pen = Pen(60, 90, pixels=size, colour=light)
    pen.box((3, 3, 54, 84), radius=27).cut(lambda pen: pen.box((30, 0, 30, 90)).box((0, 39, 60, 51)))
    pen.colour = line
    pen.box((2, 2, 56, 86), radius=28, line=3.5).stroke([(30, 4), (30, 38)], line=3).stroke([(4, 39), (56, 39)], line=3)
    return pen.box((26, 14, 8, 15), radius=4).picture()
