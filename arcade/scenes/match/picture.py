"""GamePicture: draws a game by its table, frame, text or observations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pygame

from agents.seats.controller import AgentID
from arcade.controls.cursor_controller import CursorController
from arcade.engine.input.events import PointerInput
from arcade.engine.ui.game_views import FrameView, ObservationView, draw_game_text
from arcade.engine.ui.theme import Theme
from arcade.games.spec import GameSpec
from arcade.match.stage.tick import Frame, Tick, View
from arcade.scenes.tables.table import make_table
from arcade.session.settings import TV, Settings


class GamePicture:
    """Draws one game: its table as `viewer` may see it, its frame, its text, or a seat's observation::

        picture = GamePicture(spec, whole=True)
        where = picture.draw(canvas, theme, area, match.tick, match.frame, viewer=viewer)
        picture.draw(canvas, theme, area)                 # the last picture again

    `viewer` is the seat that looks at the screen, None for a spectator: information hidden from it is never looked
    up, and so never drawn.
    """

    def __init__(self, spec: GameSpec, *, whole: bool = True) -> None:
        """`whole`: scale frames by whole numbers, as FrameView does."""
        self._spec = spec
        self.table = make_table(spec)  # None: a game without one
        self._shape = spec.shape
        self.frames, self._figures = FrameView(whole=whole, shape=spec.shape), ObservationView()
        self._views: Mapping[AgentID | None, View] = {}
        self._frame: Frame | None = None
        self._is_framed = False
        self._tick: Tick | None = None  # that was drawn last
        self._text = ""
        self._seen: Mapping[AgentID, Any] = {}  # the newest observation of every seat, by its title
        self._thumbnail: tuple[View, Any, pygame.Surface] | None = None  # a small table, and its view and look
        self._shrunk: tuple[pygame.Rect, tuple[int, int]] | None = None  # its area, and its own size
        self._alone: dict[AgentID, Mapping[AgentID, Any]] = {}  # each observation alone

    def follow(self, settings: Settings) -> None:
        """Scale frames as the user wants them."""
        self.frames.whole = settings.whole_pixels
        self.frames.shape = self._shape if settings.picture_shape == TV else None

    def draw(
        self, canvas: pygame.Surface, theme: Theme, area: pygame.Rect, tick: Tick | None = None,
        frame: Frame | None = None, *, viewer: AgentID | None = None, chooser: CursorController | None = None,
    ) -> pygame.Rect:  # fmt: skip
        """Draw the newest tick and frame in `area`; returns the area drawn, without size before the first picture."""
        if tick is not None and tick is self._tick:
            frame = None  # it was drawn
        self._keep(tick, frame)
        view = self._views.get(viewer, self._views.get(None))
        if self.table is not None and view is not None:
            return self._draw_table(canvas, theme, area, view, chooser)
        if self._is_framed:
            frame, self._frame = self._frame, None
            return self.frames.draw(canvas, frame, area)
        if self._text:
            return draw_game_text(canvas, theme, self._text, area.inflate(-theme.px(32), -theme.px(32)))
        if self._seen:
            seen = self._seen if viewer is None else self._alone.get(viewer, self._seen)
            return self._figures.draw(canvas, theme, seen, area)
        return pygame.Rect(area.center, (0, 0))

    def pointer(self, event: PointerInput, chooser: CursorController | None) -> bool:
        """Pass on a mouse event during the turn of `chooser`; True where the table used it."""
        if self.table is None or chooser is None:
            return False
        if self._shrunk is not None:
            area, whole = self._shrunk
            x, y = event.pos[0] - area.left, event.pos[1] - area.top
            event = replace(event, pos=(x * whole[0] // area.w, y * whole[1] // area.h))
        return self.table.pointer(event, chooser)

    def _draw_table(
        self, canvas: pygame.Surface, theme: Theme, area: pygame.Rect, view: View, chooser: CursorController | None
    ) -> pygame.Rect:
        """Draw the table; for a small area draw it larger and scale it down, when it changes or on a person's turn."""
        assert self.table is not None
        kept, least = self._thumbnail, self.table.smallest
        stretch = max(least[0] / area.w, least[1] / area.h)
        if stretch <= 1:
            self._shrunk = None
            self.table.draw(canvas, area, view, chooser)
            return area
        size = round(area.w * stretch), round(area.h * stretch)
        self._shrunk = (area.copy(), size)
        look = (theme, area.size, chooser)
        if kept is None or kept[0] is not view or kept[1] != look or chooser is not None:
            whole = pygame.Surface(size)
            self.table.draw(whole, whole.get_rect(), view, chooser)
            self._thumbnail = kept = (view, look, pygame.transform.smoothscale(whole, area.size))
        return canvas.blit(kept[2], area)

    def _keep(self, tick: Tick | None, frame: Frame | None) -> None:
        """Keep what is new: a tick without a picture leaves the last one."""
        self._frame = frame
        self._is_framed = self._is_framed or frame is not None
        if tick is None:
            return
        self._tick = tick
        self._views = tick.views or self._views
        self._text = tick.text or self._text
        if not (self._is_framed or self._views or self._text):
            self._observe(tick.observations)

    def _observe(self, observations: Mapping[AgentID, Any]) -> None:
        titled = {seat: (self._spec.seat_title(seat), seen) for seat, seen in observations.items()}
        news = {seat: (title, seen) for seat, (title, seen) in titled.items() if self._seen.get(title) is not seen}
        if news:
            self._seen = {**self._seen, **dict(news.values())}
            self._alone |= {seat: {title: seen} for seat, (title, seen) in news.items()}


def picture_of(spec: GameSpec, tick: Tick) -> Frame | None:
    """The game's frame, or its table without hidden information, for a match without a window; None without either."""
    canvas = pygame.Surface((1280, 720), depth=32)
    if tick.frame is not None or not GamePicture(spec).draw(canvas, Theme(), canvas.get_rect(), tick):
        return tick.frame
    return pygame.surfarray.array3d(canvas).swapaxes(0, 1)
