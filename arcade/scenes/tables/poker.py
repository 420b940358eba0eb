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

_PLATE = 220, 74


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
        for place, seat in enumerate(far):
            x = felt.left + felt.w * (place + 1) // (len(far) + 1)
            self._draw_seat(canvas, (x, felt.top + 14 + high // 2), seat, view, high)
        self._draw_seat(canvas, (felt.centerx, felt.bottom - 14 - high // 2), seats[near], view, high)
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

    def _draw_seat(
        self, canvas: pygame.Surface, middle: tuple[int, int], seat: Mapping[str, Any], view: View, high: int
    ) -> None:
        """The seat's cards, left of the words about it."""
        wide, held = cards.card_width(high), seat["held"]
        whole = held * (wide + 8) + 8 + _PLATE[0]
        left = middle[0] - whole // 2
        for place in range(held):
            if seat["folded"] and not seat["hand"]:
                picture = cards.gap(high)
            else:
                picture = cards.face(seat["hand"][place], high) if seat["hand"] else cards.back(high)
            canvas.blit(picture, (left + place * (wide + 8), middle[1] - high // 2))
        plate = pygame.Rect((0, 0), _PLATE)
        plate.midleft = (left + held * (wide + 8) + 8, middle[1])
        on_turn = view["turn"] == seat["agent"]
        theme.draw_panel(canvas, plate, fill=theme.PANEL, edge=theme.FOCUS if on_turn else None)
        colour = theme.team_colour(self.spec.team_of(seat["agent"]))
        pygame.draw.rect(canvas, colour, (plate.left, plate.top + 10, 7, plate.h - 20), border_radius=3)
        name = f"▶ {seat['agent']}" if on_turn else str(seat["agent"])
        theme.draw_text(canvas, name, (plate.left + 20, plate.top + 10), bold=True, width=plate.w - 32)
        theme.draw_text(
            canvas, _seat_words(seat), (plate.left + 20, plate.top + 40), size=theme.SMALL, colour=theme.MUTED,
            width=plate.w - 32,
        )  # fmt: skip


def _seat_words(seat: Mapping[str, Any]) -> str:
    if seat["won"] is not None:
        result = f"wins {seat['won']}" if seat["won"] > 0 else f"loses {-seat['won']}" if seat["won"] else "even"
        return f"{result}  ·  folded" if seat["folded"] else result
    parts = ["folded" if seat["folded"] else seat["said"], f"{seat['bet']} in"]
    if seat["stack"] is not None:
        parts.append(f"{seat['stack']} left")
    return "  ·  ".join(part for part in parts if part)


def _news(view: View) -> str:
    """What the foot says while nobody here is asked."""
    if not view["over"]:
        return f"{view['turn']} is to act"
    if not view["showdown"]:
        return "All others folded: the cards stay down"
    winners = [str(seat["agent"]) for seat in view["seats"] if (seat["won"] or 0) > 0]
    return f"Showdown: {' and '.join(winners)} wins" if winners else "Showdown: the pot is shared"
