"""The players of each team."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import pygame

from agents.seats.choice import SeatChoice
from arcade.engine.ui import theme
from arcade.scenes.hud.piece import Look, Place, TeamPiece, below, beside
from arcade.scenes.pictograms import icon

Player = tuple[SeatChoice, str]  # device and name
LEAST = 30  # pixels for a name without any room


class LineupPiece(TeamPiece):
    """The players of a team with their devices and, below, their seats."""

    name, label, help = "lineup", "Who plays", "Names, seats and devices of each team."
    place = Place.TEAM_OUTER

    def tells(self) -> Hashable:
        return self.facts.players(self.team), self.facts.seats(self.team)

    def paint(self, tells: Any, look: Look, room: int) -> pygame.Surface:
        players, seats = tells
        names = next((one for one in self._tries(players, look) if one.get_width() <= room), None)
        if names is None:
            names = self._names(players[:1], look, look.body * 2 // 3, room=room)
        below_them = theme.fitted(seats, width=room, size=look.small, colour=theme.MUTED)
        is_right = len(self.facts.spec.teams) == 2 and self.team == 1
        return below([names, below_them], gap=look.px(2), side="right" if is_right else "left")

    def _tries(self, players: Sequence[Player], look: Look) -> Iterator[pygame.Surface]:
        """Draw all players smaller and smaller, then fewer and fewer of them."""
        for size in (look.body, look.body * 4 // 5, look.body * 2 // 3):
            yield self._names(players, look, size)
        for count in range(len(players) - 1, 0, -1):
            more = theme.text(f"+ {len(players) - count}", size=look.small, colour=theme.MUTED)
            yield beside([self._names(players[:count], look, look.body * 2 // 3), more], gap=look.px(8))

    def _names(self, players: Sequence[Player], look: Look, size: int, *, room: int = 10_000) -> pygame.Surface:
        """Draw device and name of each player, a name within `room`."""
        pictures: list[pygame.Surface] = []
        for choice, label in players:
            device = icon(choice, size=look.icon, colour=theme.team_colour(self.team))
            width = max(LEAST, room - device.get_width() - look.px(8))
            pictures += [device, theme.fitted(label, width=width, size=max(size, theme.SMALL), bold=True)]
        return beside(pictures, gap=look.px(8))
