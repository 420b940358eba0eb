"""The state of a match: scores, clock, turn and late actions."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pygame

from arcade.engine.ui import theme
from arcade.games.spec import GameSpec
from arcade.scenes.hud.piece import HudPiece, Look, Place, TeamPiece, beside


class ScorePiece(TeamPiece):
    """The score of a team."""

    name, label, help = "scores", "Scores", "Of each team."
    place = Place.TEAM_INNER

    def tells(self) -> Hashable:
        score: str = self.facts.score(self.team)
        return score

    def paint(self, tells: Any, look: Look, room: int) -> pygame.Surface:
        size = look.title if len(self.facts.spec.teams) == 2 else look.large
        return theme.fitted(tells, width=room, size=size, bold=True, colour=theme.team_colour(self.team))


class ClockPiece(HudPiece):
    """The match's own time, or its moves."""

    name, label, help = "clock", "Clock", "The game's own time, or its moves."
    place = Place.MIDDLE

    def tells(self) -> Hashable:
        return self.facts.moment(), self.facts.pace_words

    def paint(self, tells: Any, look: Look, room: int) -> pygame.Surface:
        moment, pace = tells
        time = theme.fitted(moment, width=room, size=look.large)
        if not pace:
            return time
        return beside([time, theme.text(pace, size=look.small, colour=theme.MUTED)], gap=look.px(10), room=room)


class TurnPiece(HudPiece):
    """The player to move in a turn-based game."""

    name, label, help = "turn", "Whose turn", "In games that wait for a move."
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


class NetworkPiece(HudPiece):
    """Round-trip times of remote seats, and late ticks."""

    name, label, help = "network", "Late actions", "Late ticks, and the round-trip times of remote seats."
    place = Place.FOOT

    def tells(self) -> Hashable:
        return self.facts.network() or None

    def paint(self, tells: Any, look: Look, room: int) -> pygame.Surface:
        return theme.fitted(tells, width=room, size=look.small, colour=theme.MUTED)
