"""SeatRows: the player and the last action of each seat at the shown tick."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pygame

from agents.seats.controller import AgentID
from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.menus import Scroll
from arcade.engine.ui.widgets import PaintedWidget
from arcade.games.scores import RETURNS
from arcade.games.seat_colours import seat_colour
from arcade.scenes.hud.action_words import ActionWords
from arcade.session.player_names import PlayerNames
from arcade.session.recordings.replay_loading import LoadedReplay

PLENTY = 5
"""Seats up to which each has its lines to itself."""


@dataclass(frozen=True, slots=True)
class ReplaySeatRow:
    """The text of a seat."""

    agent: AgentID
    who: str  # the player
    does: str  # last action, or ""
    asked: str  # requested action if it differs, else ""
    fresh: bool  # the action is of this tick
    score: str  # the return in games that declare no score of their own, else ""


class SeatRows(PaintedWidget):
    """A column beside the picture; up, down and the wheel scroll it where there are more seats than room.

    The caller keeps `tick` up to date.
    """

    def __init__(self, rect: pygame.Rect, loaded: LoadedReplay) -> None:
        super().__init__(rect)
        self.label, self.hint = "Seats", "Up, down: the other seats"
        self.tick = 0
        self._loaded = loaded
        spaces = loaded.stage.spaces
        self._words = {agent: ActionWords(loaded.spec, agent, spaces[agent][1]) for agent in loaded.spec.agents}
        self._names = PlayerNames(loaded.spec)
        self._scroll = Scroll()
        self._read: tuple[tuple[object, ...], tuple[ReplaySeatRow, ...]] = ((), ())

    def at(self, tick: int) -> tuple[ReplaySeatRow, ...]:
        """Return the visible rows at that tick; all rows of a hundred seats would cost too much."""
        all_agents = self._loaded.spec.agents
        agents = [all_agents[row] for row in self._scroll.fit(len(all_agents), room=self._room).rows]
        if self._read[0] != (tick, *agents):
            scores = self._loaded.timeline.scores(tick)
            self._read = (tick, *agents), tuple(self._row(agent, tick, scores[agent]) for agent in agents)
        return self._read[1]

    @property
    def focusable(self) -> bool:  # type: ignore[override]
        """Whether rows are out of sight."""
        return self._room < len(self._loaded.spec.agents)

    def menu(self, event: MenuInput) -> bool:
        return self._scroll.scroll({"up": -1, "down": 1}.get(event.action, 0))

    def pointer(self, event: PointerInput) -> bool:
        return event.kind == "wheel" and self._scroll.scroll(-event.wheel)

    @property
    def shown(self) -> object:
        return self.at(self.tick)

    @property
    def _room(self) -> int:
        """Number of visible rows."""
        count, height = len(self._loaded.spec.agents), self.rect.h - 16
        room = max(1, height // self._height)
        return room if room >= count else max(1, (height - theme.scaled(theme.SMALL)) // self._height)

    def _row(self, agent: AgentID, tick: int, score: float) -> ReplaySeatRow:
        done, asked, when = self._loaded.timeline.action(agent, tick)
        source = self._loaded.replay.source_at(agent, max(0, when - 1) if done is not None else tick)
        words, how = self._words[agent], "took over" if source.takeover else source.kind
        return ReplaySeatRow(
            agent=agent,
            who=f"{source.label} ({how})" if source.human else self._names.of_label(source.label, source.kind),
            does=words.of(done) if done is not None else "",
            asked=words.of(asked) if asked is not None else "",
            fresh=done is not None and when == tick,
            score="" if self._loaded.spec.score.source else RETURNS.number(score),
        )

    @property
    def _height(self) -> int:
        """Pixels of one seat's lines."""
        size = theme.scaled(theme.SMALL)
        return 3 * size + 40 if len(self._loaded.spec.agents) <= PLENTY else size + 12

    def paint(self) -> pygame.Surface:
        rows, count = self.at(self.tick), len(self._loaded.spec.agents)
        size, height = self.rect.size, self._height
        panel = theme.plate(size)
        draw = self._paint_large if count <= PLENTY else self._paint_line
        for place, row in enumerate(rows):
            draw(panel, pygame.Rect(16, 8 + place * height, size[0] - 32, height), row)
        if len(rows) < count:
            first = self._scroll.top + 1
            seen = f"{first} to {self._scroll.top + len(rows)}" if len(rows) > 1 else f"{first}"
            words = f"{seen} of {count}"
            at, small = (size[0] - 16, size[1] - 6), theme.scaled(theme.SMALL)
            theme.draw_text(panel, words, at, size=small, colour=theme.FAINT, anchor="bottomright", width=size[0] - 32)
        return panel

    def _paint_large(self, panel: pygame.Surface, area: pygame.Rect, row: ReplaySeatRow) -> None:
        """Three lines: seat and score, player, action."""
        size = theme.scaled(theme.SMALL)
        colour = self._colour(row)
        pygame.draw.rect(panel, colour, (area.left - 8, area.top + 8, 5, area.h - 16), border_radius=2)
        left, line, width = area.left + 8, size + 8, area.w - 8
        score = theme.draw_text(panel, row.score, (area.right, area.top + 8), size=size, bold=True, anchor="topright")
        at = (left, area.top + 8)
        theme.draw_text(panel, self._title(row), at, size=size, colour=theme.MUTED, width=score.left - left - 8)
        look: dict[str, Any] = {"size": size, "bold": True, "width": width}
        theme.draw_text(panel, row.who, (left, area.top + 8 + line), colour=colour, **look)
        self._paint_action(panel, pygame.Rect(left, area.top + 8 + 2 * line, width, line), row)

    def _paint_line(self, panel: pygame.Surface, area: pygame.Rect, row: ReplaySeatRow) -> None:
        """One line: seat and action."""
        pygame.draw.rect(panel, self._colour(row), (area.left - 8, area.top + 2, 5, area.h - 4), border_radius=2)
        half, size = area.w // 2, theme.scaled(theme.SMALL)
        at = (area.left + 4, area.centery)
        theme.draw_text(panel, self._title(row), at, size=size, colour=theme.MUTED, anchor="midleft", width=half - 8)
        self._paint_action(panel, pygame.Rect(area.left + half, area.top, half, area.h), row)

    def _paint_action(self, panel: pygame.Surface, area: pygame.Rect, row: ReplaySeatRow) -> None:
        """The action, faint if it is old, and behind it the requested one."""
        size, at = theme.scaled(theme.SMALL), (area.left, area.centery)
        ink = theme.INK if row.fresh else theme.FAINT
        done = theme.draw_text(panel, row.does or "–", at, size=size, colour=ink, anchor="midleft", width=area.w)
        room = area.right - done.right - 12
        if row.asked and room > 40:
            words, at = f"asked: {row.asked}", (done.right + 12, area.centery)
            theme.draw_text(panel, words, at, size=size, colour=theme.WARNING, anchor="midleft", width=room)

    def _title(self, row: ReplaySeatRow) -> str:
        return self._loaded.spec.seat_title(row.agent)

    def _colour(self, row: ReplaySeatRow) -> theme.Colour:
        return seat_colour(self._loaded.spec, row.agent, theme.TEAMS)
