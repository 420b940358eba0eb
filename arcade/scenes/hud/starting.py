"""The loading screen of a match: the players and their keys."""

from __future__ import annotations

from collections.abc import Mapping

import pygame

from agents.seats.choice import SeatChoice
from agents.seats.controller import AgentID
from arcade.engine.ui import theme
from arcade.games.spec import GameSpec
from arcade.scenes.hud.piece import Look, beside
from arcade.scenes.hud.strip import ControlsStrip
from arcade.scenes.pictograms import icon
from arcade.session.seating import describe

MOST = 8  # most seats on the screen


def draw_starting(
    canvas: pygame.Surface, spec: GameSpec, lineup: Mapping[AgentID, SeatChoice], strip: ControlsStrip, look: Look, *,
    words: str,
) -> None:  # fmt: skip
    """Draw the screen over its backdrop; `words` name the progress."""
    middle, room = canvas.get_rect().centerx, canvas.get_width() - 2 * theme.MARGIN
    theme.draw_text(canvas, spec.title, (middle, 96), size=theme.HERO, bold=True, anchor="center", width=room)
    summary = theme.paragraph(spec.summary, width=room, size=look.body, colour=theme.MUTED)
    under = canvas.blit(summary, summary.get_rect(midtop=(middle, 146))).bottom
    lowest = canvas.get_height() - 100
    end, top = strip.draw(canvas, pygame.Rect(0, 0, canvas.get_width(), lowest), look, above=under + 6), under + 30
    for row in _rows(spec, lineup, look, room):
        if top + row.get_height() < end:
            canvas.blit(row, row.get_rect(midtop=(middle, top)))
            top += row.get_height() + 8
    at = (middle, canvas.get_height() - 44)
    theme.draw_text(canvas, words, at, size=look.large, colour=theme.MUTED, anchor="center")


def _rows(spec: GameSpec, lineup: Mapping[AgentID, SeatChoice], look: Look, room: int) -> list[pygame.Surface]:
    """One seat a row, or two where there are many."""
    notes_room = room if len(lineup) <= 4 else 0  # none with two in a row
    seats = [_seat(spec, agent, choice, look, notes_room) for agent, choice in list(lineup.items())[:MOST]]
    if len(lineup) > MOST:
        seats.append(theme.text(f"and {len(lineup) - MOST} more", size=look.body, colour=theme.MUTED))
    each = 1 if len(seats) <= 4 else 2
    return [beside(seats[start : start + each], gap=look.px(60), room=room) for start in range(0, len(seats), each)]


def _seat(spec: GameSpec, agent: AgentID, choice: SeatChoice, look: Look, room: int) -> pygame.Surface:
    """Draw the player of a seat, then the note on the seat where `room` is wide enough."""
    colour = theme.team_colour(spec.team_of(agent))
    words = theme.fitted(f"{agent}   {describe(choice)}", width=look.px(420), size=look.body, colour=colour)
    parts = [beside([icon(choice, size=look.px(24), colour=colour), words], gap=look.px(10))]
    if agent in spec.seat_notes:
        parts.append(theme.text(spec.seat_notes[agent], size=look.small, colour=theme.MUTED))
    return beside(parts, gap=look.px(16), room=room)
