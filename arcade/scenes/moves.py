"""MovesPanel: the legal moves of a turn-based game beside its picture, for keys, pad and mouse."""

from __future__ import annotations

import pygame

from arcade.engine import theme
from arcade.engine.choosing import CursorController
from arcade.engine.events import PointerInput
from arcade.match.match import Match
from arcade.scenes.tables import Table

WIDTH = 300
ROW = 40


class MovesPanel:
    """Shows whose turn it is and, when a person's is, every legal move with the cursor on one."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self.rows: list[tuple[pygame.Rect, int]] = []  # where each option was drawn last, and its index
        self._shown = 0  # the option that the list was last scrolled to

    @property
    def chooser(self) -> CursorController | None:
        """The person whose move is due, None while a machine thinks or the game works."""
        for agent in self._match.waiting_for:
            controller = self._match.mapping[agent]
            if isinstance(controller, CursorController) and controller.options:
                return controller
        return None

    def take_refused(self, table: Table | None) -> str:
        """Why the newest press was refused, "" where none was; told once."""
        chooser, tick = self.chooser, self._match.tick
        refusal = chooser.take_refused() if chooser is not None else None
        if refusal is None or tick is None:
            return ""
        view = tick.views.get(refusal.seat)
        return table.why(view, refusal) if table is not None and view is not None else "That is not allowed now"

    def pointer(self, event: PointerInput) -> None:
        """Point with the mouse, play with a click, step with the wheel."""
        chooser = self.chooser
        if chooser is None:
            return
        if event.kind == "wheel":
            here = self._shown if chooser.cursor is None else chooser.cursor
            chooser.point(min(max(here - event.wheel, 0), len(chooser.options) - 1))
        for rect, index in self.rows:
            if rect.collidepoint(event.pos) and index < len(chooser.options):
                if event.kind == "move":
                    chooser.point(index)
                elif event.kind == "press" and event.button == 1:
                    chooser.choose(index)

    def draw(self, canvas: pygame.Surface, picture: pygame.Rect) -> None:
        """The panel at the right of `picture`."""
        area = pygame.Rect(picture.right + theme.GAP, picture.top, WIDTH, picture.h)
        theme.draw_panel(canvas, area)
        at = (area.left + 18, area.top + 16)
        theme.draw_text(canvas, self._turn_words(), at, bold=True, width=area.w - 36)
        self.rows = []
        chooser = self.chooser
        if chooser is not None:
            self._draw_options(canvas, area, chooser)
        elif not self._match.over:
            words = "thinking …" if self._match.waiting_for else ""
            theme.draw_text(canvas, words, (area.left + 18, area.top + 56), colour=theme.MUTED)

    def _turn_words(self) -> str:
        waiting = self._match.waiting_for
        if self._match.over or not waiting:
            return "Game over" if self._match.over else ""
        return " and ".join(f"{agent}: {self._match.mapping[agent].label}" for agent in waiting)

    def _draw_options(self, canvas: pygame.Surface, area: pygame.Rect, chooser: CursorController) -> None:
        count = max(1, (area.h - 104) // ROW)
        self._shown = self._shown if chooser.cursor is None else chooser.cursor
        first = min(max(0, self._shown - count // 2), max(0, len(chooser.options) - count))
        for place, index in enumerate(range(first, min(first + count, len(chooser.options)))):
            rect = pygame.Rect(area.left + 10, area.top + 56 + place * ROW, area.w - 20, ROW - 4)
            self.rows.append((rect, index))
            chosen = index == chooser.cursor
            if chosen:
                theme.draw_panel(canvas, rect, fill=theme.FOCUS)
            ink = theme.NIGHT if chosen else theme.INK
            words = chooser.options[index].words
            theme.draw_text(
                canvas, words, (rect.left + 14, rect.centery), colour=ink, bold=chosen, anchor="midleft",
                width=rect.w - 28,
            )  # fmt: skip
        words = f"{len(chooser.options)} legal moves"
        theme.draw_text(
            canvas, words, (area.left + 18, area.bottom - 34), size=theme.SMALL, colour=theme.FAINT, width=area.w - 36
        )
