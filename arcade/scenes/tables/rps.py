"""The table of rock paper scissors: the round just played, large, and those before it."""

from __future__ import annotations

import pygame

from arcade.controls.cursor_controller import CursorController
from arcade.engine.ui import theme
from arcade.match.stage.tick import View
from arcade.scenes.tables.card_table import CHALK, CHALK_DIM, CardTable
from arcade.scenes.tables.hands import hand_picture, has_picture
from arcade.scenes.tables.lettering import block, grown, largest, largest_block


class RpsTable(CardTable):
    """The near seat on the left; nobody's choice is on the table before both are."""

    def draw(
        self, canvas: pygame.Surface, area: pygame.Rect, view: View, chooser: CursorController | None = None
    ) -> pygame.Rect:
        felt = self.draw_felt(canvas, area)
        near = self.near(view["agents"])
        below = self._draw_head(canvas, felt, view)
        past = max(62, felt.h // 7)
        room = pygame.Rect(felt.left, below, felt.w, felt.bottom - past - 30 - below)
        for side, place in ((-1, near), (1, 1 - near)):
            self._draw_side(canvas, room, view, place, side)
        self._draw_winner(canvas, room, view)
        self._draw_past(canvas, felt, view, near, past)
        words = [move.capitalize() for move in view["moves"]]
        news = "That was the last round" if view["over"] else "Waiting for the other hand …"
        self.draw_bar(canvas, area, view, chooser, words=words, news=news, pictured=True)
        for rect, index in self.hits:
            move = view["moves"][index]
            if has_picture(move):
                canvas.blit(hand_picture(move, rect.h - 12), (rect.left + 10, rect.top + 6))
        return area

    def _draw_head(self, canvas: pygame.Surface, felt: pygame.Rect, view: View) -> int:
        """How far the match is; returns where its words end."""
        words = f"{view['played']} of {view['length']} rounds played"
        size = largest((words,), felt.w // 2, most=min(grown(theme.BODY), felt.h // 9))
        at = (felt.centerx, felt.top + 10)
        return theme.draw_text(canvas, words, at, size=size, colour=CHALK_DIM, anchor="midtop").bottom + 6

    def _draw_winner(self, canvas: pygame.Surface, room: pygame.Rect, view: View) -> None:
        if not view["rounds"]:
            return
        winner = view["winners"][0]
        words = "a draw" if winner is None else f"{view['agents'][winner]} wins the round"
        wide = room.w * 6 // 10 - _plate_size(room)[0] - 20
        size = largest_block((words,), wide, room.h, most=grown(theme.LARGE), bold=True)
        picture = block(words, wide, size=size, colour=CHALK, bold=True)
        canvas.blit(picture, picture.get_rect(center=room.center))

    def _draw_side(self, canvas: pygame.Surface, room: pygame.Rect, view: View, place: int, side: int) -> None:
        """One player: the newest move, and a ring around the winner's."""
        plate = pygame.Rect((0, 0), _plate_size(room))
        plate.center = (room.centerx + side * room.w * 3 // 10, room.centery)
        won = bool(view["winners"]) and view["winners"][0] == place
        theme.draw_panel(canvas, plate, edge=theme.FOCUS if won else None)
        agent = str(view["agents"][place])
        colour = theme.team_colour(self.spec.team_of(view["agents"][place]))
        size = largest((agent,), plate.w - 20, most=min(grown(theme.BODY), plate.h // 6), bold=True)
        at = (plate.centerx, plate.top + 8)
        top = theme.draw_text(
            canvas, agent, at, size=size, bold=True, colour=colour, anchor="midtop", width=plate.w
        ).bottom
        move = view["rounds"][0][place] if view["rounds"] else ""
        words = f"{move}  ·  wins" if won else move or "nothing yet"
        longest = (words, *(f"{move}  ·  wins" for move in view["moves"]))
        size = largest(longest, plate.w - 20, most=min(grown(theme.SMALL), plate.h // 7))
        at = (plate.centerx, plate.bottom - 8)
        low = theme.draw_text(
            canvas, words, at, size=size, colour=theme.MUTED, anchor="midbottom", width=plate.w - 8
        ).top
        self._draw_move(canvas, move, (plate.centerx, (top + low) // 2), min(low - top, plate.w - 20))

    def _draw_past(self, canvas: pygame.Surface, felt: pygame.Rect, view: View, near: int, high: int) -> None:
        """The rounds before the newest, oldest on the left, as the env remembers them."""
        past = list(zip(view["rounds"], view["winners"], strict=True))[1:][::-1]
        if not past:
            return
        wide = min(150, (felt.w - 40) // len(past) - theme.GAP)
        left = felt.centerx - (len(past) * (wide + theme.GAP) - theme.GAP) // 2
        for place, (moves, winner) in enumerate(past):
            plate = pygame.Rect(left + place * (wide + theme.GAP), felt.bottom - high - 14, wide, high)
            theme.draw_panel(canvas, plate)
            for side, who in ((-1, near), (1, 1 - near)):
                middle = (plate.centerx + side * wide // 4, plate.centery)
                self._draw_move(canvas, moves[who], middle, min(high - 16, wide // 2 - 12))
                if winner == who:
                    mark = pygame.Rect(0, 0, 50, 4)
                    mark.midbottom = (middle[0], plate.bottom - 2)
                    pygame.draw.rect(canvas, theme.FOCUS, mark, border_radius=2)

    @staticmethod
    def _draw_move(canvas: pygame.Surface, move: str, middle: tuple[int, int], size: int) -> None:
        if has_picture(move):
            picture = hand_picture(move, size)
            canvas.blit(picture, picture.get_rect(center=middle))
        elif move:
            letters = largest((move,), size, most=max(theme.SMALLEST, min(grown(theme.SMALL), size // 2)), bold=True)
            theme.draw_text(canvas, move, middle, size=letters, bold=True, anchor="center", width=size + 20)


def _plate_size(room: pygame.Rect) -> tuple[int, int]:
    """Of one player's plate."""
    high = min(310, room.h)
    return min(max(200, high * 9 // 10), room.w * 3 // 10), high
