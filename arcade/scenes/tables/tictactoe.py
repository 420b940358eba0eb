"""TicTacToeTable: nine cells, crosses and rings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

from arcade.controls.cursor_controller import CursorController, Refusal
from arcade.engine.ui import theme
from arcade.scenes.tables.in_a_row import InARowTable
from arcade.scenes.tables.marks import cross, ring

if TYPE_CHECKING:
    from arcade.match.stage.tick import View

_ROWS, _COLUMNS = ("top", "centre", "bottom"), ("left", "middle", "right")


class TicTacToeTable(InARowTable):
    """Crosses begin."""

    columns, rows, edge = 3, 3, 0.06
    pieces, letters, names = "marks", "xo", ("Crosses", "Rings")

    def sign(self, letter: str, size: int) -> pygame.Surface:
        return cross(size, theme.team_colour(0)) if letter == "x" else ring(size, theme.team_colour(1), width=0.16)

    def paint_board(self, picture: pygame.Surface) -> None:
        theme.draw_panel(picture, self.frame)
        width = max(2, self.cell // 30)
        for line in (1, 2):
            x, y = self.grid.left + line * self.cell, self.grid.top + line * self.cell
            pygame.draw.line(picture, theme.MUTED, (x, self.grid.top), (x, self.grid.bottom), width)
            pygame.draw.line(picture, theme.MUTED, (self.grid.left, y), (self.grid.right, y), width)

    def paint(self, picture: pygame.Surface, view: View, chooser: CursorController | None) -> None:
        for index in view["line"] or [self.newest] * (self.newest >= 0):
            cell = self.rect_of(self.place_of(index)).inflate(-14, -14)
            theme.draw_panel(picture, cell, fill=theme.RAISED, edge=theme.INK if view["line"] else None)
        for index, letter in enumerate(view["marks"]):
            if letter != ".":
                mark = self.sign(letter, self.cell * 3 // 5)
                picture.blit(mark, mark.get_rect(center=self.rect_of(self.place_of(index)).center))

    def why(self, view: View, refusal: Refusal) -> str:
        column, row = refusal.path[-1]
        return f"The cell {_ROWS[row]} {_COLUMNS[column]} is taken"
