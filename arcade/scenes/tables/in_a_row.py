"""Tables of Connect Four and tic-tac-toe, with the newest piece marked."""

from __future__ import annotations

from collections.abc import Iterator

import pygame

from agents.seats.controller import Action, AgentID
from arcade.controls.boards import Place
from arcade.controls.cursor_controller import CursorController, Refusal
from arcade.language import _
from arcade.match.stage.tick import View
from arcade.palettes import NIGHT
from arcade.scenes.tables.board import BoardTable, cross, disc, paint_lines, paint_player, plate_height, ring

_WALL, _WALL_EDGE, _HOLE = (48, 62, 110), (84, 104, 168), (20, 22, 34)  # dark in every palette


class InARowTable(BoardTable):
    """Subclasses draw a piece."""

    pieces = ""  # the key of the view's text with a letter a place
    letters = ""  # the players' pieces
    newest = -1  # the place of the newest piece; -1 where unknown

    def take(self, view: View) -> None:
        """Find the newest move, which the game does not store: the one place that differs from the view before."""
        now, before = view[self.pieces], self.before.get(self.pieces, "")
        new = [index for index, (one, two) in enumerate(zip(now, before, strict=False)) if one != two]
        self.newest = new[0] if len(new) == 1 and now[new[0]] != "." else -1

    def pieces_on(self, view: View) -> Iterator[tuple[AgentID, str]]:
        for index, letter in enumerate(view[self.pieces]):
            if letter != ".":
                yield self.spec.agents[self.letters.index(letter)], self.place_name(index)

    def sign(self, letter: str, size: int) -> pygame.Surface:
        """Return the picture of a piece."""
        raise NotImplementedError

    def marked(self) -> list[int]:
        """Return the winning line, else the newest piece."""
        return self.view["line"] or [self.newest] * (self.newest >= 0)

    def paint_side(self, picture: pygame.Surface, left: pygame.Rect, right: pygame.Rect) -> None:
        view, theme = self.view, self.theme
        for side, agent, letter in zip((left, right), self.spec.agents, self.letters, strict=True):
            box = pygame.Rect(side.left, self.grid.top, side.w - theme.gap, self.grid.h)
            if side is left:
                box.left += theme.gap
            sign, turn = self.sign(letter, plate_height(theme) * 2 // 3), self.turn_colour(agent)
            plate = paint_player(picture, theme, box, self.spec.seat_title(agent), sign, turn=turn)
            if view["line"] and view[self.pieces][view["line"][0]] == letter:
                below = pygame.Rect(plate.left, plate.bottom + theme.px(8), box.w, plate.h)
                paint_lines(picture, theme, [_("Wins")], below)


class ConnectFourTable(InARowTable):
    """Discs in the players' colours, the second player's with a ring; the chosen column previews the landing place."""

    columns, rows, edge = 7, 6, 0.08
    pieces, letters = "discs", "01"
    column_labels = "1234567"

    def place_name(self, index: int) -> str:
        row, column = divmod(index, self.columns)
        return _("column {column} row {row}").format(column=column + 1, row=self.rows - row)

    def sign(self, letter: str, size: int) -> pygame.Surface:
        plate = disc(size, NIGHT.teams[int(letter)], edge=(30, 26, 30)).copy()
        if letter == "1":
            mark = ring(size // 2, (110, 62, 8), width=0.14)
            plate.blit(mark, mark.get_rect(center=plate.get_rect().center))
        return plate

    def paint_board(self, picture: pygame.Surface) -> None:
        pygame.draw.rect(picture, _WALL, self.frame, border_radius=self.cell // 5)
        pygame.draw.rect(picture, _WALL_EDGE, self.frame, width=3, border_radius=self.cell // 5)

    def paint(self, picture: pygame.Surface, view: View, chooser: CursorController | None) -> None:
        signs = {letter: self.sign(letter, self._size) for letter in self.letters}
        signs["."] = disc(self._size, _HOLE, edge=(34, 44, 82))
        for index, letter in enumerate(view["discs"]):
            self.put(picture, signs[letter], self.place_of(index))
        mark = ring(self._size - self.cell // 8, NIGHT.ink, width=0.1 if view["line"] else 0.06)
        for index in self.marked():
            self.put(picture, mark, self.place_of(index))

    def paint_choice(self, picture: pygame.Surface, chooser: CursorController) -> None:
        for column, _row in chooser.cursor.lit:
            self.put(picture, disc(max(6, self.cell // 4), NIGHT.green), (column, self._landing(column)))
        column = chooser.cursor.at[0]
        if (column, 0) in chooser.cursor.lit:
            ghost = self.sign("01"[chooser.seat == self.spec.agents[1]], self._size)
            ghost.set_alpha(140)
            self.put(picture, ghost, (column, self._landing(column)))
        area = self.rect_of((column, 0)).union(self.rect_of((column, self.rows - 1)))
        pygame.draw.rect(picture, NIGHT.focus, area, width=max(3, self.cell // 20), border_radius=self.cell // 5)

    def move_name(self, agent: AgentID, action: Action) -> str:
        return self.column_labels[int(action)]

    def why(self, view: View, refusal: Refusal) -> str:
        return _("Column {number} is full").format(number=refusal.path[-1][0] + 1)

    @property
    def _size(self) -> int:
        return max(4, self.cell * 5 // 6)

    def aim(self, place: Place) -> Place:
        return place[0], max(self._landing(place[0]), 0)

    def _landing(self, column: int) -> int:
        """Return the row where a disc lands."""
        taken: int = sum(letter != "." for letter in self.view["discs"][column :: self.columns])
        return self.rows - 1 - taken


class TicTacToeTable(InARowTable):
    """Nine cells; crosses begin."""

    columns, rows, edge = 3, 3, 0.06
    column_labels, rows_numbered = "abc", True
    pieces, letters = "marks", "xo"

    def sign(self, letter: str, size: int) -> pygame.Surface:
        return (
            cross(size, self.theme.team_colour(0))
            if letter == "x"
            else ring(size, self.theme.team_colour(1), width=0.16)
        )

    def paint_board(self, picture: pygame.Surface) -> None:
        theme = self.theme
        theme.draw_panel(picture, self.frame)
        width = max(2, self.cell // 30)
        for line in (1, 2):
            x, y = self.grid.left + line * self.cell, self.grid.top + line * self.cell
            pygame.draw.line(picture, theme.colours.muted, (x, self.grid.top), (x, self.grid.bottom), width)
            pygame.draw.line(picture, theme.colours.muted, (self.grid.left, y), (self.grid.right, y), width)

    def paint(self, picture: pygame.Surface, view: View, chooser: CursorController | None) -> None:
        raised, ink = self.theme.colours.raised, self.theme.colours.ink
        for index in self.marked():
            cell = self.rect_of(self.place_of(index)).inflate(-14, -14)
            self.theme.draw_panel(picture, cell, fill=raised, edge=ink if view["line"] else None)
        for index, letter in enumerate(view["marks"]):
            if letter != ".":
                self.put(picture, self.sign(letter, self.cell * 3 // 5), self.place_of(index))

    def move_name(self, agent: AgentID, action: Action) -> str:
        column, row = divmod(int(action), self.rows)
        return f"{self.column_labels[column]}{self.rows - row}"

    def why(self, view: View, refusal: Refusal) -> str:
        return _("That square is taken")
