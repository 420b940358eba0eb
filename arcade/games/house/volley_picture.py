"""Draws house/volley: court, players, ball, score.

`follow` takes every tick and keeps the state of the animations: the ball's trail and spin, the players' landings, the
sparks of the last point.  `draw` returns the frame, or shows it in a window (human mode) at the game's own pace.
"""

from __future__ import annotations

import math
from collections import deque
from functools import lru_cache

import numpy as np
import pygame
from numpy.typing import NDArray

from arcade.assets import asset
from arcade.games.house import volley_rules as rules
from arcade.games.house import volley_scenery as scenery
from arcade.games.house.volley_batch import VolleyBatch

_TRAIL = 14  # positions kept, one a tick
_SPARKS = 46
_POP_TICKS = 12  # in which a new ball grows to its size
_WARN_TICKS = 150  # left on the clock when the ring round the ball appears


class VolleyPicture:
    """The picture of one game; `window`: show it on the screen."""

    def __init__(self, *, team_size: int, window: bool = False) -> None:
        self._players = 2 * team_size
        self._canvas = scenery.make_canvas()
        self._background = self._canvas.copy()  # of the same byte order
        self._background.blit(scenery.load_sprite("court"), (0, 0))
        self._bodies = [scenery.load_sprite(side) for side in ("left", "right")]
        self._ball = scenery.load_sprite("ball")
        self._shadows = [scenery.paint_shadow(width) for width in range(20, 112, 4)]
        self._puffs = [scenery.paint_puff(5 + i, alpha=12 + 12 * i) for i in range(_TRAIL)]
        self._window: pygame.Surface | None = None
        if window:
            pygame.display.init()
            pygame.display.set_caption("Volley")
            self._window = pygame.display.set_mode(scenery.SIZE)
        self._pace = pygame.time.Clock()
        self.restart()

    def restart(self) -> None:
        """Forget the last game's trail and sparks."""
        self._trail: deque[tuple[float, float]] = deque(maxlen=_TRAIL)
        self._spin = 0.0
        self._squash = [0.0] * (self._players + 1)  # 1 just after a landing or a hit, fading; the ball's comes last
        self._falling = [0.0] * self._players
        self._sparks = np.zeros((0, 5))  # x, y, vx, vy, ticks left
        self._cheer = [0, 0]  # ticks that a team still smiles for its point
        self._dice = np.random.default_rng(0)
        self._winner = 0
        self._game: VolleyBatch | None = None

    def follow(self, game: VolleyBatch) -> None:
        """Update the animations with the newest tick of a batch of one game."""
        self._game = game
        x, y, vx, vy = game.bodies[:, :, 0].tolist()
        event = game.events[0]
        self._spin -= vx[-1] * 2.2
        self._squash = [part * 0.84 for part in self._squash]
        for i in range(self._players):
            if vy[i] == 0 and self._falling[i] < -4:
                self._squash[i] = min(1.0, -self._falling[i] / 13)
            self._falling[i] = vy[i]
        if event in (rules.HIT, rules.BOUNCE):
            self._squash[-1] = 1.0
        if game.clock[0] >= rules.HOLD_TICKS + rules.SERVE_TICKS - 1:
            self._trail.clear()
        self._trail.append((x[-1], y[-1]))
        self._cheer = [max(0, left - 1) for left in self._cheer]
        if event == rules.POINT:
            self._celebrate(float(game.landings[0]))
        self._move_sparks()

    def _celebrate(self, landing: float) -> None:
        """Make sparks where the ball came down."""
        self._cheer[int(landing < 0)] = 50
        self._winner = int(landing < 0)
        angle = self._dice.uniform(0.12, 0.88, _SPARKS) * math.pi
        speed = self._dice.uniform(2.0, 8.5, _SPARKS)
        left = self._dice.uniform(25, 55, _SPARKS)
        place = np.full(_SPARKS, landing), np.full(_SPARKS, 0.1)
        self._sparks = np.stack([*place, np.cos(angle) * speed, np.sin(angle) * speed, left], axis=1)

    def _move_sparks(self) -> None:
        if len(self._sparks):
            self._sparks[:, 3] -= 14 * rules.TICK
            self._sparks[:, :2] += self._sparks[:, 2:4] * rules.TICK
            self._sparks[:, 4] -= 1
            self._sparks = self._sparks[(self._sparks[:, 4] > 0) & (self._sparks[:, 1] > -0.5)]

    def draw(self) -> NDArray[np.uint8] | None:
        """Return the frame, uint8 (540, 960, 3), a new array; with a window show it and return None."""
        game, canvas = self._game, self._canvas
        canvas.blit(self._background, (0, 0))
        if game is not None:
            bodies = game.bodies[:, :, 0].T.tolist()
            for body in bodies[:-1]:
                self._draw_shadow(body, rules.PLAYER_RADIUS)
            self._draw_shadow(bodies[-1], rules.BALL_RADIUS)
            for place, body in enumerate(bodies[:-1]):
                self._draw_player(place, body, bodies[-1])
            self._draw_ball(bodies[-1], float(game.clock[0]))
            self._draw_sparks()
            self._draw_score(game)
        if self._window is not None:
            self._show(self._window)
            return None
        pixels: NDArray[np.uint8] = np.array(canvas.get_buffer(), copy=True).view(np.uint8)
        return pixels.reshape(scenery.HEIGHT, scenery.WIDTH, 3)

    def _show(self, window: pygame.Surface) -> None:
        pygame.event.pump()
        window.blit(self._canvas, (0, 0))
        pygame.display.flip()
        self._pace.tick(rules.FPS)

    def _draw_shadow(self, body: list[float], radius: float) -> None:
        """Smaller the higher the body is."""
        x, y, _, _ = body
        share = max(0.35, 1.0 - (y - radius) / 14)
        width = 2.1 * radius * scenery.SCALE * share
        shadow = self._shadows[min(len(self._shadows) - 1, max(0, round((width - 20) / 4)))]
        left, row = scenery.to_pixels(x, 0.0)
        self._canvas.blit(shadow, shadow.get_rect(center=(round(left), round(row + 2))))

    def _draw_player(self, place: int, body: list[float], ball: list[float]) -> None:
        team = place // (self._players // 2)
        x, y, _, vy = body
        tall = 1 + max(-0.14, min(0.14, 0.011 * vy)) - 0.24 * self._squash[place]
        wide = 1 / tall
        edge = 2 * rules.PLAYER_RADIUS * scenery.SCALE
        size = round(edge * wide), round(edge * tall)
        centre, bottom = scenery.to_pixels(x, y - rules.PLAYER_RADIUS)
        middle = centre, bottom - size[1] / 2
        sprite = pygame.transform.smoothscale(self._bodies[team], size)
        self._canvas.blit(sprite, (round(centre - size[0] / 2), round(bottom - size[1])))
        self._draw_face(middle, (wide, tall), towards=(ball[0] - x, ball[1] - y), team=team)
        if self._players > 2:
            self._draw_marks(middle, place % 2)

    def _draw_face(
        self, middle: tuple[float, float], stretch: tuple[float, float], *, towards: tuple[float, float], team: int
    ) -> None:
        """Draw two eyes that look at the ball, and a mouth that reacts to points."""
        facing = 1 if team == 0 else -1
        distance = math.hypot(*towards) or 1.0
        look = towards[0] / distance * 5, -towards[1] / distance * 5
        for offset, radius in ((2, 11), (27, 10)):
            eye = middle[0] + facing * offset * stretch[0] - facing * 2, middle[1] - 12 * stretch[1]
            pygame.draw.aacircle(self._canvas, scenery.INK, eye, radius + 2)
            pygame.draw.aacircle(self._canvas, scenery.WHITE, eye, radius)
            pygame.draw.aacircle(self._canvas, scenery.INK, (eye[0] + look[0], eye[1] + look[1]), 5)
            pygame.draw.aacircle(self._canvas, scenery.WHITE, (eye[0] + look[0] + 2, eye[1] + look[1] - 2), 1.5)
        mouth = pygame.Rect(0, 0, 26, 18)
        mouth.center = round(middle[0] + facing * 13), round(middle[1] + 12 * stretch[1])
        if self._cheer[team]:
            laugh = mouth.inflate(4, 10).move(0, -7)
            self._canvas.set_clip((laugh.left, laugh.centery, laugh.w, laugh.h))  # the lower half: a laugh
            pygame.draw.ellipse(self._canvas, scenery.INK, laugh)
            pygame.draw.ellipse(self._canvas, (220, 70, 80), laugh.inflate(-8, -6).move(0, 3))
            self._canvas.set_clip(None)
        elif self._cheer[1 - team]:
            pygame.draw.arc(self._canvas, scenery.INK, mouth.move(0, 4), 0.3, math.pi - 0.3, 3)
        else:
            pygame.draw.arc(self._canvas, scenery.INK, mouth.move(0, -6), math.pi + 0.3, -0.3, 3)

    def _draw_marks(self, middle: tuple[float, float], place: int) -> None:
        """Draw one or two dots that tell team mates apart."""
        for i in range(place + 1):
            dot = middle[0] + (i - place / 2) * 13, middle[1] + 33
            pygame.draw.aacircle(self._canvas, scenery.WHITE, dot, 4.5)

    def _draw_ball(self, ball: list[float], clock: float) -> None:
        for i, (x, y) in enumerate(self._trail, start=_TRAIL - len(self._trail)):
            puff = self._puffs[i]
            self._canvas.blit(puff, puff.get_rect(center=[round(part) for part in scenery.to_pixels(x, y)]))
        x, y, vx, vy = ball
        age = rules.HOLD_TICKS + rules.SERVE_TICKS - clock
        grown = min(1.0, (age + 1) / _POP_TICKS)
        middle = scenery.to_pixels(x, y)
        if middle[1] < -rules.BALL_RADIUS * scenery.SCALE:
            self._draw_arrow(middle[0], y)
            return
        sprite = self._shaped_ball(math.hypot(vx, vy), math.degrees(math.atan2(vy, vx)), grown)
        self._canvas.blit(sprite, sprite.get_rect(center=(round(middle[0]), round(middle[1]))))
        if clock < _WARN_TICKS:
            self._draw_ring(middle, clock / _WARN_TICKS)

    def _shaped_ball(self, speed: float, heading: float, grown: float) -> pygame.Surface:
        """Return the ball turned by its spin, stretched by its speed, flat after a hit."""
        stretch = 1 + min(0.16, speed * 0.009) - 0.3 * self._squash[-1]
        turned = pygame.transform.rotozoom(self._ball, self._spin - heading, grown)
        if abs(stretch - 1) < 0.03:
            return pygame.transform.rotozoom(self._ball, self._spin, grown)
        width, height = turned.get_size()
        long = pygame.transform.smoothscale(turned, (round(width * stretch), round(height / stretch)))
        return pygame.transform.rotozoom(long, heading, 1.0)

    def _draw_ring(self, middle: tuple[float, float], left: float) -> None:
        """Draw how long the side may still keep the ball."""
        radius = rules.BALL_RADIUS * scenery.SCALE + 9
        box = pygame.Rect(0, 0, round(2 * radius), round(2 * radius))
        box.center = round(middle[0]), round(middle[1])
        pygame.draw.arc(self._canvas, (200, 50, 60), box, math.pi / 2, math.pi / 2 + 2 * math.pi * left, 4)

    def _draw_arrow(self, x: float, y: float) -> None:
        """Point to a ball above the picture."""
        half = max(8.0, 20 - 4 * (y - 10))
        pygame.draw.polygon(self._canvas, scenery.INK, [(x, 3), (x - half - 3, half + 11), (x + half + 3, half + 11)])
        pygame.draw.polygon(self._canvas, scenery.WHITE, [(x, 8), (x - half, half + 8), (x + half, half + 8)])

    def _draw_sparks(self) -> None:
        for i, (x, y, _, _, left) in enumerate(self._sparks.tolist()):
            colour = scenery.TEAM_COLOURS[self._winner] if i % 3 else scenery.DUST
            pygame.draw.aacircle(self._canvas, colour, scenery.to_pixels(x, y), 1.5 + left / 11)

    def _draw_score(self, game: VolleyBatch) -> None:
        middle = scenery.WIDTH // 2
        left, right = game.scores[:, 0].tolist()
        self._write(str(left), (middle - 92, 52), size=72, colour=scenery.TEAM_COLOURS[0])
        self._write(str(right), (middle + 92, 52), size=72, colour=scenery.TEAM_COLOURS[1])
        seconds = -(-max(0, game.max_ticks - int(game.ticks[0])) // rules.FPS)
        self._write(f"{seconds // 60}:{seconds % 60:02d}", (middle, 50), size=26, colour=scenery.INK)
        if game.ticks[0] >= game.max_ticks or max(left, right) >= game.points:
            self._draw_winner(middle, left - right)

    def _draw_winner(self, middle: int, ahead: int) -> None:
        """Draw a cup in the colour of the winner, or "=": a picture has no language."""
        if not ahead:
            self._write("=", (middle, 176), size=110, colour=scenery.INK)
            return
        gold, rim = scenery.TEAM_COLOURS[0 if ahead > 0 else 1], scenery.WHITE
        for grow, colour in ((5, rim), (0, gold)):
            for side in (-1, 1):
                handle = pygame.Rect(0, 0, 44 + 2 * grow, 48 + 2 * grow)
                handle.center = (middle + side * 40, 158)
                pygame.draw.ellipse(self._canvas, colour, handle, 10 + 2 * grow)
            bowl = [(-46, 126), (46, 126), (40, 166), (16, 190), (-16, 190), (-40, 166)]
            spots = [(middle + x + (grow if x > 0 else -grow), y + (grow if y > 160 else -grow)) for x, y in bowl]
            pygame.draw.polygon(self._canvas, colour, spots)
            for wide, high, top in ((16, 24, 188), (72, 16, 212)):
                foot = pygame.Rect(0, 0, wide + 2 * grow, high + 2 * grow)
                foot.midtop = (middle, top - grow)
                pygame.draw.rect(self._canvas, colour, foot, border_radius=4)

    def _write(self, text: str, middle: tuple[int, int], *, size: int, colour: scenery.Colour) -> None:
        sprite = _text(text, size, colour)
        self._canvas.blit(sprite, sprite.get_rect(center=middle))

    def close(self) -> None:
        """Close the window where there is one."""
        if self._window is not None:
            pygame.display.quit()
            self._window = None


@lru_cache(maxsize=256)
def _text(text: str, size: int, colour: scenery.Colour) -> pygame.Surface:
    """Return a text with a white rim."""
    pygame.font.init()
    font = pygame.font.Font(str(asset("fonts", "Inter-SemiBold.otf")), size)
    inside, rim = font.render(text, True, colour), font.render(text, True, scenery.WHITE)
    width = max(2, size // 18)
    sprite = pygame.Surface((rim.get_width() + 2 * width, rim.get_height() + 2 * width), pygame.SRCALPHA, 32)
    for step in range(16):
        turn = step * math.pi / 8
        sprite.blit(rim, (width + width * math.cos(turn), width + width * math.sin(turn)))
    sprite.blit(inside, (width, width))
    return sprite
