"""SeatRows: who decided at the moment that is shown, and what each seat did."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from agents.controller import AgentID
from arcade.engine import theme
from arcade.engine.events import PointerInput
from arcade.scenes.hud.action_words import ActionWords
from arcade.scenes.replaying.loading import Reel

PLENTY = 5
"""Seats up to which each has its lines to itself."""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """What is told of a seat."""

    agent: AgentID
    who: str  # who decided
    does: str  # what was done; "" where nothing was lately
    asked: str  # what the seat had asked for in its place, "" where that is the same
    fresh: bool  # it was done in this very tick
    score: str
    corrects: bool  # a person sits in for a machine


class SeatRows:
    """A column beside the picture; scrolls by the wheel where there are more seats than room."""

    def __init__(self, reel: Reel) -> None:
        self._reel = reel
        spaces = reel.stage.spaces
        self._words = {agent: ActionWords(reel.spec, agent, spaces[agent][1]) for agent in reel.spec.agents}
        self._first = 0
        self._kept: tuple[tuple[object, ...], pygame.Surface] | None = None
        self._read: tuple[int, tuple[SeatRow, ...]] = (-1, ())

    def at(self, tick: int) -> tuple[SeatRow, ...]:
        """Every seat's row at that tick."""
        if self._read[0] != tick:
            scores = self._reel.timeline.scores(tick)
            self._read = tick, tuple(self._row(agent, tick, scores[agent]) for agent in self._reel.spec.agents)
        return self._read[1]

    def pointer(self, event: PointerInput, area: pygame.Rect) -> None:
        """The wheel over the column."""
        if event.kind == "wheel" and area.collidepoint(event.pos):
            self._first = max(0, self._first - event.wheel)

    def draw(self, canvas: pygame.Surface, area: pygame.Rect, tick: int) -> None:
        """The rows of that tick within `area`, painted anew only where they are others."""
        rows = self.at(tick)
        height = self._height(len(rows))
        room = max(1, (area.h - 16) // height)
        self._first = min(self._first, max(0, len(rows) - room))
        key = (rows[self._first : self._first + room], area.size, theme.version)
        if self._kept is None or self._kept[0] != key:
            self._kept = key, self._paint(key[0], area.size, height, len(rows))
        canvas.blit(self._kept[1], area)

    def _row(self, agent: AgentID, tick: int, score: float) -> SeatRow:
        done, asked, when = self._reel.timeline.action(agent, tick)
        source = self._reel.replay.source_at(agent, max(0, when - 1) if done is not None else tick)
        words = self._words[agent]
        return SeatRow(
            agent=agent,
            who=source.label,
            does=words.of(done) if done is not None else "",
            asked=words.of(asked) if asked is not None else "",
            fresh=done is not None and when == tick,
            score=f"{score:.0f}" if abs(score - round(score)) < 1e-6 else f"{score:.2f}",
            corrects=source.takeover,
        )

    def _height(self, seats: int) -> int:
        size = theme.scaled(theme.SMALL)
        return 3 * size + 40 if seats <= PLENTY else size + 12

    def _paint(self, rows: tuple[SeatRow, ...], size: tuple[int, int], height: int, count: int) -> pygame.Surface:
        panel = theme.plate(size)
        draw = self._paint_large if count <= PLENTY else self._paint_line
        for place, row in enumerate(rows):
            draw(panel, pygame.Rect(16, 8 + place * height, size[0] - 32, height), row)
        if len(rows) < count:
            words = f"{self._first + 1} to {self._first + len(rows)} of {count}: the wheel shows others"
            at = (size[0] - 16, size[1] - 6)
            theme.draw_text(panel, words, at, size=theme.SMALL, colour=theme.FAINT, anchor="bottomright")
        return panel

    def _paint_large(self, panel: pygame.Surface, area: pygame.Rect, row: SeatRow) -> None:
        """Three lines: the seat and its score, who decides, what is done."""
        size = theme.scaled(theme.SMALL)
        colour = self._colour(row)
        pygame.draw.rect(panel, colour, (area.left - 8, area.top + 8, 5, area.h - 16), border_radius=2)
        left, line, width = area.left + 8, size + 8, area.w - 8
        score = theme.draw_text(panel, row.score, (area.right, area.top + 8), size=size, bold=True, anchor="topright")
        at = (left, area.top + 8)
        theme.draw_text(panel, str(row.agent), at, size=size, colour=theme.MUTED, width=score.left - left - 8)
        who = f"{row.who}, correcting" if row.corrects else row.who
        look = {"size": size, "bold": True, "width": width}
        theme.draw_text(panel, who, (left, area.top + 8 + line), colour=colour, **look)
        self._paint_action(panel, pygame.Rect(left, area.top + 8 + 2 * line, width, line), row)

    def _paint_line(self, panel: pygame.Surface, area: pygame.Rect, row: SeatRow) -> None:
        """One line: the seat, what it does."""
        pygame.draw.rect(panel, self._colour(row), (area.left - 8, area.top + 2, 5, area.h - 4), border_radius=2)
        half, size = area.w // 2, theme.scaled(theme.SMALL)
        at = (area.left + 4, area.centery)
        theme.draw_text(panel, str(row.agent), at, size=size, colour=theme.MUTED, anchor="midleft", width=half - 8)
        self._paint_action(panel, pygame.Rect(area.left + half, area.top, half, area.h), row)

    def _paint_action(self, panel: pygame.Surface, area: pygame.Rect, row: SeatRow) -> None:
        """What was done, faint where that is some time ago; behind it what had been asked for."""
        size, at = theme.scaled(theme.SMALL), (area.left, area.centery)
        ink = theme.INK if row.fresh else theme.FAINT
        done = theme.draw_text(panel, row.does or "–", at, size=size, colour=ink, anchor="midleft", width=area.w)
        room = area.right - done.right - 12
        if row.asked and room > 40:
            words, at = f"asked: {row.asked}", (done.right + 12, area.centery)
            theme.draw_text(panel, words, at, size=size, colour=theme.WARNING, anchor="midleft", width=room)

    def _colour(self, row: SeatRow) -> theme.Colour:
        return theme.team_colour(self._reel.spec.team_of(row.agent))
