"""ControlsList: the keys of people who are about to play, one thing a line, for a narrow place on a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pygame

from agents.controller import AgentID, SeatChoice
from arcade.engine import theme
from arcade.engine.layouts import Layouts
from arcade.games.spec import GameSpec
from arcade.scenes.hud.piece import below, beside
from arcade.scenes.hud.presses import Alternative, draw_presses, presses
from arcade.scenes.hud.seat_cards import SeatCard, seat_cards
from arcade.scenes.pictograms import icon

CAP = 26


class ControlsList:
    """Painted anew only when somebody sits down elsewhere or gets other keys."""

    def __init__(self, spec: GameSpec, layouts: Layouts) -> None:
        self._spec, self._layouts = spec, layouts
        self._kept: tuple[object, ...] = ()
        self._people: list[pygame.Surface] = []

    def draw(self, canvas: pygame.Surface, area: pygame.Rect, lineup: Mapping[AgentID, SeatChoice]) -> None:
        """As many people as `area` has room for."""
        key = (tuple(lineup.items()), self._layouts.version, theme.version, area.w)
        if key != self._kept:
            cards = [card for card in seat_cards(self._spec, lineup, self._layouts) if lineup[card.agents[0]].is_human]
            self._kept, self._people = key, [_person(self._spec, card, area.w) for card in cards]
        top = area.top
        for picture in self._people:
            if top + picture.get_height() > area.bottom:
                break
            top = canvas.blit(picture, (area.left, top)).bottom + theme.GAP


def _person(spec: GameSpec, card: SeatCard, room: int) -> pygame.Surface:
    colour = theme.team_colour(spec.team_of(card.agents[0]))
    seats = theme.fitted(", ".join(map(str, card.agents)), width=room - 90, size=theme.SMALL, bold=True, colour=colour)
    lines = [beside([icon(card.choice, size=20, colour=colour), seats], gap=8)]
    for words, rows in card.groups().items():
        lines.append(_line(words, presses(rows, card.own, most=1 if card.is_half else 2), card, room))
    return below(lines, gap=5)


def _line(words: str, ways: Sequence[Alternative], card: SeatCard, room: int) -> pygame.Surface:
    """Two ways to do it, where that leaves room for the words."""
    caps = draw_presses(card.own.kind, ways[:2], size=CAP)
    if caps.get_width() + theme.text(words, size=theme.SMALL).get_width() + 10 > room:
        caps = draw_presses(card.own.kind, ways[:1], size=CAP)
    told = theme.fitted(words, width=max(60, room - caps.get_width() - 10), size=theme.SMALL)
    return beside([caps, told], gap=10)
