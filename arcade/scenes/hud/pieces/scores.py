"""The score of each team."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pygame

from arcade.engine.ui import theme
from arcade.scenes.hud.piece import Look, Place, TeamPiece


class ScorePiece(TeamPiece):
    """One team's score."""

    name, label = "scores", "Scores"
    help = "Of each team."
    place = Place.TEAM_INNER

    def tells(self) -> Hashable:
        score: str = self.facts.score(self.team)
        return score

    def paint(self, tells: Any, look: Look, room: int) -> pygame.Surface:
        size = look.title if len(self.facts.spec.teams) == 2 else look.large
        return theme.fitted(tells, width=room, size=size, bold=True, colour=theme.team_colour(self.team))
