"""Key hints of each person: a strip at the foot of a match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pygame

from agents.seats.controller import AgentID, SeatChoice
from arcade.engine.input.key_bindings import KeyBindings
from arcade.engine.ui import theme
from arcade.games.seat_colours import seat_colour
from arcade.games.spec import GameSpec
from arcade.match.play.match import Match
from arcade.scenes.hud.piece import Look, below, beside
from arcade.scenes.hud.seat_cards import SeatCard, draw_presses, presses, seat_cards, whose
from arcade.scenes.pictograms import icon, mouse_picture

MOST = 4  # most lines of the strip
STRIP_GAP = 22  # pixels between two controls of the strip, at scale 1
CAP, LIST_GAP = 26, 5  # height of a key in the list, and pixels between two lines


class PersonControls:
    """Base of the two: a picture of each person's controls, repainted only when seats, bindings or sizes change."""

    def __init__(self, spec: GameSpec, bindings: KeyBindings) -> None:
        self._spec, self._bindings = spec, bindings
        self._kept: tuple[object, ...] = ()
        self._pictures: list[Any] = []

    def paint(self, card: SeatCard, look: Any) -> Any:
        """Paint the controls of a person."""
        raise NotImplementedError

    def pictures(self, lineup: Mapping[AgentID, SeatChoice], look: Any, match: Match | None = None) -> list[Any]:
        """Return the picture of each person."""
        key = (tuple(lineup.items()), self._bindings.version, theme.version, look, match is None)
        if key != self._kept:
            cards = seat_cards(self._spec, lineup, self._bindings, match)
            self._pictures = [self.paint(card, look) for card in cards if lineup[card.agents[0]].is_human]
            self._kept = key
        return self._pictures


class ControlsStrip(PersonControls):
    """The keys of each person of a match, in a line each; `match` once it has begun."""

    def __init__(self, spec: GameSpec, bindings: KeyBindings, lineup: Mapping[AgentID, SeatChoice]) -> None:
        super().__init__(spec, bindings)
        self._lineup = lineup
        self.match: Match | None = None

    def lines(self, look: Look, room: int) -> list[pygame.Surface]:
        """Return a picture a person, at most `room` pixels wide; they cover the game, so they grow less."""
        look = replace(look, scale=min(look.scale, 1.8))
        return self.pictures(self._lineup, (look, room), self.match)[:MOST]

    def draw(self, canvas: pygame.Surface, area: pygame.Rect, look: Look, *, above: int = 0, share: float = 1.0) -> int:
        """Draw plates at the foot of `area`, none above `above`; returns their top.  `share`: how visible they are."""
        bottom = area.bottom - 12
        for picture in reversed(self.lines(look, area.w - 80)):
            plate = picture.get_rect().inflate(40, 18)
            plate.midbottom = (area.centerx, bottom)
            if plate.top < above:
                break
            behind = canvas.subsurface(plate.clip(canvas.get_rect())).copy() if share < 1 else None
            theme.draw_panel(canvas, plate, fill=theme.PANEL, edge=theme.EDGE)
            canvas.blit(picture, picture.get_rect(center=plate.center))
            if behind is not None:
                behind.set_alpha(round(255 * (1 - share)))
                canvas.blit(behind, plate)
            bottom = plate.top - 6
        return bottom

    def paint(self, card: SeatCard, look: tuple[Look, int]) -> pygame.Surface:
        """``[WASD] Left   [W][A][S][D] Move   [Space] Fire``, with fewer alternatives where space is short."""
        size, room = look
        gap = size.px(STRIP_GAP)
        for most in (3, 2, 1):
            parts = _parts(self._spec, card, size, most=most)
            if sum(part.get_width() for part in parts) + gap * (len(parts) - 1) <= room:
                return beside(parts, gap=gap)
        half = (len(parts) + 1) // 2
        lines = [beside(some, gap=gap, room=room) for some in (parts[:half], parts[half:])]
        return below(lines, gap=size.px(6), side="centerx")


def _parts(spec: GameSpec, card: SeatCard, look: Look, *, most: int) -> list[pygame.Surface]:
    """Return the player, then each control with at most `most` alternatives."""
    colour, size = seat_colour(spec, card.agents[0], theme.TEAMS), look.px(30)
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
