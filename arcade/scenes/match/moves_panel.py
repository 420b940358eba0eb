"""MovesPanel: beside the picture of a turn-based game: whose turn it is, and the moves."""

from __future__ import annotations

import pygame

from arcade.controls.cursor_controller import CursorController, people_asked
from arcade.engine.input.events import PointerInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.menus import Scroll
from arcade.engine.ui.theme import Theme
from arcade.language import _, ngettext
from arcade.match.play.match import Match
from arcade.scenes.tables.table import GameTable

WIDE, MOST = 300, 0.34
"""Units of the panel's width, and its largest share of the window's."""


def panel_width(theme: Theme) -> int:
    """Return the width of the panel in pixels, which grows with the text size up to a limit."""
    return min(theme.px(WIDE), round(theme.window[0] * MOST))


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
        return table.why(view, refusal) if table is not None and view is not None else _("That is not allowed now")

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

    def draw(self, canvas: pygame.Surface, theme: Theme, picture: pygame.Rect) -> None:
        """Draw the panel at the right of `picture`."""
        area = pygame.Rect(picture.right + theme.px(themes.GAP), picture.top, panel_width(theme), picture.h)
        theme.draw_panel(canvas, area)
        inside = area.inflate(-2 * theme.px(16), -2 * theme.px(14))
        turn = theme.draw_text(canvas, self._turn_words(), inside.topleft, bold=True, width=inside.w)
        inside.h, inside.top = inside.bottom - turn.bottom - theme.gap, turn.bottom + theme.gap
        self.rows = []
        chooser = self.chooser
        if chooser is not None:
            self._draw_options(canvas, theme, inside, chooser)
        elif not self._match.over and self._match.waiting_for:
            theme.draw_text(canvas, _("thinking …"), inside.topleft, colour=theme.colours.muted, width=inside.w)

    def _turn_words(self) -> str:
        waiting = self._match.waiting_for
        if self._match.over or not waiting:
            return _("Game over") if self._match.over else ""
        spec, mapping = self._match.spec, self._match.mapping
        return ", ".join(
            _("{seat}: {player}").format(seat=spec.seat_title(agent), player=mapping[agent].label) for agent in waiting
        )

    def _draw_options(
        self, canvas: pygame.Surface, theme: Theme, inside: pygame.Rect, chooser: CursorController
    ) -> None:
        count = len(chooser.options)
        words = ngettext("{count} legal move", "{count} legal moves", count).format(count=count)
        faint = theme.colours.faint
        foot = theme.draw_text(
            canvas, words, inside.bottomleft, size=themes.SMALL, colour=faint, anchor="bottomleft", width=inside.w
        )
        height, pressed = theme.line_height() + theme.px(12), _pressed(chooser)
        room = max(1, (foot.top - inside.top) // height)
        scroll, here = self._scroll.fit(count, room=room), chooser.cursor.index
        if here is not None or pressed:
            scroll.show(here if here is not None else pressed[0])
        for place, index in enumerate(scroll.rows):
            rect = pygame.Rect(inside.left, inside.top + place * height, inside.w, height - theme.px(4))
            self.rows.append((rect, index))
            words, chosen = chooser.options[index].label, index == chooser.cursor.index
            _draw_row(canvas, theme, rect, words, chosen=chosen, lit=index in pressed)


def _draw_row(canvas: pygame.Surface, theme: Theme, rect: pygame.Rect, words: str, *, chosen: bool, lit: bool) -> None:
    """Draw one move: bright under the cursor, raised where it continues the presses so far."""
    colours = theme.colours
    if chosen or lit:
        theme.draw_panel(canvas, rect, fill=colours.focus if chosen else colours.raised)
    at, edge = (rect.left + theme.px(10), rect.centery), theme.px(20)
    ink = colours.ground if chosen else colours.ink
    theme.draw_text(canvas, words, at, colour=ink, bold=chosen, anchor="midleft", width=rect.w - edge)


def _pressed(chooser: CursorController) -> list[int]:
    """Return the options that continue the presses so far; none without a press."""
    path = chooser.cursor.path
    return [i for i, option in enumerate(chooser.options) if option.path[: len(path)] == path] if path else []
