"""Key hints of each person: a strip at the foot of a match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import pygame

from agents.seats.controller import AgentID, SeatChoice
from arcade import language
from arcade.engine.input.key_bindings import KeyBindings
from arcade.engine.ui import theme as themes
from arcade.engine.ui.theme import Theme
from arcade.games.seat_colours import seat_colour
from arcade.games.spec import GameSpec
from arcade.language import _
from arcade.match.play.match import Match
from arcade.scenes.hud.piece import below, beside
from arcade.scenes.hud.seat_cards import SeatCard, draw_presses, presses, seat_cards, whose
from arcade.scenes.pictograms import icon, mouse_picture

MOST = 4  # most lines of the strip
STRIP_CAP, STRIP_GAP, AROUND = 26, 20, 12  # units: height of a key, between two controls, around the text of a plate


class PersonControls:
    """Base of the two: a picture of each person's controls, repainted only when seats, bindings or sizes change."""

    def __init__(self, spec: GameSpec, bindings: KeyBindings) -> None:
        self._spec, self._bindings = spec, bindings
        self._seats: tuple[object, ...] = ()  # that the pictures are of
        self._kept: dict[object, list[Any]] = {}  # the pictures, by their look

    def paint(self, card: SeatCard, look: Any) -> Any:
        """Paint the controls of a person."""
        raise NotImplementedError

    def pictures(self, lineup: Mapping[AgentID, SeatChoice], look: Any, match: Match | None = None) -> list[Any]:
        """Return the picture of each person."""
        seats = (tuple(lineup.items()), self._bindings.version, match is None, language.version)
        if seats != self._seats:
            self._seats, self._kept = seats, {}
        if look not in self._kept:
            cards = seat_cards(self._spec, lineup, self._bindings, match)
            self._kept[look] = [self.paint(card, look) for card in cards if lineup[card.agents[0]].is_human]
        return self._kept[look]


class ControlsStrip(PersonControls):
    """The keys of each person of a match, in a line each; `match` once it has begun."""

    def __init__(self, spec: GameSpec, bindings: KeyBindings, lineup: Mapping[AgentID, SeatChoice]) -> None:
        super().__init__(spec, bindings)
        self._lineup = lineup
        self.match: Match | None = None

    def lines(self, theme: Theme, room: int) -> list[pygame.Surface]:
        """Return a picture a person, at most `room` pixels wide."""
        return self.pictures(self._lineup, (theme, room), self.match)[:MOST]

    def height(self, theme: Theme, width: int) -> int:
        """Return the height in pixels of all lines on their plates, within `width`."""
        lines = self.lines(theme, width - 4 * theme.px(AROUND))
        return sum(line.get_height() + theme.px(AROUND) + theme.px(6) for line in lines)

    def draw(self, canvas: pygame.Surface, theme: Theme, area: pygame.Rect, *, share: float = 1.0) -> int:
        """Draw plates at the foot of `area`, none above its top; returns their top.  `share`: how visible they are."""
        bottom = area.bottom
        for picture in reversed(self.lines(theme, area.w - 4 * theme.px(AROUND))):
            plate = _plate(theme, picture)
            rect = plate.get_rect(midbottom=(area.centerx, bottom - theme.px(3)))
            if rect.top < area.top:
                break
            plate.set_alpha(round(255 * share))
            canvas.blit(plate, rect)
            bottom = rect.top - theme.px(3)
        return bottom

    def draw_line(self, canvas: pygame.Surface, theme: Theme, area: pygame.Rect, *, share: float) -> bool:
        """Draw the controls of the only person in `area` without a plate; False where there is no room for them."""
        lines = self.lines(theme, area.w)
        if len(lines) != 1 or lines[0].get_width() > area.w or lines[0].get_height() > area.h:
            return False
        lines[0].set_alpha(round(255 * share))
        canvas.blit(lines[0], lines[0].get_rect(midleft=area.midleft))
        lines[0].set_alpha(255)
        return True

    def paint(self, card: SeatCard, look: tuple[Theme, int]) -> pygame.Surface:
        """``[WASD] Left   [W][A][S][D] Move   [Space] Fire``, with fewer alternatives where space is short."""
        theme, room = look
        gap = theme.px(STRIP_GAP)
        for most in (3, 2, 1):
            parts = _parts(self._spec, card, theme, most=most)
            if sum(part.get_width() for part in parts) + gap * (len(parts) - 1) <= room:
                return beside(parts, gap=gap)
        return below(_rows_of(parts, room, gap), gap=theme.px(6), side="centerx")


@lru_cache(16)
def _plate(theme: Theme, picture: pygame.Surface) -> pygame.Surface:
    """Return the picture on a plate."""
    around = theme.px(AROUND)
    plate = pygame.Surface(picture.get_rect().inflate(2 * around, around).size, pygame.SRCALPHA)
    theme.draw_panel(plate, plate.get_rect(), edge=theme.colours.edge)
    plate.blit(picture, picture.get_rect(center=plate.get_rect().center))
    return plate


def _parts(spec: GameSpec, card: SeatCard, theme: Theme, *, most: int) -> list[pygame.Surface]:
    """Return the player, then each control with at most `most` alternatives."""
    colour, size = seat_colour(spec, card.agents[0], theme.colours.teams), theme.px(STRIP_CAP)
    names, note = whose(spec, card, most=2)
    name = theme.text(names, size=themes.SMALL, bold=True, colour=colour)
    if note:
        name = beside([name, theme.text(note, size=themes.SMALLEST)], gap=theme.px(8))
    parts = [beside([icon(theme, card.choice, size=theme.px(22), colour=colour), name], gap=theme.px(8))]
    for words, rows in card.groups().items():
        ways = presses(rows, card.own, most=1 if card.is_half else 2)[: min(most, 2) if card.is_half else most]
        caps = draw_presses(theme, card.own.kind, ways, size=size)
        parts.append(beside([caps, theme.text(_(words), size=themes.SMALL)], gap=theme.px(8)))
    if card.controls.mouse:
        mouse = mouse_picture(theme, size=size, light=colour)
        parts.append(beside([mouse, theme.text(_(card.controls.mouse), size=themes.SMALL)], gap=theme.px(8)))
    return parts


def _rows_of(pictures: Sequence[pygame.Surface], room: int, gap: int) -> list[pygame.Surface]:
    """Join pictures in rows at most `room` pixels wide."""
    rows: list[list[pygame.Surface]] = []
    left = 0
    for picture in pictures:
        if not rows or left + picture.get_width() > room:
            rows.append([])
            left = 0
        rows[-1].append(picture)
        left += picture.get_width() + gap
    return [beside(row, gap=gap) for row in rows]
