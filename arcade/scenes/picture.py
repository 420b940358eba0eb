"""GamePicture: what there is to see of a game, whichever way it shows itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import pygame

from agents.controller import AgentID
from arcade.engine.choosing import CursorController
from arcade.engine.events import PointerInput
from arcade.engine.frames import FrameView
from arcade.engine.observation_view import ObservationView
from arcade.engine.text_view import TextView
from arcade.games.spec import GameSpec
from arcade.match.tick import Frame, Tick, View
from arcade.scenes.tables import make_table


class Source(Protocol):
    """Where the newest picture comes from; a Match is one."""

    @property
    def tick(self) -> Tick | None: ...

    @property
    def frame(self) -> Frame | None: ...


@dataclass(frozen=True, slots=True)
class Shown:
    """A source made of its two parts."""

    tick: Tick | None
    frame: Frame | None


class GamePicture:
    """Draws one game: its table from what `viewer` may know, its frame, its words, or what a seat observes::

        picture = GamePicture(spec, whole=True)
        where = picture.draw(canvas, area, match, viewer)
        picture.draw(canvas, area)                        # once more what was seen last

    `viewer` is the seat that looks at the screen, None for somebody who only watches: of hidden cards nothing is
    looked up, and so nothing drawn, but what that one may know.
    """

    def __init__(self, spec: GameSpec, *, whole: bool = True) -> None:
        """`whole`: scale frames by whole numbers, as FrameView does."""
        self.table = make_table(spec)  # None: a game without one
        self._frames, self._words, self._figures = FrameView(whole=whole), TextView(), ObservationView()
        self._views: Mapping[AgentID | None, View] = {}
        self._frame: Frame | None = None
        self._is_framed = False
        self._text = ""
        self._seen: Mapping[AgentID, Any] = {}  # the newest observation of every seat
        self._thumbnail: tuple[View, pygame.Surface] | None = None  # a small table, and of which view
        self._alone: dict[AgentID, Mapping[AgentID, Any]] = {}  # the same, each by itself

    @property
    def whole(self) -> bool:
        return self._frames.whole

    @whole.setter
    def whole(self, whole: bool) -> None:
        self._frames.whole = whole

    def draw(
        self,
        canvas: pygame.Surface,
        area: pygame.Rect,
        source: Source | None = None,
        viewer: AgentID | None = None,
        chooser: CursorController | None = None,
    ) -> pygame.Rect:
        """Draw it within `area`; returns where it lies, without size where nothing has been seen yet."""
        self._take(source)
        view = self._views.get(viewer, self._views.get(None))
        if self.table is not None and view is not None:
            small = area.w < self.table.smallest[0] or area.h < self.table.smallest[1]
            return self._draw_small(canvas, area, view) if small else self.table.draw(canvas, area, view, chooser)
        if self._is_framed:
            frame, self._frame = self._frame, None
            return self._frames.draw(canvas, frame, area)
        if self._text:
            return self._words.draw(canvas, self._text, area.inflate(-32, -32))
        if self._seen:
            return self._figures.draw(canvas, self._alone.get(viewer, self._seen), area)
        return pygame.Rect(area.center, (0, 0))

    def pointer(self, event: PointerInput, chooser: CursorController | None) -> bool:
        """A mouse event while `chooser` is due; True where the table used it."""
        return self.table is not None and chooser is not None and self.table.pointer(event, chooser)

    def _draw_small(self, canvas: pygame.Surface, area: pygame.Rect, view: View) -> pygame.Rect:
        """The table as a picture of a larger one, drawn when there is news."""
        assert self.table is not None
        if self._thumbnail is None or self._thumbnail[0] is not view or self._thumbnail[1].get_size() != area.size:
            height = self.table.smallest[1]
            whole = pygame.Surface((height * area.w // area.h, height))
            self.table.draw(whole, whole.get_rect(), view, None)
            self._thumbnail = (view, pygame.transform.smoothscale(whole, area.size))
        return canvas.blit(self._thumbnail[1], area)

    def _take(self, source: Source | None) -> None:
        """Keep what is new of `source`: a tick that brought no picture leaves the last one standing."""
        if source is None:
            return
        self._frame = source.frame
        self._is_framed = self._is_framed or source.frame is not None
        tick = source.tick
        if tick is None:
            return
        self._views = tick.views or self._views
        self._text = tick.text or self._text
        if not (self._is_framed or self._views or self._text):
            self._observe(tick.observations)

    def _observe(self, observations: Mapping[AgentID, Any]) -> None:
        news = {seat: seen for seat, seen in observations.items() if self._seen.get(seat) is not seen}
        if news:
            self._seen = {**self._seen, **news}
            self._alone |= {seat: {seat: seen} for seat, seen in news.items()}
