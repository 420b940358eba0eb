"""ChessTable: the board from the player's side, the captured pieces and the choice of a promotion."""

from __future__ import annotations

import io
from functools import lru_cache

import chess.svg
import pygame

from agents.seats.controller import AgentID
from arcade.controls.boards import PROMOTIONS, Place, square_name
from arcade.controls.cursor_controller import CursorController, Refusal
from arcade.engine.input.events import Point
from arcade.engine.ui import theme
from arcade.games.tables.notation import move_rows
from arcade.match.stage.tick import View
from arcade.scenes.tables.board import TILE, BoardTable, paint_lines, paint_player, ring

ROWS = 10  # of the newest moves beside the board
_LIGHT, _DARK, _MOVED, _CHECK = (232, 220, 200), (158, 130, 108), (214, 190, 92), (222, 98, 78)


class ChessTable(BoardTable):
    """Turned while only Black plays at this screen."""

    column_labels, rows_numbered = "abcdefgh", True
    _asked_at: Place = (0, 0)  # the promotion square of the open question
    _is_held = False

    def seen_from_behind(self) -> bool:
        return set(self.people) == {self.spec.agents[1]}

    def paint_board(self, picture: pygame.Surface) -> None:
        for place in map(self.place_of, range(64)):
            pygame.draw.rect(picture, (_LIGHT, _DARK)[sum(place) % 2], self.rect_of(place))

    def paint(self, picture: pygame.Surface, view: View, chooser: CursorController | None) -> None:
        for index in view["last"]:
            self._tint(picture, self.place_of(index), _MOVED)
        if view["check"] >= 0:
            self._tint(picture, self.place_of(view["check"]), _CHECK)
        self._is_held = chooser is not None and bool(chooser.cursor.path)
        if chooser is not None and chooser.cursor.path:
            self._tint(picture, chooser.cursor.path[0], theme.FOCUS)
        for index, letter in enumerate(view["pieces"]):
            if letter != ".":
                picture.blit(piece_picture(letter, self.cell), self.rect_of(self.place_of(index)))

    def paint_choice(self, picture: pygame.Surface, chooser: CursorController) -> None:
        if not chooser.cursor.asking:
            super().paint_choice(picture, chooser)
            return
        white = chooser.seat == self.spec.agents[0]
        for number, name in enumerate(PROMOTIONS):
            rect = self._answer_rect(number, chooser.cursor.path[-1])
            chosen = chooser.cursor.at[0] == number
            pygame.draw.rect(picture, theme.FOCUS if chosen else theme.RAISED, rect)
            pygame.draw.rect(picture, theme.INK if chosen else theme.EDGE, rect, width=3 if chosen else 1)
            letter = chess.piece_symbol(chess.PIECE_NAMES.index(name))
            picture.blit(piece_picture(letter.upper() if white else letter, self.cell), rect)
        self._asked_at = chooser.cursor.path[-1]

    def paint_lit(self, picture: pygame.Surface, place: Place) -> None:
        """Mark a free square with a dot, a capture with a ring, a movable piece with corners."""
        if self.view["pieces"][_index(place)] == ".":
            super().paint_lit(picture, place)
        elif self._is_held:
            self.put(picture, ring(self.cell - 4, theme.GREEN, width=0.09), place)
        else:
            self._paint_corners(picture, self.rect_of(place).inflate(-4, -4))

    def answer_at(self, pos: Point) -> Place | None:
        at = (pos[0] - self.origin[0], pos[1] - self.origin[1])
        hit = (n for n in range(len(PROMOTIONS)) if self._answer_rect(n, self._asked_at).collidepoint(at))
        return next(((number, 8) for number in hit), None)

    def paint_side(self, picture: pygame.Surface, left: pygame.Rect, right: pygame.Rect) -> None:
        view = self.view
        for agent, name, letter in zip(self.spec.agents, ("White", "Black"), "Kk", strict=True):
            near = self.turned == (letter == "k")
            box = pygame.Rect(left.left + 12, left.top, left.w - 12, left.h // 2)
            box.top = self.grid.bottom - box.h if near else self.grid.top
            paint_player(picture, box, name, piece_picture(letter, 36), due=view["turn"] == agent, low=near)
            self._paint_taken(picture, box, view["captured"][agent], low=near)
        lines = [*move_rows(view["moves"])[-ROWS:], view["ending"].capitalize()]
        lines += ["Check"] if view["check"] >= 0 and not view["ending"] else []
        paint_lines(picture, lines, pygame.Rect(right.left + 6, self.grid.top, right.w - 12, right.h))

    def why(self, view: View, refusal: Refusal) -> str:
        if len(refusal.path) == 1:
            return self._why_not_picked(view, refusal.seat, refusal.path[0])
        start, end = refusal.path[-2:]
        name = _name(view["pieces"][_index(start)])
        if [_index(start), _index(end)] not in view["exposing"]:
            return f"The {name} on {square_name(start)} does not go to {square_name(end)}"
        if name == "king":
            return f"The king would be in check on {square_name(end)}"
        return "Your king would stay in check" if view["check"] >= 0 else "Your king would be open to check"

    def _why_not_picked(self, view: View, seat: AgentID, place: Place) -> str:
        letter, square = view["pieces"][_index(place)], square_name(place)
        if letter == ".":
            return f"{square} is empty: press one of your pieces"
        name = _name(letter)
        white = seat == self.spec.agents[0]
        if letter.isupper() != white:
            return f"The {name} on {square} is {'Black' if white else 'White'}'s, and you play the other side"
        if view["check"] >= 0:
            return f"Your king is in check, and the {name} on {square} cannot help"
        if any(start == _index(place) for start, _ in view["exposing"]):
            return f"The {name} on {square} may not move: your king would be in check"
        return f"The {name} on {square} has nowhere to go"

    def _tint(self, picture: pygame.Surface, place: Place, colour: theme.Colour) -> None:
        rect = self.rect_of(place)
        pygame.draw.rect(picture, colour, rect)
        if (place[0] + place[1]) % 2:  # a dark square stays the darker one
            pygame.draw.rect(picture, tuple(value * 82 // 100 for value in colour), rect)

    def _paint_corners(self, picture: pygame.Surface, rect: pygame.Rect) -> None:
        arm = self.cell // 6
        for x, way_x in ((rect.left, 1), (rect.right - 1, -1)):
            for y, way_y in ((rect.top, 1), (rect.bottom - 1, -1)):
                for end in ((x + way_x * arm, y), (x, y + way_y * arm)):
                    pygame.draw.line(picture, (20, 110, 80), (x, y), end, 3)

    def _answer_rect(self, number: int, end: Place) -> pygame.Rect:
        """Return the square of an answer: a column from the pawn into the board, the queen on top."""
        rect = self.rect_of(end)
        top = rect.top if rect.top < self.grid.centery else rect.bottom - len(PROMOTIONS) * self.cell
        return pygame.Rect(rect.left, top + number * self.cell, self.cell, self.cell)

    def _paint_taken(self, picture: pygame.Surface, box: pygame.Rect, letters: str, *, low: bool) -> None:
        """Draw the captured pieces in rows, small."""
        a_row = max(1, (box.w - 8) // 18)
        for top in range(0, len(letters), a_row):
            row = letters[top : top + a_row]
            tile = pygame.Rect(box.left, box.top + 52 + top // a_row * 32, len(row) * 18 + 10, 28)
            if low:
                tile.top = box.bottom - 80 - top // a_row * 32
            pygame.draw.rect(picture, TILE, tile, border_radius=6)
            for number, letter in enumerate(row):
                picture.blit(piece_picture(letter, 26), (tile.left + number * 18 + 1, tile.top + 1))


def _index(place: Place) -> int:
    return place[1] * 8 + place[0]


def _name(letter: str) -> str:
    return chess.PIECE_NAMES[chess.Piece.from_symbol(letter).piece_type] or ""


@lru_cache(maxsize=64)
def piece_picture(letter: str, size: int) -> pygame.Surface:
    """Return the picture of a FEN letter, white in upper case, `size` pixels each way; do not draw on it."""
    drawing = chess.svg.piece(chess.Piece.from_symbol(letter))
    return pygame.image.load_sized_svg(io.BytesIO(drawing.encode()), (size, size))
