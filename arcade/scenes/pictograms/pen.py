"""Pen: draws small pictures with smooth edges at any size."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from arcade.engine.ui.theme import Colour

FINER = 4  # pictures are drawn this many times larger and smoothed down

Place = tuple[float, float]


class Pen:
    """Draws on a picture of `width` x `height` units that is `pixels` high."""

    def __init__(self, width: float, height: float, *, pixels: int, colour: Colour) -> None:
        self._scale = pixels * FINER / height
        self._size = (max(1, round(width * pixels / height)), pixels)
        self.colour = colour
        self._big = pygame.Surface((self._size[0] * FINER, self._size[1] * FINER), pygame.SRCALPHA)
        self._big.fill((*colour, 0))  # a transparent ground of another colour would darken the edges

    def picture(self) -> pygame.Surface:
        """Return the finished picture."""
        return pygame.transform.smoothscale(self._big, self._size)

    def ink(self, colour: Colour) -> Pen:
        """Draw the next shapes in another colour."""
        self.colour = colour
        return self

    def box(self, rect: tuple[float, float, float, float], *, radius: float = 0, line: float = 0) -> Pen:
        """Draw a rounded rectangle (left, top, width, height), filled without a `line`."""
        area = pygame.Rect(tuple(map(self._px, rect)))
        pygame.draw.rect(self._big, self.colour, area, self._thick(line), border_radius=self._px(radius))
        return self

    def disc(self, at: Place, radius: float, *, line: float = 0) -> Pen:
        """Draw a circle, filled without a `line`."""
        pygame.draw.circle(self._big, self.colour, self._at(at), radius * self._scale, self._thick(line))
        return self

    def stroke(self, places: Sequence[Place], *, line: float, closed: bool = False) -> Pen:
        """Draw a line through `places` with round ends and corners."""
        points = [pygame.Vector2(self._at(place)) for place in places]
        for start, end in zip(points, [*points[1:], points[0]] if closed else points[1:], strict=False):
            across = (end - start).rotate(90)  # pygame's own thick lines are thinner where they slant
            if across:
                across.scale_to_length(line * self._scale / 2)
                corners = [start + across, end + across, end - across, start - across]
                pygame.draw.polygon(self._big, self.colour, corners)
        for point in points:
            pygame.draw.circle(self._big, self.colour, point, line * self._scale / 2)
        return self

    def shape(self, places: Sequence[Place]) -> Pen:
        """Draw a filled polygon."""
        pygame.draw.polygon(self._big, self.colour, [self._at(place) for place in places])
        return self

    def bow(self, centre: Place, radius: float, start: float, end: float, *, line: float) -> Pen:
        """Draw an arc from `start` to `end`, in degrees, counter-clockwise from the right."""
        step = 6 if end > start else -6
        turns = [pygame.Vector2(radius, 0).rotate(-angle) for angle in range(round(start), round(end) + step, step)]
        return self.stroke([(centre[0] + turn.x, centre[1] + turn.y) for turn in turns], line=line)

    def cut(self, draw: Callable[[Pen], object]) -> Pen:
        """Cut out the shapes that `draw` draws."""
        colour, self.colour = self.colour, (*self.colour[:3], 0)  # type: ignore[assignment]
        draw(self)
        self.colour = colour
        return self

    def _at(self, place: Place) -> Place:
        return place[0] * self._scale, place[1] * self._scale

    def _px(self, units: float) -> int:
        return round(units * self._scale)

    def _thick(self, line: float) -> int:
        return max(1, self._px(line)) if line else 0
