"""The table of rock paper scissors: the round just played, large, and those before it."""

from __future__ import annotations

import pygame

from arcade.engine import theme
from arcade.engine.choosing import CursorController
from arcade.match.tick import View
from arcade.scenes.tables.card_table import CHALK, CHALK_DIM, CardTable
from arcade.scenes.tables.hands import hand_picture, has_picture


class RpsTable(CardTable):
    """The near seat on the left; nobody's choice is on the table before both are."""

    def draw(
        self, canvas: pygame.Surface, area: pygame.Rect, view: View, chooser: CursorController | None = None
    ) -> pygame.Rect:
        felt = self.draw_felt(canvas, area)
        near = self.near(view["agents"])
        self._draw_head(canvas, felt, view)
        for side, place in ((-1, near), (1, 1 - near)):
            self._draw_side(canvas, felt, view, place, side)
        self._draw_past(canvas, felt, view, near)
        words = [move.capitalize() for move in view["moves"]]
        news = "That was the last round" if view["over"] else "Waiting for the other hand …"
        self.draw_bar(canvas, area, view, chooser, words=words, news=news)
        for rect, index in self.hits:
            move = view["moves"][index]
            if has_picture(move):
                canvas.blit(hand_picture(move, rect.h - 12), (rect.left + 10, rect.top + 6))
        return area

    def _draw_head(self, canvas: pygame.Surface, felt: pygame.Rect, view: View) -> None:
        words = f"{view['played']} of {view['length']} rounds played"
        theme.draw_text(canvas, words, (felt.centerx, felt.top + 28), colour=CHALK_DIM, anchor="center")
        if view["rounds"]:
            winner = view["winners"][0]
            words = "a draw" if winner is None else f"{view['agents'][winner]} wins the round"
            at = (felt.centerx, felt.top + felt.h * 2 // 5)
            theme.draw_text(
                canvas, words, at, size=theme.LARGE, colour=CHALK, bold=True, anchor="center", width=felt.w // 3
            )

    def _draw_side(self, canvas: pygame.Surface, felt: pygame.Rect, view: View, place: int, side: int) -> None:
        """One player: the newest move, and a ring around the winner's."""
        size = min(220, felt.h * 2 // 5)
        middle = (felt.centerx + side * felt.w * 3 // 10, felt.top + felt.h * 2 // 5)
        plate = pygame.Rect(0, 0, size + 60, size + 90)
        plate.center = middle
        won = bool(view["winners"]) and view["winners"][0] == place
        theme.draw_panel(canvas, plate, edge=theme.FOCUS if won else None)
        agent = view["agents"][place]
        colour = theme.team_colour(self.spec.team_of(agent))
        at = (plate.centerx, plate.top + 28)
        theme.draw_text(canvas, str(agent), at, bold=True, colour=colour, anchor="center", width=plate.w - 20)
        move = view["rounds"][0][place] if view["rounds"] else ""
        self._draw_move(canvas, move, (plate.centerx, plate.centery + 6), size - 20)
        words = f"{move}  ·  wins" if won else move or "nothing yet"
        at = (plate.centerx, plate.bottom - 22)
        theme.draw_text(canvas, words, at, size=theme.SMALL, colour=theme.MUTED, anchor="center")

    def _draw_past(self, canvas: pygame.Surface, felt: pygame.Rect, view: View, near: int) -> None:
        """The rounds before the newest, oldest on the left, as the env remembers them."""
        past = list(zip(view["rounds"], view["winners"], strict=True))[1:][::-1]
        if not past:
            return
        wide, high = 150, 62
        left = felt.centerx - (len(past) * (wide + theme.GAP) - theme.GAP) // 2
        for place, (moves, winner) in enumerate(past):
            plate = pygame.Rect(left + place * (wide + theme.GAP), felt.bottom - high - 18, wide, high)
            theme.draw_panel(canvas, plate)
            for side, who in ((-1, near), (1, 1 - near)):
                middle = (plate.centerx + side * 38, plate.centery)
                self._draw_move(canvas, moves[who], middle, 46)
                if winner == who:
                    mark = pygame.Rect(0, 0, 50, 4)
                    mark.midbottom = (middle[0], plate.bottom - 2)
                    pygame.draw.rect(canvas, theme.FOCUS, mark, border_radius=2)

    def _draw_move(self, canvas: pygame.Surface, move: str, middle: tuple[int, int], size: int) -> None:
        if has_picture(move):
            picture = hand_picture(move, size)
            canvas.blit(picture, picture.get_rect(center=middle))
        elif move:
            theme.draw_text(canvas, move, middle, size=theme.SMALL, bold=True, anchor="center", width=size + 20)
