"""What stands still in the picture of house/volley, and the sprites of what does not; each is painted once.

All of it is drawn with pygame onto off-screen surfaces: no display is opened and none is needed.
"""

from __future__ import annotations

import math

import numpy as np
import pygame

from arcade.games.house import volley_rules as rules

SIZE = WIDTH, HEIGHT = 960, 540
SCALE = WIDTH / (2 * rules.HALF_COURT)  # pixels a metre
GROUND = 486  # the row on which players and ball stand
HORIZON, SHORE = 352, 428

Colour = tuple[int, int, int]
# Blue and orange of the Okabe-Ito palette, which keeps its colours apart for every kind of colour blindness.
TEAM_COLOURS: tuple[Colour, Colour] = ((0, 114, 178), (240, 140, 20))
TEAM_NAMES = ("Blue", "Orange")
INK: Colour = (38, 44, 64)
WHITE: Colour = (255, 255, 255)
DUST: Colour = (196, 156, 96)

_FINE = 4  # sprites are painted this many times larger and shrunk, which smooths their edges


def to_pixels(x: float, y: float) -> tuple[float, float]:
    """The pixel of a point of the court."""
    return WIDTH / 2 + x * SCALE, GROUND - y * SCALE


def make_canvas() -> pygame.Surface:
    """A surface whose bytes lie as red, green, blue, so that a frame is one copy of memory."""
    return pygame.Surface(SIZE, 0, 24, (0x0000FF, 0x00FF00, 0xFF0000, 0))


def paint_background() -> pygame.Surface:
    """Sky, sun, clouds, islands, sea, beach and net."""
    canvas = make_canvas()
    _paint_rows(canvas, (0, HORIZON), top=(74, 163, 223), bottom=(253, 231, 200))
    sun = WIDTH * 0.76, 250.0
    _blend(canvas, _glow(230, (255, 240, 190), strength=150), sun)
    _blend(canvas, _disc(46, (255, 246, 214)), sun)
    for x, y, size in ((150, 92, 1.0), (330, 150, 0.7), (655, 138, 0.85), (860, 84, 1.15)):
        _paint_cloud(canvas, x, y, size)
    _paint_islands(canvas)
    _paint_rows(canvas, (HORIZON, SHORE), top=(64, 150, 190), bottom=(128, 205, 208))
    _paint_glitter(canvas, sun[0])
    _paint_rows(canvas, (SHORE, HEIGHT), top=(250, 230, 184), bottom=(226, 190, 130))
    _paint_shore(canvas)
    _paint_sand(canvas)
    _paint_net(canvas)
    return canvas


def _paint_rows(canvas: pygame.Surface, rows: tuple[int, int], *, top: Colour, bottom: Colour) -> None:
    first, last = rows
    for row in range(first, last):
        share = (row - first) / max(1, last - first - 1)
        colour = [round(a + (b - a) * share) for a, b in zip(top, bottom, strict=True)]
        pygame.draw.line(canvas, colour, (0, row), (WIDTH, row))


def _paint_cloud(canvas: pygame.Surface, x: float, y: float, size: float) -> None:
    cloud = _clear(round(200 * size), round(80 * size), WHITE, fine=True)
    for dx, dy, radius in ((52, 52, 24), (82, 40, 34), (118, 44, 30), (148, 54, 20)):
        middle = (dx * size * _FINE, dy * size * _FINE)
        pygame.draw.circle(cloud, (255, 255, 255, 255), middle, radius * size * _FINE)
    flat = pygame.Rect(52 * size * _FINE, 54 * size * _FINE, 98 * size * _FINE, 22 * size * _FINE)
    pygame.draw.rect(cloud, (255, 255, 255, 255), flat)
    small = _shrunk(cloud)
    small.set_alpha(165)
    _blend(canvas, small, (x, y))


def _paint_islands(canvas: pygame.Surface) -> None:
    for colour, middle, width, height in (
        ((150, 178, 205), 120, 330, 58),
        ((122, 160, 180), 262, 250, 38),
        ((150, 178, 205), 560, 240, 30),
        ((122, 160, 180), 905, 260, 46),
    ):
        island = _clear(width, height, colour, fine=True)
        pygame.draw.ellipse(island, (*colour, 255), (0, 0, width * _FINE, 2 * height * _FINE))
        canvas.blit(_shrunk(island), (middle - width // 2, HORIZON - height))


def _paint_glitter(canvas: pygame.Surface, sun_x: float) -> None:
    dice = np.random.default_rng(5)
    for _ in range(150):
        depth = dice.random() ** 0.7
        x = sun_x + dice.normal() * (30 + 90 * depth) if dice.random() < 0.6 else dice.random() * WIDTH
        y = HORIZON + 3 + depth * (SHORE - HORIZON - 12)
        half = 3 + 11 * depth * dice.random()
        pygame.draw.line(canvas, (214, 238, 232), (x - half, y), (x + half, y), 1 + int(depth > 0.7))


def _paint_shore(canvas: pygame.Surface) -> None:
    for colour, drop in (((206, 178, 128), 8), ((255, 255, 255), 3), ((170, 224, 222), 0)):
        points = [(x, SHORE + drop + 4 * math.sin(x / 70) + 2 * math.sin(x / 23)) for x in range(0, WIDTH + 8, 8)]
        pygame.draw.polygon(canvas, colour, [(0, SHORE - 6), *points, (WIDTH, SHORE - 6)])


def _paint_sand(canvas: pygame.Surface) -> None:
    dice = np.random.default_rng(11)
    for _ in range(420):
        x, y = dice.random() * WIDTH, SHORE + 18 + dice.random() * (HEIGHT - SHORE - 18)
        colour = (222, 188, 132) if dice.random() < 0.6 else (255, 242, 210)
        pygame.draw.ellipse(canvas, colour, (x, y, 2 + 4 * dice.random(), 2))
    back, front = GROUND - 20, GROUND + 24
    for start, end in (((16, back), (0, front)), ((WIDTH - 16, back), (WIDTH, front))):
        pygame.draw.line(canvas, (252, 248, 236), start, end, 4)
    for row, inset in ((back, 16), (front, 0)):
        pygame.draw.line(canvas, (252, 248, 236), (inset, row), (WIDTH - inset, row), 4)


def _paint_net(canvas: pygame.Surface) -> None:
    """The net from its edge: what is drawn is what the ball bounces off, and a shadow."""
    half, top = rules.NET_RADIUS * SCALE, rules.NET_TOP * SCALE
    width, height = round(2 * half), round(top + half + 22)
    pole = _clear(width, height, (150, 104, 66), fine=True)
    full = pygame.Rect(0, 0, width * _FINE, height * _FINE)
    pygame.draw.rect(pole, (150, 104, 66, 255), full, border_radius=round(half * _FINE))
    pygame.draw.rect(pole, (186, 138, 92, 255), (width * _FINE // 4, full.h // 6, width * _FINE // 5, full.h))
    tape = pygame.Rect(0, 0, full.w, 62 * _FINE)
    pygame.draw.rect(pole, (250, 250, 250, 255), tape, border_radius=round(half * _FINE))
    for stripe in range(3):
        pygame.draw.rect(pole, (208, 64, 72, 255), (0, (12 + 18 * stripe) * _FINE, full.w, 8 * _FINE))
    _blend(canvas, paint_shadow(54), (WIDTH / 2 + 10, GROUND + 16))
    canvas.blit(_shrunk(pole), (WIDTH / 2 - width / 2, GROUND - top - half))


def paint_player(colour: Colour) -> pygame.Surface:
    """A round player without its face, lit from the upper right."""
    radius = rules.PLAYER_RADIUS * SCALE
    edge = round(2 * radius)
    outline = colour[0] // 2, colour[1] // 2, colour[2] // 2
    body = _clear(edge, edge, outline, fine=True)
    middle, full = radius * _FINE, radius * _FINE
    for step in range(24):
        share = step / 23
        tone = [round(part * 0.72 + (min(255, part * 1.12 + 46) - part * 0.72) * share) for part in colour]
        shift = full * 0.22 * share
        pygame.draw.circle(body, (*tone, 255), (middle + shift, middle - shift), full * (1 - 0.55 * share) - 1)
    pygame.draw.circle(body, (*outline, 255), (middle, middle), full - 1, width=2 * _FINE)
    return _shrunk(body)


def paint_ball() -> pygame.Surface:
    """A beach ball: six panels round a button."""
    radius = rules.BALL_RADIUS * SCALE
    ball = _clear(round(2 * radius), round(2 * radius), INK, fine=True)
    full = radius * _FINE
    panels = (WHITE, (220, 70, 80), WHITE, (250, 200, 60), WHITE, (40, 160, 140))
    for i, colour in enumerate(panels):
        arc = [math.radians(60 * i + step * 6) for step in range(11)]
        rim = [(full + (full - 1) * math.cos(a), full + (full - 1) * math.sin(a)) for a in arc]
        pygame.draw.polygon(ball, (*colour, 255), [(full, full), *rim])
    pygame.draw.circle(ball, (*INK, 255), (full, full), full - 1, width=round(1.5 * _FINE))
    pygame.draw.circle(ball, (255, 255, 255, 255), (full, full), full * 0.2)
    pygame.draw.circle(ball, (*INK, 255), (full, full), full * 0.2, width=_FINE)
    return _shrunk(ball)


def paint_shadow(width: int) -> pygame.Surface:
    """A soft ellipse on the sand."""
    return pygame.transform.smoothscale(_glow(32, (70, 50, 30), strength=120), (width, max(4, width // 4)))


def paint_puff(radius: int, colour: Colour, *, alpha: int) -> pygame.Surface:
    """A soft disc for the trail."""
    puff = _disc(radius, colour)
    puff.set_alpha(alpha)
    return puff


def _disc(radius: float, colour: Colour) -> pygame.Surface:
    disc = _clear(round(2 * radius), round(2 * radius), colour, fine=True)
    pygame.draw.circle(disc, (*colour, 255), (radius * _FINE, radius * _FINE), radius * _FINE)
    return _shrunk(disc)


def _glow(radius: int, colour: Colour, *, strength: int) -> pygame.Surface:
    """A disc that fades out towards its rim."""
    glow = _clear(2 * radius, 2 * radius, colour)
    for step in range(radius, 0, -1):
        fade = (1 - step / radius) ** 1.6
        pygame.draw.circle(glow, (*colour, round(strength * fade)), (radius, radius), step)
    return glow


def _clear(width: int, height: int, rim: Colour, *, fine: bool = False) -> pygame.Surface:
    """A surface with nothing on it; `rim` is the colour that shrinking mixes into the edges of what is painted."""
    times = _FINE if fine else 1
    surface = pygame.Surface((width * times, height * times), pygame.SRCALPHA, 32)
    surface.fill((*rim, 0))
    return surface


def _shrunk(surface: pygame.Surface) -> pygame.Surface:
    return pygame.transform.smoothscale(surface, (surface.get_width() // _FINE, surface.get_height() // _FINE))


def _blend(canvas: pygame.Surface, sprite: pygame.Surface, middle: tuple[float, float]) -> None:
    canvas.blit(sprite, sprite.get_rect(center=(round(middle[0]), round(middle[1]))))
