"""Scores and Lineup: how each team stands, and who plays for it."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pygame

from arcade.engine import theme
from arcade.scenes.hud.facts import Facts
from arcade.scenes.hud.piece import Look, Piece, below, beside
from arcade.scenes.pictograms import icon

LEAST = 30
"""Pixels for a name where there is no room at all."""


class Score(Piece):
    """One team's score."""

    setting = "hud_scores"

    def __init__(self, facts: Facts, team: int, *, large: bool = True) -> None:
        super().__init__(facts)
        self.team, self._large = team, large

    def tells(self) -> Hashable:
        return self.facts.score(self.team)

    def paint(self, tells: Any, look: Look, room: int) -> pygame.Surface:
        size = look.title if self._large else look.large
        return theme.fitted(tells, width=room, size=size, bold=True, colour=theme.team_colour(self.team))


class Lineup(Piece):
    """Who plays for one team, and with which device; below, the names of their seats."""

    setting = "hud_lineup"

    def __init__(self, facts: Facts, team: int, *, side: str = "left") -> None:
        super().__init__(facts)
        self.team, self._side = team, side

    def tells(self) -> Hashable:
        return self.facts.players(self.team), self.facts.seats(self.team)

    def paint(self, tells: Any, look: Look, room: int) -> pygame.Surface:
        players, seats = tells
        colour, gap = theme.team_colour(self.team), look.px(8)
        names: list[pygame.Surface] = []
        for choice, label in players:
            names.append(icon(choice, size=look.icon, colour=colour))
            rest = room - sum(one.get_width() + gap for one in names)
            names.append(theme.fitted(label, width=max(LEAST, rest), size=look.body, bold=True))
        below_them = theme.fitted(seats, width=room, size=look.small, colour=theme.MUTED)
        return below([beside(names, gap=gap, room=room), below_them], gap=look.px(2), side=self._side)
