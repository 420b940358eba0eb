"""ScrubBar: seeks in a recording, with the position and marks of events."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.theme import Size, Theme
from arcade.engine.ui.widget import Widget
from arcade.language import _
from arcade.match.playback.playback import Playback
from arcade.match.playback.timeline import Mark, Timeline

FASTER = ((24, 16), (8, 4))
"""Repeats of a held direction, and how many times as long each step is after them."""
INSET = 18
"""Units from the end of the widget to the end of its track."""


class ScrubBar(Widget):
    """Left and right seek, accept plays or pauses, the mouse drags and its wheel steps."""

    focusable = True
    key = "time"

    def __init__(
        self, playback: Playback, timeline: Timeline, *, toggle: Callable[[], None], moment: Callable[[int], str],
        span: tuple[int, int | None] = (0, None), stride: int = 60,
    ) -> None:  # fmt: skip
        """`moment` returns the text of a tick's time; `span` are the ticks that count; `stride`: ticks a step."""
        super().__init__()
        self.label = _("Time")
        self.hint = _("Left, right: back or forward; press: play or pause; drag with the mouse")
        self._playback, self._timeline, self._toggle, self._moment = playback, timeline, toggle, moment
        self._span, self._stride = span, stride
        self._drags, self._repeats = False, 0
        self.mouse: int | None = None  # where it points; its time is shown
        self._track = pygame.Rect(0, 0, 1, 1)

    def natural(self, theme: Theme, width: int) -> Size:
        return width, theme.px(42)

    def arrange(self, theme: Theme, rect: pygame.Rect) -> None:
        super().arrange(theme, rect)
        inset, high = theme.px(INSET), theme.px(8)
        self._track = pygame.Rect(rect.left + inset, rect.bottom - theme.px(18), max(1, rect.w - 2 * inset), high)

    def menu(self, event: MenuInput) -> bool:
        by = {"left": -1, "right": 1}.get(event.action, 0)
        if by:
            self._repeats = self._repeats + 1 if event.repeated else 0
            times = next((factor for repeats, factor in FASTER if self._repeats > repeats), 1)
            self._playback.seek(self._playback.goal + by * self._stride * times)
        elif event.is_accept and not event.repeated:
            self._toggle()
        return bool(by) or event.is_accept

    def pointer(self, event: PointerInput) -> bool:
        self.mouse = event.pos[0] if self.rect.collidepoint(event.pos) else None
        if event.kind == "wheel":
            self._playback.step(-event.wheel)
        elif event.is_click:
            self._drags = True
        elif event.kind == "release":
            self._drags = False
        if self._drags and event.kind in ("press", "move"):
            self._playback.seek(self._tick_at(event.pos[0]))
        return True

    def leave(self) -> None:
        self.mouse = None

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        track, px, colours = self._track, theme.px, theme.colours
        pygame.draw.rect(canvas, colours.raised, track, border_radius=px(4))
        self._draw_span(canvas, theme)
        at = self._x(self._playback.goal)
        done = pygame.Rect(track.left, track.top, max(px(4), at - track.left), track.h)
        pygame.draw.rect(canvas, colours.teams[0], done, border_radius=px(4))
        for mark in self._timeline.marks:
            draw_mark(canvas, theme, (self._x(mark.tick), track.top - px(11)), mark)
        pygame.draw.circle(canvas, colours.ground, (at, track.centery), px(13))
        pygame.draw.circle(canvas, colours.ink, (at, track.centery), px(10))
        if self.focused:
            theme.draw_focus(canvas, self.rect)
        if self.mouse is not None:
            self._draw_moment(canvas, theme, self.mouse)

    def _draw_span(self, canvas: pygame.Surface, theme: Theme) -> None:
        """Draw the ticks that count, where others are trimmed."""
        if self._span == (0, None):
            return
        start, end = self._span
        track, px = self._track, theme.px
        left, right = self._x(start), self._x(self._playback.length if end is None else end)
        counted = (left, track.top, max(px(2), right - left), track.h)
        pygame.draw.rect(canvas, theme.colours.edge, counted, border_radius=px(4))
        for x in (left, right):
            pygame.draw.line(canvas, theme.colours.muted, (x, track.top - px(8)), (x, track.bottom + px(6)), px(2))

    def _x(self, tick: int) -> int:
        return self._track.left + round(self._track.w * min(1.0, tick / max(1, self._playback.length)))

    def _tick_at(self, x: int) -> int:
        return round(self._playback.length * min(1.0, max(0.0, (x - self._track.left) / self._track.w)))

    def _draw_moment(self, canvas: pygame.Surface, theme: Theme, x: int) -> None:
        """Draw the time at the mouse."""
        words = theme.text(self._moment(self._tick_at(x)), size=themes.SMALL)
        plate = words.get_rect(midbottom=(x, self.rect.top - theme.px(10))).inflate(theme.px(16), theme.px(8))
        plate.clamp_ip(canvas.get_rect())
        theme.draw_panel(canvas, plate, edge=theme.colours.edge)
        canvas.blit(words, words.get_rect(center=plate.center))


def draw_mark(canvas: pygame.Surface, theme: Theme, at: tuple[int, int], mark: Mark) -> None:
    """Draw a mark by a shape for its kind, since colour alone is not enough: diamond, triangle, square, cross."""
    (x, y), px, colours = at, theme.px, theme.colours
    match mark.kind:
        case "point":
            corners = [(x, y - px(6)), (x + px(5), y), (x, y + px(6)), (x - px(5), y)]
            pygame.draw.polygon(canvas, colours.ink, corners)
        case "takeover":
            pygame.draw.polygon(canvas, colours.focus, [(x - px(7), y - px(6)), (x + px(7), y - px(6)), (x, y + px(7))])
        case "seat":
            pygame.draw.rect(canvas, colours.yellow, (x - px(5), y - px(5), px(10), px(10)))
        case "end":
            for way in (-1, 1):
                start, end = (x - px(5), y - px(5) * way), (x + px(5), y + px(5) * way)
                pygame.draw.line(canvas, colours.warning, start, end, px(3))
