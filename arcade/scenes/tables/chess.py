"""ChessTable: the board from the player's side, the captured pieces and the choice of a promotion."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import lru_cache

import chess.svg
import pygame

from agents.seats.controller import AgentID
from arcade.controls.boards import PROMOTIONS, Place, square_name
from arcade.controls.cursor import Option
from arcade.controls.cursor_controller import CursorController, Refusal
from arcade.engine.input.events import Point
from arcade.engine.ui.theme import Colour
from arcade.games.tables.notation import move_rows
from arcade.language import N_, _
from arcade.match.stage.tick import View
from arcade.scenes.tables.board import ROWS, TILE, BoardTable, paint_lines, paint_player, plate_height, ring

ENDINGS = {
    "checkmate": N_("Checkmate"),
    "stalemate": N_("Stalemate"),
    "insufficient material": N_("Too few pieces to win"),
    "seventyfive moves": N_("75 moves without progress"),
    "fivefold repetition": N_("Position repeated five times"),
    "fifty moves": N_("50 moves without progress"),
    "threefold repetition": N_("Position repeated three times"),
}
"""How a game ended, in python-chess's words → on the screen."""
PIECES = {
    "pawn": N_("pawn"), "knight": N_("knight"), "bishop": N_("bishop"), "rook": N_("rook"), "queen": N_("queen"),
    "king": N_("king"),
}  # fmt: skip
_LIGHT, _DARK, _MOVED, _CHECK = (232, 220, 200), (158, 130, 108), (214, 190, 92), (222, 98, 78)


class ChessTable(BoardTable):
    """Turned while only Black plays at this screen."""

    column_labels, rows_numbered, can_flip = "abcdefgh", True, True
    _asked_at: Place = (0, 0)  # the promotion square of the open question
    _is_held = False

    def option_name(self, view: View, option: Option) -> str:
        return str(view["names"].get(option.label, option.label))

    def pieces_on(self, view: View) -> Iterator[tuple[AgentID, str]]:
        for index, letter in enumerate(view["pieces"]):
            if letter != ".":
                yield self.spec.agents[letter.islower()], f"{_name(letter)} {self.place_name(index)}"

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
            self._tint(picture, chooser.cursor.path[0], self.theme.colours.focus)
        for place, piece in ((place, self.piece_at(place)) for place in map(self.place_of, range(64))):
            if piece is not None and place != self._lifted(chooser):
                picture.blit(piece, self.rect_of(place))

    def piece_at(self, place: Place) -> pygame.Surface | None:
        letter = self.view["pieces"][_index(place)]
        return piece_picture(letter, self.cell) if letter != "." else None

    def paint_choice(self, picture: pygame.Surface, chooser: CursorController) -> None:
        if not chooser.cursor.asking:
            super().paint_choice(picture, chooser)
            return
        colours, white = self.theme.colours, chooser.seat == self.spec.agents[0]
        for number, name in enumerate(PROMOTIONS):
            rect = self._answer_rect(number, chooser.cursor.path[-1])
            chosen = chooser.cursor.at[0] == number
            pygame.draw.rect(picture, colours.focus if chosen else colours.raised, rect)
            pygame.draw.rect(picture, colours.ink if chosen else colours.edge, rect, width=3 if chosen else 1)
            letter = chess.piece_symbol(chess.PIECE_NAMES.index(name))
            picture.blit(piece_picture(letter.upper() if white else letter, self.cell), rect)
        self._asked_at = chooser.cursor.path[-1]

    def paint_lit(self, picture: pygame.Surface, place: Place) -> None:
        """Mark a free square with a dot, a capture with a ring, a movable piece with corners."""
        if self.view["pieces"][_index(place)] == ".":
            super().paint_lit(picture, place)
        elif self._is_held:
            self.put(picture, ring(self.cell - 4, self.theme.colours.green, width=0.09), place)
        else:
            self._paint_corners(picture, self.rect_of(place).inflate(-4, -4))

    def answer_at(self, pos: Point) -> Place | None:
        at = (pos[0] - self.origin[0], pos[1] - self.origin[1])
        hit = (n for n in range(len(PROMOTIONS)) if self._answer_rect(n, self._asked_at).collidepoint(at))
        return next(((number, 8) for number in hit), None)

    def paint_side(self, picture: pygame.Surface, left: pygame.Rect, right: pygame.Rect) -> None:
        view, theme = self.view, self.theme
        for agent, letter in zip(self.spec.agents, "Kk", strict=True):
            near = self.turned == (letter == "k")
            box = pygame.Rect(left.left + theme.gap, left.top, left.w - theme.gap, left.h // 2)
            box.top = self.grid.bottom - box.h if near else self.grid.top
            sign = piece_picture(letter, plate_height(theme) - theme.px(8))
            turn = self.turn_colour(agent)
            plate = paint_player(picture, theme, box, self.spec.seat_title(agent), sign, turn=turn, low=near)
            self._paint_taken(picture, plate, box.w, view["captured"][agent], low=near)
        lines = [*move_rows(view["moves"], self.spec.turns_per_move)[-ROWS:]] if self.tells_moves else []
        lines += [_(ENDINGS[view["ending"]])] if view["ending"] else []
        lines += [_("Check!")] if view["check"] >= 0 and not view["ending"] else []
        paint_lines(picture, theme, lines, pygame.Rect(right.left, self.grid.top, right.w - theme.gap, self.grid.h))

    def why(self, view: View, refusal: Refusal) -> str:
        if len(refusal.path) == 1:
            return self._why_not_picked(view, refusal.seat, refusal.path[0])
        start, end = refusal.path[-2:]
        name = _name(view["pieces"][_index(start)])
        if [_index(start), _index(end)] not in view["exposing"]:
            words = _("The {piece} on {square} does not go to {target}")
            return words.format(piece=name, square=square_name(start), target=square_name(end))
        if view["pieces"][_index(start)] in "Kk":
            return _("The king would be in check on {square}").format(square=square_name(end))
        return _("Your king would stay in check") if view["check"] >= 0 else _("Your king would be open to check")

    def _why_not_picked(self, view: View, seat: AgentID, place: Place) -> str:
        letter, square = view["pieces"][_index(place)], square_name(place)
        if letter == ".":
            return _("{square} is empty: press one of your pieces").format(square=square)
        if letter.isupper() != (seat == self.spec.agents[0]):
            words = _("The {piece} on {square} is your opponent's")
        elif view["check"] >= 0:
            words = _("Your king is in check, and the {piece} on {square} cannot help")
        elif any(start == _index(place) for start, _end in view["exposing"]):
            words = _("The {piece} on {square} may not move: your king would be in check")
        else:
            words = _("The {piece} on {square} has nowhere to go")
        return words.format(piece=_name(letter), square=square)

    def _tint(self, picture: pygame.Surface, place: Place, colour: Colour) -> None:
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

    def _paint_taken(self, picture: pygame.Surface, plate: pygame.Rect, width: int, letters: str, *, low: bool) -> None:
        """Draw the captured pieces in rows of at most `width` pixels, small, beside the player's plate."""
        size, step, gap = (self.theme.px(n * min(self.theme.scale, 1.5)) for n in (26, 18, 4))
        a_row = max(1, (width - step) // step)
        for start in range(0, len(letters), a_row):
            row = letters[start : start + a_row]
            away = gap + start // a_row * (size + 2 * gap)
            tile = pygame.Rect(plate.left, plate.bottom + away, len(row) * step + step // 2, size + gap // 2)
            if low:
                tile.bottom = plate.top - away
            pygame.draw.rect(picture, TILE, tile, border_radius=gap)
            for number, letter in enumerate(row):
                picture.blit(piece_picture(letter, size), (tile.left + number * step, tile.top))


def _index(place: Place) -> int:
    return place[1] * 8 + place[0]


def _name(letter: str) -> str:
    return _(PIECES[chess.PIECE_NAMES[chess.Piece.from_symbol(letter).piece_type] or "pawn"])


@lru_cache(maxsize=64)
def piece_picture(letter: str, size: int) -> pygame.Surface:
    """Return the picture of a FEN letter, white in upper case, `size` pixels each way; do not draw on it."""
    drawing = chess.svg.piece(chess.Piece.from_symbol(letter))
    return pygame.image.load_sized_svg(io.BytesIO(drawing.encode()), (size, size))
