"""The table of Hanabi: the others' hands, the fireworks, one's own hand from behind, and a grid of actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pygame

from arcade.engine import theme
from arcade.engine.boards import Place
from arcade.engine.choosing import CursorController, Refusal
from arcade.engine.events import PointerInput
from arcade.games.spec import GameSpec
from arcade.match.tick import View
from arcade.scenes.tables.card_table import CHALK, CHALK_DIM, FELT_EDGE, CardTable, draw_button
from arcade.scenes.tables.firework_cards import COLOURS, firework_back, firework_card, firework_pile
from arcade.scenes.tables.playing_cards import card_width

ACTIONS = 400
"""Width of the side with the actions."""

_ROW = 5  # actions side by side; as the actions are numbered, so each kind has rows of its own


class HanabiTable(CardTable):
    """Whoever plays here sits at the lower edge."""

    smallest = (1160, 540)

    def __init__(self, spec: GameSpec) -> None:
        super().__init__(spec)
        self._cells: list[tuple[pygame.Rect, Place]] = []  # where every action was drawn last, legal or not

    def pointer(self, event: PointerInput, chooser: CursorController) -> bool:
        """A click on an action that is not legal is refused, as a press on it is."""
        used = super().pointer(event, chooser)
        cell = next((place for rect, place in self._cells if rect.collidepoint(event.pos)), None)
        if not used and cell is not None and event.kind == "press" and event.button == 1:
            chooser.press(cell)
        return used or cell is not None

    def why(self, view: View, refusal: Refusal) -> str:
        column, row = refusal.path[-1]
        name = self.spec.names_of(refusal.seat)[row * _ROW + column]
        if name.startswith("discard") and view["tokens"] == view["max_tokens"]:
            return "All hints are there: nothing may be discarded"
        if name.startswith("tell"):
            return "There is no hint left" if not view["tokens"] else f"Nobody holds such a card: {name}"
        return f"There is no such card: {name}"

    def draw(
        self, canvas: pygame.Surface, area: pygame.Rect, view: View, chooser: CursorController | None = None
    ) -> pygame.Rect:
        side = pygame.Rect(area.right - ACTIONS, area.top, ACTIONS, area.h)
        cloth = pygame.Rect(area.left, area.top, area.w - ACTIONS, area.h)
        pygame.draw.rect(canvas, theme.PANEL, area)
        seats = view["seats"]
        near = self.near([seat["agent"] for seat in seats])
        order = [seats[(near + step) % len(seats)] for step in range(1, len(seats))] + [seats[near]]
        rows = len(seats) + 1
        high = cloth.h // rows
        for place, seat in enumerate(order):
            top = cloth.bottom - high if seat is order[-1] else cloth.top + place * high
            self._draw_hand(canvas, pygame.Rect(cloth.left, top, cloth.w, high), seat, view)
        middle = pygame.Rect(cloth.left, cloth.bottom - 2 * high, cloth.w, high)
        self._draw_middle(canvas, middle, view)
        self._draw_actions(canvas, side, view, chooser)
        return area

    def _draw_hand(self, canvas: pygame.Surface, row: pygame.Rect, seat: Mapping[str, Any], view: View) -> None:
        on_turn = view["turn"] == seat["agent"]
        name = f"▶ {seat['agent']}" if on_turn else str(seat["agent"])
        colour = theme.team_colour(0) if on_turn else theme.INK
        left = row.left + 24
        theme.draw_text(canvas, name, (left, row.top + 16), bold=True, colour=colour, width=170)
        said = theme.paragraph(seat["said"] or "no move yet", width=160, size=theme.SMALL, colour=theme.MUTED)
        canvas.blit(said, (left, row.top + 48))
        high = row.h - 64
        wide = card_width(high)
        for place, card in enumerate(seat["hand"]):
            x = row.left + 210 + place * (wide + 28)
            picture = firework_card(card["card"], high) if card["card"] else firework_back(high)
            canvas.blit(picture, (x, row.top + 10))
            number = theme.text(str(place + 1), size=theme.SMALL, colour=theme.FAINT)
            canvas.blit(number, number.get_rect(midbottom=(x - 10, row.top + 10 + high)))
            at = (x + wide // 2, row.top + high + 14)
            theme.draw_text(canvas, _known(card), at, size=theme.SMALL, bold=True, anchor="midtop", width=wide + 24)
            at = (x + wide // 2, row.top + high + 35)
            theme.draw_text(canvas, _possible(card), at, size=14, colour=theme.MUTED, anchor="midtop", width=wide + 24)

    def _draw_middle(self, canvas: pygame.Surface, row: pygame.Rect, view: View) -> None:
        """The fireworks, what is left of tokens, lives and deck, and the discards."""
        pygame.draw.rect(canvas, FELT_EDGE, row)
        high = min(row.h - 24, 130)
        wide = card_width(high)
        for place, pile in enumerate(view["fireworks"]):
            canvas.blit(firework_pile(pile, high), (row.left + 24 + place * (wide + 10), row.centery - high // 2))
        left = row.left + 24 + len(view["fireworks"]) * (wide + 10) + 16
        lines = [
            (f"Score {view['score']}", CHALK),
            (f"Hints {view['tokens']} of {view['max_tokens']}", COLOURS["B"][1]),
            (f"Lives {view['lives']} of {view['max_lives']}", COLOURS["R" if view["lives"] < 2 else "G"][1]),
            (f"Deck {view['deck']}", CHALK_DIM),
        ]
        for place, (words, colour) in enumerate(lines):
            at = (left, row.top + 14 + place * 28)
            theme.draw_text(canvas, words, at, size=theme.SMALL, bold=True, colour=colour, width=170)
        self._draw_discards(canvas, pygame.Rect(left + 186, row.top + 12, row.right - left - 200, row.h - 20), view)

    def _draw_discards(self, canvas: pygame.Surface, room: pygame.Rect, view: View) -> None:
        theme.draw_text(canvas, "Discarded", room.topleft, size=theme.SMALL, colour=CHALK_DIM, width=room.w)
        for place, colour in enumerate(COLOURS):
            ranks = sorted(card[1] for card in view["discards"] if card[0] == colour)
            at = (room.left, room.top + 26 + place * 22)
            ink = COLOURS[colour][1]
            theme.draw_text(
                canvas, f"{colour}  {' '.join(ranks) or '–'}", at, size=theme.SMALL, colour=ink, width=room.w
            )

    def _draw_actions(
        self, canvas: pygame.Surface, side: pygame.Rect, view: View, chooser: CursorController | None
    ) -> None:
        """Every action in rows under its heading, those that are not legal now faint; the end in words."""
        self.hits, self._cells = [], []
        answer = self.answer(view, chooser)
        if chooser is None or not chooser.options:
            words = f"The end: {view['score']} points" if view["over"] else f"{view['turn']} is to act"
            if answer is not None:
                words = self.spec.names_of(view["turn"])[answer].capitalize()
            theme.draw_text(canvas, words, side.center, colour=theme.MUTED, anchor="center", width=side.w - 20)
            return
        names = self.spec.names_of(chooser.seat)
        legal = {option.action: index for index, option in enumerate(chooser.options)}
        step = (side.h - 16) // max(1, -(-len(names) // _ROW))
        for first in range(0, len(names), _ROW):
            top = side.top + 8 + first // _ROW * step
            self._draw_row(canvas, pygame.Rect(side.left, top, side.w - 16, step), first, names, legal, chooser)

    def _draw_row(
        self, canvas: pygame.Surface, row: pygame.Rect, first: int, names: Sequence[str], legal: Mapping[int, int],
        chooser: CursorController,
    ) -> None:  # fmt: skip
        """Five actions: the words they share above, what tells them apart on the buttons."""
        row_names = names[first : first + _ROW]
        shared, _, _ = row_names[0].rpartition(" ")
        heading = "Tell colour" if shared == "tell" else shared.capitalize()
        theme.draw_text(canvas, heading, (row.left, row.top + 4), size=theme.SMALL, colour=theme.MUTED, width=row.w)
        wide = row.w // _ROW
        for place, name in enumerate(row_names):
            action = first + place
            rect = pygame.Rect(row.left + place * wide, row.top + 30, wide - 8, min(52, row.h - 42))
            chosen = chooser.at == (place, first // _ROW) or (action in legal and chooser.cursor == legal[action])
            draw_button(
                canvas, rect, name.removeprefix(f"{shared} "), chosen=chosen, legal=action in legal, size=theme.SMALL
            )
            self._cells.append((rect, (place, first // _ROW)))
            if action in legal:
                self.hits.append((rect, legal[action]))


def _known(card: Mapping[str, str]) -> str:
    """What its holder was told of a card."""
    colour = COLOURS[card["colour"]][0] if card["colour"] else ""
    return f"{colour} {card['rank']}".strip() or "not told"


def _possible(card: Mapping[str, str]) -> str:
    """What it may still be for its holder."""
    return f"{card['colours']} {card['ranks']}"
