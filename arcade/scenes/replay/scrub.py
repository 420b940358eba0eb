"""ScrubBar: seeks in a recording, with the position and marks of events; SignButton: play, stop, step."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, PaintedWidget
from arcade.match.playback.timeline import Mark

FAST = 8
"""Repeats of a held direction after which each step is four times as long."""


class ScrubBar(PaintedWidget):
    """Left and right seek, accept plays or stops, the mouse drags and its wheel steps.

    The caller keeps `at` up to date, and `marks`, `length` and `span` once they are known.
    """

    def __init__(
        self,
        rect: pygame.Rect,
        *,
        seek: Callable[[int], None],
        step: Callable[[int], None],
        toggle: Callable[[], None],
        moment: Callable[[int], str],
    ) -> None:
        """`seek` takes a tick, `step` a number of ticks; `moment` returns the text of a tick's time."""
        super().__init__(rect)
        self.label, self.hint = "Time", "Left, right: back or forward; press: play or stop; drag with the mouse"
        self.length, self.at, self.stride = 0, 0, 60
        self.span: tuple[int, int] | None = None  # the ticks that count, if others are trimmed
        self.marks: Sequence[Mark] = ()
        self._seek, self._step, self._toggle, self._moment = seek, step, toggle, moment
        self._drags = False
        self._repeats = 0
        self._mouse: int | None = None  # where the mouse points

    def menu(self, event: MenuInput) -> bool:
        by = {"left": -1, "right": 1}.get(event.action, 0)
        if by:
            self._repeats = self._repeats + 1 if event.repeated else 0
            self._seek(self.at + by * self.stride * (4 if self._repeats > FAST else 1))
        elif event.action == "accept" and not event.repeated:
            self._toggle()
        return bool(by) or event.action == "accept"

    def pointer(self, event: PointerInput) -> bool:
        self._mouse = event.pos[0] if self.rect.collidepoint(event.pos) else None
        if event.kind == "wheel":
            self._step(-event.wheel)
        elif event.kind == "press" and event.button == 1:
            self._drags = True
        elif event.kind == "release":
            self._drags = False
        if self._drags and event.kind in ("press", "move"):
            self._seek(self._tick_at(event.pos[0]))
        return True

    @property
    def shown(self) -> object:
        return self.length, id(self.marks), self.span

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        super().draw(canvas)
        track = self._track
        done = pygame.Rect(track.left, track.top, max(4, self._x(self.at) - track.left), track.h)
        pygame.draw.rect(canvas, theme.BLUE, done, border_radius=4)
        knob = (self._x(self.at), track.centery)
        pygame.draw.circle(canvas, theme.GROUND, knob, 13)
        pygame.draw.circle(canvas, theme.INK, knob, 10)
        if focused:
            theme.draw_focus(canvas, self.rect)
        if self._mouse is not None:
            self._draw_moment(canvas, self._mouse)

    @property
    def _track(self) -> pygame.Rect:
        return pygame.Rect(self.rect.left + 18, self.rect.bottom - 18, self.rect.w - 36, 8)

    def _x(self, tick: int) -> int:
        track = self._track
        return track.left + round(track.w * min(1.0, tick / max(1, self.length)))

    def _tick_at(self, x: int) -> int:
        track = self._track
        return round(self.length * min(1.0, max(0.0, (x - track.left) / track.w)))

    def paint(self) -> pygame.Surface:
        picture = pygame.Surface(self.rect.size, pygame.SRCALPHA)
        track = self._track.move(-self.rect.left, -self.rect.top)
        pygame.draw.rect(picture, theme.RAISED, track, border_radius=4)
        if self.span is not None:
            left, right = (self._x(tick) - self.rect.left for tick in self.span)
            pygame.draw.rect(picture, theme.EDGE, (left, track.top, max(2, right - left), track.h), border_radius=4)
            for x in (left, right):
                pygame.draw.line(picture, theme.MUTED, (x, track.top - 8), (x, track.bottom + 6), 2)
        for mark in self.marks:
            draw_mark(picture, (self._x(mark.tick) - self.rect.left, track.top - 11), mark)
        return picture

    def _draw_moment(self, canvas: pygame.Surface, x: int) -> None:
        """Draw the time at the mouse."""
        words = theme.text(self._moment(self._tick_at(x)), size=theme.SMALL)
        plate = words.get_rect(midbottom=(x, self.rect.top - 10)).inflate(16, 8)
        plate.clamp_ip(canvas.get_rect())
        theme.draw_panel(canvas, plate, edge=theme.EDGE)
        canvas.blit(words, words.get_rect(center=plate.center))


def draw_mark(picture: pygame.Surface, at: tuple[int, int], mark: Mark) -> None:
    """Draw a mark by a shape for its kind, since colour alone is not enough: diamond, triangle, square, cross."""
    x, y = at
    match mark.kind:
        case "point":
            pygame.draw.polygon(picture, theme.INK, [(x, y - 6), (x + 5, y), (x, y + 6), (x - 5, y)])
        case "takeover":
            pygame.draw.polygon(picture, theme.ORANGE, [(x - 7, y - 6), (x + 7, y - 6), (x, y + 7)])
        case "seat":
            pygame.draw.rect(picture, theme.YELLOW, (x - 5, y - 5, 10, 10))
        case "end":
            for way in (-1, 1):
                pygame.draw.line(picture, theme.WARNING, (x - 5, y - 5 * way), (x + 5, y + 5 * way), 3)


class SignButton(Button):
    """A button with a sign instead of text: play, pause, back, on, previous, next."""

    def __init__(self, rect: pygame.Rect, sign: str, words: str, press: Callable[[], None], hint: str) -> None:
        super().__init__(rect, words, press, primary=sign == "play", hint=hint)
        self.sign = sign

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        label, self.label = self.label, ""
        super().draw(canvas, focused=focused)
        self.label = label
        ink = theme.GROUND if self.primary else theme.INK
        draw_sign(canvas, self.sign, self.rect.center, min(self.rect.size) * 26 // 100, ink)


def draw_sign(canvas: pygame.Surface, sign: str, at: tuple[int, int], size: int, ink: theme.Colour) -> None:
    """Draw a sign; `size` is half its height."""
    x, y = at
    if sign == "pause":
        for side in (-1, 1):
            _draw_bar(canvas, ink, (x + side * size * 6 // 10, y), size, width=max(4, size * 6 // 10))
        return
    way = -1 if sign in ("back", "previous") else 1
    pygame.draw.polygon(canvas, ink, [(x - way * size * 7 // 10, y - size), (x - way * size * 7 // 10, y + size),
                                      (x + way * size, y)])  # fmt: skip
    if sign in ("back", "on"):  # one tick: a bar at the blunt end
        _draw_bar(canvas, ink, (x - way * (size + 3), y), size)
    elif sign in ("previous", "next"):  # up to a mark: a bar at the tip
        _draw_bar(canvas, ink, (x + way * (size + 3), y), size)


def _draw_bar(canvas: pygame.Surface, ink: theme.Colour, at: tuple[int, int], size: int, *, width: int = 4) -> None:
    bar = pygame.Rect(0, 0, width, 2 * size)
    bar.center = at
    pygame.draw.rect(canvas, ink, bar)
