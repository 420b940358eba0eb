"""HanabiTable: all hands, the fireworks and a grid of actions; a click on a card offers what can be done with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

import pygame

from agents.seats.controller import AgentID
from arcade.controls.boards import Place
from arcade.controls.cursor_controller import CursorController, Refusal
from arcade.engine.input.events import Point, PointerInput
from arcade.engine.ui import theme as themes
from arcade.games.spec import GameSpec
from arcade.language import _, ngettext
from arcade.match.stage.tick import View
from arcade.scenes.tables.card_table import CardTable, draw_button
from arcade.scenes.tables.hanabi_cloth import draw_hand, draw_middle
from arcade.scenes.tables.hanabi_words import COLOUR_NAMES, ENDINGS, Action, button, card_words, done, heading, value_of
from arcade.scenes.tables.lettering import block, grown, largest, largest_block, line_height, units

_ACTIONS, _WIDER = 400, 1.15  # width of the actions at scale 1, and its largest growth with two players
_ROW = 5  # actions side by side, by their numbers: each kind has its own rows
Held = tuple[AgentID, int]  # a card: its holder, and its place in the hand
T = TypeVar("T")


class HanabiTable(CardTable):
    """The player at this screen sits at the lower edge."""

    smallest = (1120, 480)

    def __init__(self, spec: GameSpec) -> None:
        super().__init__(spec)
        self._cells: list[tuple[pygame.Rect, Place]] = []  # of every action, legal or not
        self._cards: list[tuple[pygame.Rect, Held]] = []  # as drawn last
        self._offered: list[tuple[pygame.Rect, Place]] = []  # the buttons over the picked card
        self._picked: Held | None = None

    def pointer(self, event: PointerInput, chooser: CursorController) -> bool:
        """Press illegal actions too, so that their refusal is explained; pick a card by a click on it."""
        cell = _hit(self._offered, event.pos) or _hit(self._cells, event.pos)
        is_click = event.kind == "press" and event.button == 1
        if cell is not None:
            if is_click:
                self._picked = None
                chooser.press(cell)
            elif event.kind == "move":
                chooser.point_at(cell)
            return True
        card = _hit(self._cards, event.pos)
        if is_click:
            self._picked = None if card == self._picked else card
        return card is not None

    def why(self, view: View, refusal: Refusal) -> str:
        column, row = refusal.path[-1]
        action = view["actions"][row * _ROW + column]
        if action["kind"] == "discard" and view["tokens"] == view["max_tokens"]:
            return _("You have all hints: nothing may be discarded")
        if action["kind"] not in ("colour", "rank"):
            return _("You have no card {number}").format(number=action["value"])
        if not view["tokens"]:
            return _("There is no hint left")
        player = self.title(action["to"])
        return _("{player} has no such card: {value}").format(player=player, value=value_of(action))

    def spoken(self, view: View) -> str:
        """Name each hand, the cards of the looker by the hints about them, the fireworks, and what is left."""
        parts = [f"{self.title(seat['agent'])}: {', '.join(map(card_words, seat['hand']))}" for seat in view["seats"]]
        fireworks = ", ".join(f"{_(COLOUR_NAMES[card[0]])} {card[1:]}" for card in view["fireworks"])
        parts.append(_("Fireworks: {cards}").format(cards=fireworks))
        lives, tokens, deck = view["lives"], view["tokens"], view["deck"]
        parts += [done(seat["did"], self.title) for seat in view["seats"] if (seat["did"] or {}).get("wrong")]
        parts.append(ngettext("{count} life left", "{count} lives left", lives).format(count=lives))
        parts.append(ngettext("{count} hint left", "{count} hints left", tokens).format(count=tokens))
        parts.append(ngettext("{count} card in the deck", "{count} cards in the deck", deck).format(count=deck))
        parts += [_(ENDINGS[view["ending"]])] if view["ending"] else []
        return ". ".join(parts)

    def show(self, canvas: pygame.Surface, area: pygame.Rect, view: View, chooser: CursorController | None) -> None:
        seats, theme = view["seats"], self.theme
        wide = theme.px(grown(theme, _ACTIONS, most=_WIDER if len(seats) == 2 else 1))
        cloth = pygame.Rect(area.left, area.top, area.w - wide, area.h)
        pygame.draw.rect(canvas, theme.colours.panel, area)
        near = self.near([seat["agent"] for seat in seats])
        order = [seats[(near + step) % len(seats)] for step in range(1, len(seats))] + [seats[near]]
        high = cloth.h // (len(seats) + 1)
        self._cards, lit = [], self._touched(view, chooser)
        for place, seat in enumerate(order):
            top = cloth.bottom - high if seat is order[-1] else cloth.top + place * high
            row, agent = pygame.Rect(cloth.left, top, cloth.w, high), seat["agent"]
            rooms = draw_hand(
                canvas, theme, row, seat, self.title(agent), done(seat["did"], self.title),
                colour=self.seat_colour(agent), on_turn=view["turn"] == agent,
                lit=[at for holder, at in lit if holder == agent],
            )  # fmt: skip
            self._cards += [(room, (agent, at)) for at, room in enumerate(rooms)]
        draw_middle(canvas, theme, pygame.Rect(cloth.left, cloth.bottom - 2 * high, cloth.w, high), view)
        self._draw_actions(canvas, pygame.Rect(cloth.right, area.top, wide, area.h), view, chooser)
        self._draw_offered(canvas, view, chooser)

    def _touched(self, view: View, chooser: CursorController | None) -> list[Held]:
        """Return the cards that the action under the cursor is about."""
        if chooser is None or chooser.cursor.index is None:
            return []
        action = view["actions"][chooser.options[chooser.cursor.index].action]
        holder = chooser.seat if action["to"] is None else action["to"]
        hand = next(seat["hand"] for seat in view["seats"] if seat["agent"] == holder)
        return [(holder, at) for at, card in enumerate(hand) if _is_about(action, at, card["card"])]

    def _of_card(self, view: View, chooser: CursorController, held: Held) -> Iterator[tuple[Place, Action]]:
        """Yield the actions about one card, with their places in the grid."""
        holder, at = held
        hand = next(seat["hand"] for seat in view["seats"] if seat["agent"] == holder)
        for index, action in enumerate(view["actions"]):
            to = chooser.seat if action["to"] is None else action["to"]
            if to == holder and at < len(hand) and _is_about(action, at, hand[at]["card"]):
                yield (index % _ROW, index // _ROW), action

    def _draw_offered(self, canvas: pygame.Surface, view: View, chooser: CursorController | None) -> None:
        """Draw over the picked card what can be done with it."""
        self._offered = []
        room = next((room for room, held in self._cards if held == self._picked), None)
        if chooser is None or not chooser.options or room is None or self._picked is None:
            self._picked = None
            return
        theme, gap = self.theme, self.theme.px(6)
        found = sorted(self._of_card(view, chooser, self._picked), key=lambda one: one[1]["kind"] != "play")
        high = min(theme.px(grown(theme, 44, most=1.5)), (room.h - gap) // 2)
        rect = pygame.Rect(room.left + gap // 2, 0, room.w - gap, high)
        rect.top = room.centery - (len(found) * (high + gap) - gap) // 2
        names = tuple(button(action) for _cell, action in found)
        size = largest_block(theme, names, rect.w - gap, high, most=grown(theme, themes.SMALL), bold=True)
        for (cell, _action), name in zip(found, names, strict=True):
            is_legal = any(option.path == (cell,) for option in chooser.options)
            draw_button(canvas, theme, rect, name, size=size, chosen=chooser.cursor.at == cell, legal=is_legal)
            self._offered.append((rect, cell))
            rect = rect.move(0, high + gap)

    def _news(self, view: View, answer: int | None) -> str:
        """Return the state of the game, or the choice that was made."""
        if answer is not None:
            return done({**view["actions"][answer]}, self.title)
        if not view["over"]:
            return _("{seat} to move").format(seat=self.title(view["turn"]))
        points = view["score"]
        return ngettext("The end: {count} point", "The end: {count} points", points).format(count=points)

    def _draw_actions(
        self, canvas: pygame.Surface, side: pygame.Rect, view: View, chooser: CursorController | None
    ) -> None:
        """Draw every action under its heading, illegal ones faint; else the state of the game."""
        self.hits, self._cells = [], []
        theme, answer = self.theme, self.answer(view, chooser)
        if chooser is None or not chooser.options:
            words, room = self._news(view, answer), side.w - theme.px(20)
            size = largest(theme, (words,), room, most=grown(theme, themes.BODY))
            muted = theme.colours.muted
            drawn = theme.draw_text(canvas, words, side.center, size=size, colour=muted, anchor="center", width=room)
            if view["ending"]:
                why = block(theme, _(ENDINGS[view["ending"]]), room, size=themes.SMALL, colour=muted)
                canvas.blit(why, why.get_rect(midtop=(side.centerx, drawn.bottom + theme.gap)))
            return
        legal = {option.action: index for index, option in enumerate(chooser.options)}
        rows = self._rows(view["actions"])
        edge = theme.px(8)
        step = (side.h - 2 * edge) // len(rows)
        most = min(grown(theme, themes.SMALL), units(theme, step / 3))
        size = largest(theme, tuple(row[0] for row in rows), side.w - 2 * edge, most=most)
        for place, names in enumerate(rows):
            row = pygame.Rect(side.left + edge, side.top + edge + place * step, side.w - 2 * edge, step)
            self._draw_row(canvas, row, place, names, size, legal, chooser)

    def _rows(self, actions: Sequence[Action]) -> list[tuple[str, ...]]:
        """Return the rows of actions: a heading, then the texts of the buttons."""
        firsts = range(0, len(actions), _ROW)
        several = len({action["to"] for action in actions if action["to"] is not None}) > 1
        return [
            (
                heading(actions[first], self.title, names_player=several),
                *(value_of(action) for action in actions[first : first + _ROW]),
            )
            for first in firsts
        ]

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


def _is_about(action: Action, at: int, card: str) -> bool:
    """Return whether an action is about the card at that place of the hand; `card` is "" where it is hidden."""
    if action["to"] is None:
        return bool(action["value"] == at + 1)
    return card[:1] == action["value"] if action["kind"] == "colour" else card[1:] == str(action["value"])


def _hit(places: Sequence[tuple[pygame.Rect, T]], pos: Point) -> T | None:
    return next((what for rect, what in places if rect.collidepoint(pos)), None)
