"""The poker tables: cards in hand, cards in common, bets, and who won how much."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pygame

from arcade.engine import theme
from arcade.engine.choosing import CursorController
from arcade.match.tick import View
from arcade.scenes.tables import playing_cards as cards
from arcade.scenes.tables.card_table import CHALK, CHALK_DIM, CardTable

_PLATE = 250, 74


class PokerTable(CardTable):
    """Whoever plays here sits at the lower edge, all others along the upper one, the cards in common between them."""

    def draw(
        self, canvas: pygame.Surface, area: pygame.Rect, view: View, chooser: CursorController | None = None
    ) -> pygame.Rect:
        felt = self.draw_felt(canvas, area)
        seats = view["seats"]
        near = self.near([seat["agent"] for seat in seats])
        far = [seats[(near + step) % len(seats)] for step in range(1, len(seats))]
        high = min(170, felt.h * 2 // 7)
        slot = (felt.w - 40) // max(1, len(far))
        for place, seat in enumerate(far):
            self._draw_seat(canvas, pygame.Rect(felt.left + 20 + place * slot, felt.top + 12, slot, high), seat, view)
        self._draw_seat(canvas, pygame.Rect(felt.left, felt.bottom - 12 - high, felt.w, high), seats[near], view)
        self._draw_board(canvas, felt, view, high)
        self.draw_bar(canvas, area, view, chooser, words=view["words"], news=_news(view))
        return area

    def _draw_board(self, canvas: pygame.Surface, felt: pygame.Rect, view: View, high: int) -> None:
        size, board = view["board_size"], view["board"]
        wide = cards.card_width(high)
        left = felt.centerx - (size * (wide + theme.GAP) - theme.GAP) // 2
        for place in range(size):
            picture = cards.face(board[place], high) if place < len(board) else cards.gap(high)
            canvas.blit(picture, (left + place * (wide + theme.GAP), felt.centery - high // 2))
        at = (left - 28, felt.centery)
        theme.draw_text(canvas, str(view["pot"]), at, size=theme.TITLE, colour=CHALK, bold=True, anchor="midright")
        theme.draw_text(
            canvas, "in the pot", (at[0], at[1] + 34), size=theme.SMALL, colour=CHALK_DIM, anchor="midright"
        )

    def _draw_seat(self, canvas: pygame.Surface, room: pygame.Rect, seat: Mapping[str, Any], view: View) -> None:
        """The seat's cards, and beside them, or below where many share the room, the words about it."""
        held, plate = seat["held"], pygame.Rect((0, 0), _PLATE)
        high = room.h
        whole = held * (cards.card_width(high) + 8) + plate.w
        if whole <= room.w:
            left = room.centerx - whole // 2
            plate.midleft = (left + whole - plate.w, room.centery)
        else:
            plate.w = min(plate.w, room.w - 8)
            high = room.h - plate.h - 6
            left = room.centerx - held * (cards.card_width(high) + 8) // 2
            plate.midbottom = room.midbottom
        self._draw_hand(canvas, (left, room.top), seat, high)
        self._draw_plate(canvas, plate, seat, on_turn=view["turn"] == seat["agent"])

    def _draw_hand(self, canvas: pygame.Surface, corner: tuple[int, int], seat: Mapping[str, Any], high: int) -> None:
        for place in range(seat["held"]):
            if seat["folded"] and not seat["hand"]:
                picture = cards.gap(high)
            else:
                picture = cards.face(seat["hand"][place], high) if seat["hand"] else cards.back(high)
            canvas.blit(picture, (corner[0] + place * (cards.card_width(high) + 8), corner[1]))

    def _draw_plate(
        self, canvas: pygame.Surface, plate: pygame.Rect, seat: Mapping[str, Any], *, on_turn: bool
    ) -> None:  # fmt: skip
        theme.draw_panel(canvas, plate, fill=theme.PANEL, edge=theme.FOCUS if on_turn else None)
        colour = theme.team_colour(self.spec.team_of(seat["agent"]))
        pygame.draw.rect(canvas, colour, (plate.left, plate.top + 10, 7, plate.h - 20), border_radius=3)
        name = f"▶ {seat['agent']}" if on_turn else str(seat["agent"])
        left = theme.draw_text(canvas, name, (plate.left + 20, plate.top + 10), bold=True, width=plate.w - 32).right
        said, at = "folded" if seat["folded"] else seat["said"], (plate.right - 14, plate.top + 14)
        room = max(20, at[0] - left - 8)
        theme.draw_text(canvas, said, at, size=theme.SMALL, colour=theme.INK, anchor="topright", width=room)
        words, at = _seat_words(seat), (plate.left + 20, plate.top + 42)
        theme.draw_text(canvas, words, at, size=theme.SMALL, colour=theme.MUTED, width=plate.w - 32)


def _seat_words(seat: Mapping[str, Any]) -> str:
    if seat["won"] is not None:
        return f"wins {seat['won']}" if seat["won"] > 0 else f"loses {-seat['won']}" if seat["won"] else "even"
    return f"{seat['bet']} in" if seat["stack"] is None else f"{seat['bet']} in  ·  {seat['stack']} left"


def _news(view: View) -> str:
    """What the foot says while nobody here is asked."""
    if not view["over"]:
        return f"{view['turn']} is to act"
    if not view["showdown"]:
        return "All others folded: the cards stay down"
    winners = [str(seat["agent"]) for seat in view["seats"] if (seat["won"] or 0) > 0]
    return f"Showdown: {' and '.join(winners)} wins" if winners else "Showdown: the pot is shared"
