"""MovesPanel: the legal moves of a turn-based game beside its picture, for keys, pad and mouse."""

from __future__ import annotations

import pygame

from arcade.controls.cursor_controller import CursorController, people_asked
from arcade.engine.input.events import PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.scroll import Scroll
from arcade.match.play.match import Match
from arcade.scenes.tables.table import GameTable


def panel_width() -> int:
    """Return the width of the panel, which grows with the text size up to a limit."""
    return min(theme.scaled(300), 440)


class MovesPanel:
    """Shows the turn and, on a person's turn, every legal move with the cursor on one."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self.rows: list[tuple[pygame.Rect, int]] = []  # where each option was drawn last, and its index
        self._scroll = Scroll()

    @property
    def chooser(self) -> CursorController | None:
        """The person whose move is due; None while AI or the game is at work."""
        return next((person for person in people_asked(self._match) if person.options), None)

    def take_refused(self, table: GameTable | None) -> str:
        """Return why the newest press was refused, once; "" if it was not."""
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
            here = self._scroll.top if chooser.cursor.index is None else chooser.cursor.index
            chooser.cursor.point(min(max(here - event.wheel, 0), len(chooser.options) - 1))
        for rect, index in self.rows:
            if rect.collidepoint(event.pos) and index < len(chooser.options):
                if event.kind == "move":
                    chooser.cursor.point(index)
                elif event.kind == "press" and event.button == 1:
                    chooser.choose(index)

    def draw(self, canvas: pygame.Surface, picture: pygame.Rect) -> None:
        """Draw the panel at the right of `picture`."""
        area = pygame.Rect(picture.right + theme.GAP, picture.top, panel_width(), picture.h)
        theme.draw_panel(canvas, area)
        size, at = theme.scaled(theme.BODY), (area.left + 18, area.top + 16)
        theme.draw_text(canvas, self._turn_words(), at, size=size, bold=True, width=area.w - 36)
        self.rows = []
        chooser = self.chooser
        if chooser is not None:
            self._draw_options(canvas, area, chooser)
        elif not self._match.over:
            words = "thinking …" if self._match.waiting_for else ""
            at = (area.left + 18, area.top + theme.scaled(theme.BODY) + 34)
            theme.draw_text(canvas, words, at, size=size, colour=theme.MUTED)

    def _turn_words(self) -> str:
        waiting = self._match.waiting_for
        if self._match.over or not waiting:
            return "Game over" if self._match.over else ""
        return " and ".join(f"{agent}: {self._match.mapping[agent].label}" for agent in waiting)

    def _draw_options(self, canvas: pygame.Surface, area: pygame.Rect, chooser: CursorController) -> None:
        low, top = theme.scaled(theme.SMALL), area.top + theme.scaled(theme.BODY) + 34
        height = theme.scaled(theme.BODY) + 18
        count = max(1, (area.bottom - top - 2 * low) // height)
        pressed = _pressed(chooser)
        scroll, here = self._scroll.fit(len(chooser.options), room=count), chooser.cursor.index
        if here is not None or pressed:
            scroll.show(here if here is not None else pressed[0])
        for place, index in enumerate(scroll.rows):
            rect = pygame.Rect(area.left + 10, top + place * height, area.w - 20, height - 4)
            self.rows.append((rect, index))
            words, chosen = chooser.options[index].label, index == chooser.cursor.index
            self._draw_row(canvas, rect, words, chosen=chosen, lit=index in pressed)
        words, at = f"{len(chooser.options)} legal moves", (area.left + 18, area.bottom - 12)
        theme.draw_text(canvas, words, at, size=low, colour=theme.FAINT, anchor="bottomleft", width=area.w - 36)

    def _draw_row(self, canvas: pygame.Surface, rect: pygame.Rect, words: str, *, chosen: bool, lit: bool) -> None:
        """Draw one move: bright under the cursor, raised where it continues the presses so far."""
        if chosen or lit:
            theme.draw_panel(canvas, rect, fill=theme.FOCUS if chosen else theme.RAISED)
        picture = theme.fitted(
            words, width=rect.w - 28, size=theme.scaled(theme.BODY),
            colour=theme.GROUND if chosen else theme.INK, bold=chosen,
        )  # fmt: skip
        canvas.blit(picture, picture.get_rect(midleft=(rect.left + 14, rect.centery)))


def _pressed(chooser: CursorController) -> list[int]:
    """Return the options that continue the presses so far; none without a press."""
    path = chooser.cursor.path
    return [i for i, option in enumerate(chooser.options) if option.path[: len(path)] == path] if path else []
