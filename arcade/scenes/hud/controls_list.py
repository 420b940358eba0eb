"""ControlsList: the keys of the players before a match, one control a line, for a narrow column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate

import pygame

from agents.seats.choice import SeatChoice
from agents.seats.controller import AgentID
from arcade.engine.input.key_bindings import KeyBindings
from arcade.engine.ui import theme
from arcade.games.spec import GameSpec
from arcade.scenes.hud.piece import below, beside
from arcade.scenes.hud.presses import Alternative, draw_presses, presses
from arcade.scenes.hud.seat_cards import SeatCard, seat_cards
from arcade.scenes.pictograms import icon

CAP = 26
_GAP = 5


class ControlsList:
    """Repainted only when the seats or the key bindings change."""

    def __init__(self, spec: GameSpec, bindings: KeyBindings) -> None:
        self._spec, self._bindings = spec, bindings
        self._kept: tuple[object, ...] = ()
        self._people: list[list[pygame.Surface]] = []  # the lines of each

    def draw(self, canvas: pygame.Surface, area: pygame.Rect, lineup: Mapping[AgentID, SeatChoice]) -> None:
        """Draw as many players, and lines of the last, as fit into `area`."""
        key = (tuple(lineup.items()), self._bindings.version, theme.version, area.w)
        if key != self._kept:
            cards = (card for card in seat_cards(self._spec, lineup, self._bindings) if lineup[card.agents[0]].is_human)
            self._kept, self._people = key, [_person(self._spec, card, area.w) for card in cards]
        top = area.top
        for lines in self._people:
            fitting = [line for line, foot in zip(lines, _feet(lines), strict=True) if top + foot <= area.bottom]
            if len(fitting) < min(2, len(lines)):
                break
            top = canvas.blit(below(fitting, gap=_GAP), (area.left, top)).bottom + theme.GAP


def _feet(lines: Sequence[pygame.Surface]) -> list[int]:
    """Return where each line ends below the top of the first."""
    return [foot + _GAP * place for place, foot in enumerate(accumulate(line.get_height() for line in lines))]


def _person(spec: GameSpec, card: SeatCard, room: int) -> list[pygame.Surface]:
    colour = theme.team_colour(spec.team_of(card.agents[0]))
    seats = theme.fitted(", ".join(map(str, card.agents)), width=room - 90, size=theme.SMALL, bold=True, colour=colour)
    lines = [beside([icon(card.choice, size=20, colour=colour), seats], gap=8)]
    for words, rows in card.groups().items():
        lines.append(_line(words, presses(rows, card.own, most=1 if card.is_half else 2), card, room))
    return lines


def _line(words: str, ways: Sequence[Alternative], card: SeatCard, room: int) -> pygame.Surface:
    """Draw two alternatives where that leaves room for the words."""
    caps = draw_presses(card.own.kind, ways[:2], size=CAP)
    if caps.get_width() + theme.text(words, size=theme.SMALL).get_width() + 10 > room:
        caps = draw_presses(card.own.kind, ways[:1], size=CAP)
    text = theme.fitted(words, width=max(60, room - caps.get_width() - 10), size=theme.SMALL)
    return beside([caps, text], gap=10)
