"""GamePicture: draws a game by its table, frame, text or observations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pygame

from agents.seats.controller import AgentID
from arcade.controls.cursor_controller import CursorController
from arcade.engine.input.events import PointerInput
from arcade.engine.ui.game_views import FrameView, ObservationView, draw_game_text
from arcade.engine.ui.theme import Theme
from arcade.games.spec import GameSpec
from arcade.match.stage.tick import Frame, Tick, View
from arcade.scenes.recordings.thumbnails import save_thumbnail
from arcade.scenes.tables.table import make_table
from arcade.session.settings import TV, Settings

THUMBNAIL = (800, 450)
"""Pixels of a last picture; the worker scales it down."""


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
            self.table.draw(canvas, theme, area, view, chooser)
            return area
        if self._is_framed:
            frame, self._frame = self._frame, None
            return self.frames.draw(canvas, frame, area)
        if text := self._text or (view or {}).get("text", ""):
            return draw_game_text(canvas, theme, text, area.inflate(-theme.px(32), -theme.px(32)))
        if self._seen:
            seen = self._seen if viewer is None else self._alone.get(viewer, self._seen)
            return self._figures.draw(canvas, theme, seen, area)
        return pygame.Rect(area.center, (0, 0))

    def pointer(self, event: PointerInput, chooser: CursorController | None) -> bool:
        """Pass on a mouse event during the turn of `chooser`; True where the table used it."""
        return self.table is not None and chooser is not None and self.table.pointer(event, chooser)

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


def thumbnail_of(picture: GamePicture, palette: str) -> Callable[[Path], None]:
    """Draw the newest picture of a spectator; the function returned saves it as a thumbnail, in the worker."""
    canvas = pygame.Surface(THUMBNAIL)
    look = Theme(palette, window=THUMBNAIL)
    canvas.fill(look.colours.well)
    picture.frames.whole = False
    picture.draw(canvas, look, canvas.get_rect())

    def save(path: Path) -> None:
        try:
            save_thumbnail(canvas, path)
        except pygame.error as error:
            raise OSError(str(error)) from error

    return save
