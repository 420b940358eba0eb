"""The scale, colours and sprites of house/volley's picture; no display is opened."""

from __future__ import annotations

import pygame

from arcade.assets import asset
from arcade.games.house import volley_rules as rules

SIZE = WIDTH, HEIGHT = 960, 540
SCALE = WIDTH / (2 * rules.HALF_COURT)  # pixels a metre; the pictures in assets/volley are drawn to it
GROUND = 486  # the row of the sand under players and ball

Colour = tuple[int, int, int]
# Blue and orange of the Okabe-Ito palette, which stays distinct with every kind of colour blindness.
TEAM_COLOURS: tuple[Colour, Colour] = ((0, 114, 178), (240, 140, 20))
INK: Colour = (38, 44, 64)
WHITE: Colour = (255, 255, 255)
DUST: Colour = (196, 156, 96)

_FINE = 4  # a puff is drawn this many times larger and shrunk, which smooths its edge


def to_pixels(x: float, y: float) -> tuple[float, float]:
    """Return the pixel of a point of the court."""
    return WIDTH / 2 + x * SCALE, GROUND - y * SCALE


def make_canvas() -> pygame.Surface:
    """Return a surface with the byte order red, green, blue, so that a frame is one copy of memory."""
    return pygame.Surface(SIZE, 0, 24, (0x0000FF, 0x00FF00, 0xFF0000, 0))


def load_sprite(name: str) -> pygame.Surface:
    """Load a picture from assets/volley: the court, a player without its face, or the ball."""
    return pygame.image.load(asset("volley", f"{name}.png"))


def paint_shadow(width: int) -> pygame.Surface:
    """Return a soft ellipse on the sand."""
    radius, colour = 32, (70, 50, 30)
    glow = _clear(2 * radius, colour)
    for step in range(radius, 0, -1):
        fade = (1 - step / radius) ** 1.6
        pygame.draw.circle(glow, (*colour, round(120 * fade)), (radius, radius), step)
    return pygame.transform.smoothscale(glow, (width, max(4, width // 4)))


def paint_puff(radius: int, *, alpha: int) -> pygame.Surface:
    """Return a soft white disc for the trail."""
    large = _clear(2 * radius * _FINE, WHITE)
    pygame.draw.circle(large, (*WHITE, 255), (radius * _FINE, radius * _FINE), radius * _FINE)
    puff = pygame.transform.smoothscale(large, (2 * radius, 2 * radius))
    puff.set_alpha(alpha)
    return puff


def _clear(edge: int, rim: Colour) -> pygame.Surface:
    """Return an empty square; `rim`: the colour that shrinking mixes into the edges."""
    surface = pygame.Surface((edge, edge), pygame.SRCALPHA, 32)
    surface.fill((*rim, 0))
    return surface
