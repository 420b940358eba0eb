"""Whose turn it is."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pygame

from arcade.engine.ui import theme
from arcade.games.spec import GameSpec
from arcade.scenes.hud.piece import HudPiece, Look, Place, beside


class TurnPiece(HudPiece):
    """Whose move it is in a game that waits for one."""

    name, label = "turn", "Whose turn"
    help = "In games that wait for a move."
    place = Place.MIDDLE

    @classmethod
    def applies(cls, spec: GameSpec) -> bool:
        return spec.turn_based

    def tells(self) -> Hashable:
        match, spec = self.facts.match, self.facts.spec
        waiting = match.waiting_for
        if match.over or not waiting:
            return None
        names = dict.fromkeys(self.facts.label(agent) for agent in waiting)
        is_person = self.facts.lineup[waiting[0]].is_human
        return spec.team_of(waiting[0]), " and ".join(names) + (" to move" if is_person else " thinks …")

    def paint(self, tells: Any, look: Look, room: int) -> pygame.Surface:
        team, words = tells
        dot = pygame.Surface((look.px(12), look.px(12)), pygame.SRCALPHA)
        pygame.draw.circle(dot, theme.team_colour(team), dot.get_rect().center, look.px(6))
        picture = theme.fitted(words, width=room - look.px(20), size=look.small, bold=True)
        return beside([dot, picture], gap=look.px(8))
