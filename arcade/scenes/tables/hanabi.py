"""HanabiTable: all hands, the fireworks and a grid of actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pygame

from arcade.controls.boards import Place
from arcade.controls.cursor_controller import CursorController, Refusal
from arcade.engine.input.events import PointerInput
from arcade.engine.ui import theme as themes
from arcade.games.spec import GameSpec
from arcade.match.stage.tick import View
from arcade.scenes.tables.card_table import CardTable, draw_button
from arcade.scenes.tables.hanabi_cloth import draw_hand, draw_middle
from arcade.scenes.tables.lettering import grown, largest, largest_block, line_height, units

_ACTIONS, _WIDER = 400, 1.15  # width of the actions at scale 1, and its largest growth with two players
_ROW = 5  # actions side by side, by their numbers: each kind has its own rows


class HanabiTable(CardTable):
    """The player at this screen sits at the lower edge."""

    smallest = (1160, 480)

    def __init__(self, spec: GameSpec) -> None:
        super().__init__(spec)
        self._cells: list[tuple[pygame.Rect, Place]] = []  # of every action, legal or not

    def pointer(self, event: PointerInput, chooser: CursorController) -> bool:
        """Press illegal actions too, so that their refusal is explained."""
        used = super().pointer(event, chooser)
        cell = next((place for rect, place in self._cells if rect.collidepoint(event.pos)), None)
        if not used and cell is not None and event.kind == "press" and event.button == 1:
            chooser.press(cell)
        return used or cell is not None

    def why(self, view: View, refusal: Refusal) -> str:
        column, row = refusal.path[-1]
        name = view["words"][row * _ROW + column]
        if name.startswith("discard") and view["tokens"] == view["max_tokens"]:
            return "All hints are there: nothing may be discarded"
        if name.startswith("tell"):
            return "There is no hint left" if not view["tokens"] else f"No other player has such a card: {name}"
        return f"There is no such card: {name}"

    def show(self, canvas: pygame.Surface, area: pygame.Rect, view: View, chooser: CursorController | None) -> None:
        seats, theme = view["seats"], self.theme
        wide = theme.px(grown(theme, _ACTIONS, most=_WIDER if len(seats) == 2 else 1))
        cloth = pygame.Rect(area.left, area.top, area.w - wide, area.h)
        pygame.draw.rect(canvas, theme.colours.panel, area)
        near = self.near([seat["agent"] for seat in seats])
        order = [seats[(near + step) % len(seats)] for step in range(1, len(seats))] + [seats[near]]
        high = cloth.h // (len(seats) + 1)
        for place, seat in enumerate(order):
            top = cloth.bottom - high if seat is order[-1] else cloth.top + place * high
            row = pygame.Rect(cloth.left, top, cloth.w, high)
            draw_hand(
                canvas, theme, row, seat, self.spec.seat_title(seat["agent"]), on_turn=view["turn"] == seat["agent"]
            )
        draw_middle(canvas, theme, pygame.Rect(cloth.left, cloth.bottom - 2 * high, cloth.w, high), view)
        self._draw_actions(canvas, pygame.Rect(cloth.right, area.top, wide, area.h), view, chooser)

    def _draw_actions(
        self, canvas: pygame.Surface, side: pygame.Rect, view: View, chooser: CursorController | None
    ) -> None:
        """Draw every action under its heading, illegal ones faint; else the state of the game."""
        self.hits, self._cells = [], []
        theme, answer = self.theme, self.answer(view, chooser)
        if chooser is None or not chooser.options:
            words = (
                f"The end: {view['score']} points"
                if view["over"]
                else f"{self.spec.seat_title(view['turn'])} is to act"
            )
            if answer is not None:
                words = view["words"][answer].capitalize()
            size = largest(theme, (words,), side.w - theme.px(20), most=grown(theme, themes.BODY))
            theme.draw_text(canvas, words, side.center, size=size, colour=theme.colours.muted, anchor="center")
            return
        legal = {option.action: index for index, option in enumerate(chooser.options)}
        rows = _rows(view["words"])
        edge = theme.px(8)
        step = (side.h - 2 * edge) // len(rows)
        most = min(grown(theme, themes.SMALL), units(theme, step / 3))
        heading = largest(theme, tuple(row[0] for row in rows), side.w - 2 * edge, most=most)
        for place, names in enumerate(rows):
            row = pygame.Rect(side.left + edge, side.top + edge + place * step, side.w - 2 * edge, step)
            self._draw_row(canvas, row, place, names, heading, legal, chooser)

    def _draw_row(
        self, canvas: pygame.Surface, row: pygame.Rect, place: int, names: tuple[str, ...], heading: int,
        legal: Mapping[int, int], chooser: CursorController,
    ) -> None:  # fmt: skip
        """Draw five actions: their shared words as a heading of that size, the rest on the buttons."""
        theme = self.theme
        below = theme.draw_text(
            canvas, names[0], row.topleft, size=heading, colour=theme.colours.muted, width=row.w
        ).bottom
        high = min(theme.px(grown(theme, 52, most=1.5)), row.h - line_height(theme, heading) - theme.px(12))
        rect = pygame.Rect(row.left, below + theme.px(2), row.w // _ROW - theme.px(8), high)
        most = grown(theme, themes.SMALL)
        size = largest_block(theme, names[1:], rect.w - theme.px(6), rect.h, most=most, bold=True)
        for column, name in enumerate(names[1:]):
            action = place * _ROW + column
            chosen = chooser.cursor.at == (column, place) or (action in legal and chooser.cursor.index == legal[action])
            draw_button(canvas, theme, rect, name, chosen=chosen, legal=action in legal, size=size)
            self._cells.append((rect, (column, place)))
            if action in legal:
                self.hits.append((rect, legal[action]))
            rect = rect.move(row.w // _ROW, 0)


def _rows(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the rows of actions: a heading, then the texts of the buttons."""
    rows = []
    for first in range(0, len(words), _ROW):
        shared, _, _ = words[first].rpartition(" ")
        heading = "Tell colour" if shared == "tell" else shared.capitalize()
        rows.append((heading, *(name.removeprefix(f"{shared} ") for name in words[first : first + _ROW])))
    return rows
