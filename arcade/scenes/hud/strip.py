"""ControlsStrip: the keys of each person, in a line each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pygame

from agents.seats.choice import SeatChoice
from agents.seats.controller import AgentID
from arcade.engine.ui import theme
from arcade.engine.window.scene import Host
from arcade.games.spec import GameSpec
from arcade.match.play.match import Match
from arcade.scenes.hud.piece import Look, below, beside
from arcade.scenes.hud.presses import draw_presses, presses
from arcade.scenes.hud.seat_cards import SeatCard, seat_cards, whose
from arcade.scenes.pictograms import icon, mouse_picture

MOST = 4  # most lines
GAP = 22  # pixels between two controls, at scale 1


class ControlsStrip:
    """Repainted only when seats, bindings or the look change."""

    def __init__(self, engine: Host, spec: GameSpec, lineup: Mapping[AgentID, SeatChoice]) -> None:
        self._engine, self._spec, self._lineup = engine, spec, lineup
        self._kept: tuple[object, ...] = ()
        self._lines: list[pygame.Surface] = []
        self.match: Match | None = None

    def lines(self, look: Look, room: int) -> list[pygame.Surface]:
        """Return a picture a person, at most `room` pixels wide; they cover the game, so they grow less."""
        look = replace(look, scale=min(look.scale, 1.8))
        key = (tuple(self._lineup.items()), self._engine.bindings.version, look, room, self.match is None)
        if key != self._kept:
            cards = seat_cards(self._spec, self._lineup, self._engine.bindings, self.match)
            people = [card for card in cards if self._lineup[card.agents[0]].is_human]
            self._kept, self._lines = key, [_line(self._spec, card, look, room) for card in people[:MOST]]
        return self._lines

    def draw(self, canvas: pygame.Surface, area: pygame.Rect, look: Look, *, above: int = 0) -> int:
        """Draw plates at the foot of `area`, none above `above`; returns their top."""
        bottom = area.bottom - 12
        for picture in reversed(self.lines(look, area.w - 80)):
            plate = picture.get_rect().inflate(40, 18)
            plate.midbottom = (area.centerx, bottom)
            if plate.top < above:
                break
            theme.draw_panel(canvas, plate, fill=theme.PANEL, edge=theme.EDGE)
            canvas.blit(picture, picture.get_rect(center=plate.center))
            bottom = plate.top - 6
        return bottom


def _line(spec: GameSpec, card: SeatCard, look: Look, room: int) -> pygame.Surface:
    """``[WASD] left_0   [W][A][S][D] Move   [Space] Fire``, with fewer alternatives where space is short."""
    for most in (3, 2, 1):
        parts = _parts(spec, card, look, most=most)
        if sum(part.get_width() for part in parts) + look.px(GAP) * (len(parts) - 1) <= room:
            return beside(parts, gap=look.px(GAP))
    half = (len(parts) + 1) // 2
    lines = [beside(some, gap=look.px(GAP), room=room) for some in (parts[:half], parts[half:])]
    return below(lines, gap=look.px(6), side="centerx")


def _parts(spec: GameSpec, card: SeatCard, look: Look, *, most: int) -> list[pygame.Surface]:
    """Return the player, then each control with at most `most` alternatives."""
    colour, size = theme.team_colour(spec.team_of(card.agents[0])), look.px(30)
    names, note = whose(spec, card, most=2)
    name = theme.text(names, size=look.body, bold=True, colour=colour)
    if note:
        name = below([name, theme.text(note, size=look.small)], gap=-look.px(4))
    parts = [beside([icon(card.choice, size=look.icon, colour=colour), name], gap=look.px(8))]
    for words, rows in card.groups().items():
        ways = presses(rows, card.own, most=1 if card.is_half else 2)[: min(most, 2) if card.is_half else most]
        caps = draw_presses(card.own.kind, ways, size=size)
        parts.append(beside([caps, theme.text(words, size=look.body)], gap=look.px(8)))
    if card.controls.mouse:
        mouse = mouse_picture(size=size, light=colour)
        parts.append(beside([mouse, theme.text(card.controls.mouse, size=look.body)], gap=look.px(8)))
    return parts
