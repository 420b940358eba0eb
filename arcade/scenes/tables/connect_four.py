"""ConnectFourTable: a wall of holes; the column that is pointed at shows where the disc would come to rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

from arcade.controls.cursor_controller import CursorController, Refusal
from arcade.palettes import NIGHT  # the wall is dark in every palette
from arcade.scenes.tables.in_a_row import InARowTable
from arcade.scenes.tables.marks import disc, ring

if TYPE_CHECKING:
    from arcade.match.stage.tick import View

_WALL, _WALL_EDGE, _HOLE = (48, 62, 110), (84, 104, 168), (20, 22, 34)


class ConnectFourTable(InARowTable):
    """Discs in the players' colours; the second player's carry a ring, so that colour alone tells nothing."""

    columns, rows, edge = 7, 6, 0.08
    pieces, letters, names = "discs", "01", ("First", "Second")

    def labels(self) -> tuple[str, str]:
        return "1234567", ""

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
            picture.blit(signs[letter], signs[letter].get_rect(center=self.rect_of(self.place_of(index)).center))
        for index in view["line"] or [self.newest] * (self.newest >= 0):
            mark = ring(self._size - self.cell // 8, NIGHT.ink, width=0.1 if view["line"] else 0.06)
            picture.blit(mark, mark.get_rect(center=self.rect_of(self.place_of(index)).center))

    def paint_choice(self, picture: pygame.Surface, chooser: CursorController) -> None:
        for column, _ in chooser.lit:
            self.paint_lit(picture, (column, self._landing(column)))
        column = chooser.at[0]
        lane = self.rect_of((column, 0)).union(self.rect_of((column, self.rows - 1)))
        if (column, 0) in chooser.lit:
            ghost = self.sign("01"[chooser.seat == self.spec.agents[1]], self._size)
            ghost.set_alpha(140)
            picture.blit(ghost, ghost.get_rect(center=self.rect_of((column, self._landing(column))).center))
        pygame.draw.rect(picture, NIGHT.focus, lane, width=max(3, self.cell // 20), border_radius=self.cell // 5)

    def why(self, view: View, refusal: Refusal) -> str:
        return f"Column {refusal.path[-1][0] + 1} is full"

    @property
    def _size(self) -> int:
        return max(4, self.cell * 5 // 6)

    def _landing(self, column: int) -> int:
        """The row where a disc comes to rest."""
        taken: int = sum(letter != "." for letter in self.view["discs"][column :: self.columns])
        return self.rows - 1 - taken
