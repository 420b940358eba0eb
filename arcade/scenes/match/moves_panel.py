"""MovesPanel: beside the picture of a turn-based game: whose turn it is, and the moves."""

from __future__ import annotations

import pygame

from arcade.controls.cursor_controller import CursorController, people_asked
from arcade.engine.input.events import PointerInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.theme import Theme
from arcade.games.tables.notation import row_number
from arcade.language import _, ngettext
from arcade.match.play.match import Match
from arcade.scenes.match.board_commands import BoardCommands
from arcade.scenes.match.command import Command
from arcade.scenes.tables.lettering import largest
from arcade.scenes.tables.table import GameTable
from arcade.session.people import people_at

WIDE, MOST = 300, 0.34
"""Units of the panel's width, and its largest share of the window's."""

LONGEST = "Nbxd7+"
"""A long move, which fits into its column."""

ROWS = 3
"""Lines of history below which the buttons are left out: their keys and the pause menu remain."""


def panel_width(theme: Theme) -> int:
    """Return the width of the panel in pixels, which grows with the text size up to a limit."""
    return min(theme.px(WIDE), round(theme.window[0] * MOST))


class MovesPanel:
    """Shows the turn, the moves so far in the game's notation, and buttons for the board.

    A game whose picture cannot be clicked has its legal moves there instead, with the cursor on one.
    """

    def __init__(self, match: Match, table: GameTable | None) -> None:
        self._match, self._table = match, table
        self.commands: BoardCommands | None = None
        self.rows: list[tuple[pygame.Rect, int]] = []  # where each option was drawn last, and its index
        self._buttons: list[tuple[pygame.Rect, Command]] = []  # as drawn last
        self._top = 0  # first visible row of the list
        self._behind = 0  # rows that the history was turned back by the wheel
        if table is not None:
            table.tells_moves = False

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
        if event.is_click:
            for rect, command in self._buttons:
                if rect.collidepoint(event.pos):
                    command.press()
                    return
        if self._table is not None:
            self._behind = max(0, self._behind + event.wheel) if event.kind == "wheel" else self._behind
        elif self.chooser is not None:
            self._point_in_list(event, self.chooser)

    def _point_in_list(self, event: PointerInput, chooser: CursorController) -> None:
        if event.kind == "wheel":
            here = self._top if chooser.cursor.index is None else chooser.cursor.index
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
        inside = area.inflate(-2 * theme.px(12), -2 * theme.px(12))
        turn = theme.draw_text(canvas, self._turn_words(), inside.topleft, bold=True, width=inside.w)
        inside.h, inside.top = inside.bottom - turn.bottom - theme.gap, turn.bottom + theme.gap
        self._draw_buttons(canvas, theme, inside)
        self.rows = []
        chooser = self.chooser
        if self._table is not None:
            self._draw_history(canvas, theme, inside)
        elif chooser is not None:
            self._draw_options(canvas, theme, inside, chooser)
        elif not self._match.over and self._match.waiting_for:
            theme.draw_text(canvas, _("thinking …"), inside.topleft, colour=theme.colours.muted, width=inside.w)

    @property
    def moves(self) -> list[str]:
        """The moves so far: as the game's view has them, else those of the match by their names."""
        tick = self._match.tick
        view = tick.views.get(None) if tick is not None else None
        if view is not None and "moves" in view:
            return list(view["moves"])
        table, played = self._table, getattr(self._match, "moves", ())
        return [table.move_name(agent, action) for one in played for agent, action in one.items()] if table else []

    def _turn_words(self) -> str:
        waiting, people = self._match.waiting_for, list(people_asked(self._match))
        if self._match.over or not waiting:
            return _("Game over") if self._match.over else ""
        seat = self._match.spec.seat_title(waiting[0])
        if not people:
            return _("{seat}: thinking …").format(seat=seat)
        return _("Your turn") if len(people_at(self._match)) == 1 else _("{seat} to move").format(seat=seat)

    def _draw_history(self, canvas: pygame.Surface, theme: Theme, inside: pygame.Rect) -> None:
        """Draw the rows of moves that fit, the newest lit; none yet: what to do."""
        moves = self.moves
        if not moves:
            words = _("The moves appear here")
            picture = theme.paragraph(words, width=inside.w, size=themes.SMALL, colour=theme.colours.faint)
            canvas.blit(picture, inside.topleft, (0, 0, inside.w, inside.h))
            return
        rows = [moves[at : at + 2] for at in range(0, len(moves), 2)]
        number, edge = theme.font(themes.SMALLEST).size(f"{2 * len(rows)}.")[0], theme.px(5)
        column = (inside.w - number - edge) // 2
        size = largest(theme, (LONGEST,), column - edge, most=themes.BODY)
        height = theme.line_height(size) + theme.px(4)
        room = max(1, inside.h // height)
        self._behind = min(self._behind, max(0, len(rows) - room))
        first = max(0, len(rows) - room - self._behind)
        for place, row in enumerate(rows[first : first + room]):
            at = pygame.Rect(inside.left, inside.top + place * height, number, height)
            words = f"{row_number(first + place, self._match.spec.turns_per_move)}."
            faint = theme.colours.faint
            theme.draw_text(canvas, words, at.midright, size=themes.SMALLEST, colour=faint, anchor="midright")
            for side, move in enumerate(row):
                cell = pygame.Rect(at.right + edge // 2 + side * column, at.top, column, height)
                newest = (first + place) * 2 + side == len(moves) - 1
                if newest:
                    pygame.draw.rect(canvas, theme.colours.raised, cell, border_radius=theme.px(6))
                left = (cell.left + edge, cell.centery)
                theme.draw_text(canvas, move, left, size=size, bold=newest, anchor="midleft", width=column - edge)

    def _draw_buttons(self, canvas: pygame.Surface, theme: Theme, inside: pygame.Rect) -> None:
        """Draw the commands at the foot of `inside`, which becomes shorter; none where there is little room."""
        self._buttons = []
        high, gap = theme.line_height(themes.SMALL) + theme.px(10), theme.px(6)
        offered = list(self.commands.offered) if self.commands is not None else []
        if not offered or inside.h < len(offered) * (high + gap) + ROWS * theme.line_height():
            return
        rect = pygame.Rect(inside.left, inside.bottom - len(offered) * (high + gap) + gap, inside.w, high)
        inside.h = rect.top - theme.gap - inside.top
        for command in offered:
            self._draw_button(canvas, theme, rect, command)
            self._buttons.append((rect, command))
            rect = rect.move(0, high + gap)

    @staticmethod
    def _draw_button(canvas: pygame.Surface, theme: Theme, rect: pygame.Rect, command: Command) -> None:
        colours, edge, small = theme.colours, theme.px(10), themes.SMALL
        theme.draw_panel(canvas, rect, fill=colours.raised)
        key = theme.draw_text(
            canvas, command.key.upper(), (rect.right - edge, rect.centery), size=themes.SMALLEST, colour=colours.muted,
            anchor="midright",
        )  # fmt: skip
        ink, room = colours.warning if command.danger else colours.ink, key.left - rect.left - 2 * edge
        at = (rect.left + edge, rect.centery)
        theme.draw_text(canvas, _(command.label), at, size=small, colour=ink, anchor="midleft", width=room)

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
        here = chooser.cursor.index if chooser.cursor.index is not None else next(iter(pressed), None)
        if here is not None:
            self._top = min(max(self._top, here - room + 1), here)
        self._top = min(self._top, max(0, count - room))
        for place, index in enumerate(range(self._top, min(count, self._top + room))):
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
