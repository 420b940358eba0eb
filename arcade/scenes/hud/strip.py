"""ControlsStrip: the keys of everybody who plays by hand, in a line each."""

from __future__ import annotations

from collections.abc import Mapping

import pygame

from agents.controller import AgentID, SeatChoice
from arcade.engine import theme
from arcade.engine.loop import Engine
from arcade.games.spec import GameSpec
from arcade.match.match import Match
from arcade.scenes.hud.piece import Look, beside
from arcade.scenes.hud.presses import draw_presses, presses
from arcade.scenes.hud.seat_cards import SeatCard, seat_cards
from arcade.scenes.pictograms import icon, mouse_picture

MOST = 4
"""Lines."""


class ControlsStrip:
    """Painted anew only when seats, layouts or looks change."""

    def __init__(self, engine: Engine, spec: GameSpec, lineup: Mapping[AgentID, SeatChoice]) -> None:
        self._engine, self._spec, self._lineup = engine, spec, lineup
        self._kept: tuple[object, ...] = ()
        self._lines: list[pygame.Surface] = []
        self.match: Match | None = None

    def lines(self, look: Look, room: int) -> list[pygame.Surface]:
        """A picture a person, at most `room` pixels wide."""
        key = (tuple(self._lineup.items()), self._engine.layouts.version, look, room, self.match is None)
        if key != self._kept:
            cards = seat_cards(self._spec, self._lineup, self._engine.layouts, self.match)
            people = [card for card in cards if card.choice.is_human and card.agents[0] in self._lineup]
            self._kept, self._lines = key, [_line(self._spec, card, look, room) for card in people[:MOST]]
        return self._lines

    def draw(self, canvas: pygame.Surface, area: pygame.Rect, look: Look) -> None:
        """Plates at the foot of `area`."""
        bottom = area.bottom - 12
        for picture in reversed(self.lines(look, area.w - 80)):
            plate = picture.get_rect().inflate(40, 18)
            plate.midbottom = (area.centerx, bottom)
            theme.draw_panel(canvas, plate, fill=theme.PANEL, edge=theme.EDGE)
            canvas.blit(picture, picture.get_rect(center=plate.center))
            bottom = plate.top - 6


def _line(spec: GameSpec, card: SeatCard, look: Look, room: int) -> pygame.Surface:
    """``[WASD] left_0   [W][A][D] Move   [Space] Fire``"""
    colour, size, gap = theme.team_colour(spec.team_of(card.agents[0])), look.px(30), look.px(22)
    names = ", ".join(str(agent) for agent in card.agents[:2]) + (" …" if len(card.agents) > 2 else "")
    name = theme.text(names, size=look.body, bold=True, colour=colour)
    parts = [beside([icon(card.choice, size=look.px(24), colour=colour), name], gap=look.px(8))]
    for words, rows in card.groups().items():
        caps = draw_presses(card.own.kind, presses(rows, card.own, most=_most(card)), size=size)
        parts.append(beside([caps, theme.text(words, size=look.body)], gap=look.px(8)))
    if card.controls.mouse:
        mouse = mouse_picture(size=size, line=theme.MUTED, light=colour)
        parts.append(beside([mouse, theme.text(card.controls.mouse, size=look.body)], gap=look.px(8)))
    return beside(parts, gap=gap, room=room)


def _most(card: SeatCard) -> int:
    """A half of a keyboard has one key for a thing; whole keyboards two; a pad its cross and its stick."""
    return 1 if card.choice.kind == "keyboard" and card.choice.argument else 2
