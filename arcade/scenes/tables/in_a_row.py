"""What connect four and tic-tac-toe share: the newest piece is found by comparing, players stand at the sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

from arcade.scenes.tables.board import BoardTable, paint_lines, paint_player

if TYPE_CHECKING:
    from arcade.match.stage.tick import View


class InARowTable(BoardTable):
    """Subclasses say under which name their view has the pieces, and how one looks."""

    pieces = ""  # the view's text with a letter a place
    letters = ""  # the players' pieces
    names: tuple[str, str] = ("", "")
    newest = -1  # the place of the newest piece, -1 where nobody knows

    def take(self, view: View) -> None:
        """The game does not remember its newest move; two views that differ in one place tell it."""
        now, before = view[self.pieces], self.before.get(self.pieces, "")
        new = [index for index, (one, two) in enumerate(zip(now, before, strict=False)) if one != two]
        self.newest = new[0] if len(new) == 1 and now[new[0]] != "." else -1

    def sign(self, letter: str, size: int) -> pygame.Surface:
        """A piece as a picture."""
        raise NotImplementedError

    def paint_side(self, picture: pygame.Surface, left: pygame.Rect, right: pygame.Rect) -> None:
        view = self.view
        for box_of, agent, letter, name in zip((left, right), self.spec.agents, self.letters, self.names, strict=True):
            box = pygame.Rect(box_of.left + 6, self.grid.top, box_of.w - 12, 44)
            paint_player(picture, box, name, self.sign(letter, 30), due=view["turn"] == agent, low=False)
            if view["line"] and view[self.pieces][view["line"][0]] == letter:
                paint_lines(picture, ["Wins"], box.inflate(-16, 0).move(0, 54))
