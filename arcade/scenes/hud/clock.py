"""Clock, Turn and Rate: how far the match is, whose move it is, and whether the game keeps its pace."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pygame

from arcade.engine.ui import theme
from arcade.scenes.hud.facts import Facts
from arcade.scenes.hud.piece import HudPiece, Look, beside

SLOW, KEPT = 0.94, 0.98
"""Shares of the wanted rate: below the first a game counts as slow, above the second no more."""

PATIENCE = 1.5
"""Seconds that it must have been so before it is said, and again before the words go away."""

_UNIT = " ticks a second"

FRESH = 0.5
"""Seconds between two figures, so that they can be read."""


class ClockPiece(HudPiece):
    """The match's own time, or its moves."""

    setting = "hud_clock"

    def __init__(self, facts: Facts) -> None:
        super().__init__(facts)
        self.pace_words = ""  # "" at the game's own pace

    def tells(self) -> Hashable:
        return self.facts.moment(), self.pace_words

    def paint(self, tells: Any, look: Look, room: int) -> pygame.Surface:
        moment, pace = tells
        time = theme.fitted(moment, width=room, size=look.large)
        if not pace:
            return time
        return beside([time, theme.text(pace, size=look.small, colour=theme.MUTED)], gap=look.px(10), room=room)


class TurnPiece(HudPiece):
    """Whose move it is in a game that waits for one."""

    setting = "hud_turn"

    def tells(self) -> Hashable:
        match, spec = self.facts.match, self.facts.spec
        waiting = match.waiting_for
        if not spec.turn_based or match.over or not waiting:
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


class RatePiece(HudPiece):
    """Ticks a second of a game that cannot keep its rate."""

    setting = "hud_rate"

    def __init__(self, facts: Facts) -> None:
        super().__init__(facts)
        self._turned_at: float | None = None  # since when it is otherwise than what is said
        self._is_slow = False
        self._wanted: float | None = None
        self._words = ""
        self._fresh_at = 0.0

    def update(self, now: float) -> None:
        """Look how fast it is at `now` seconds."""
        match = self.facts.match
        got, wanted = match.rate_now(now), match.rate
        stands = match.paused or match.over or match.rewinding or self.facts.spec.turn_based
        if stands or got is None or wanted is None:
            self._turned_at = None
            return
        if wanted != self._wanted:  # another speed: what was said of the one before says nothing of it
            self._wanted, self._is_slow, self._turned_at = wanted, False, None
        slow = got < wanted * (KEPT if self._is_slow else SLOW)
        if slow == self._is_slow:
            self._turned_at = None
        elif self._turned_at is None:
            self._turned_at = now
        elif now - self._turned_at >= PATIENCE:
            self._is_slow, self._turned_at = slow, None
        if self._is_slow and slow and now - self._fresh_at >= FRESH:  # the figure of one that catches up is no news
            self._words, self._fresh_at = f"Slow: {got:.0f} of {wanted:.0f}{_UNIT}", now

    def tells(self) -> Hashable:
        return self._words if self._is_slow else None

    def paint(self, tells: Any, look: Look, room: int) -> pygame.Surface:
        words = theme.text(tells, size=look.small, bold=True, colour=theme.WARNING)
        if words.get_width() <= room:
            return words
        figures = tells.removesuffix(_UNIT)
        return theme.fitted(figures, width=room, size=look.small, bold=True, colour=theme.WARNING)


class NetworkPiece(HudPiece):
    """Round trips of remote seats, and late ticks."""

    setting = "hud_network"

    def tells(self) -> Hashable:
        return self.facts.network() or None

    def paint(self, tells: Any, look: Look, room: int) -> pygame.Surface:
        return theme.fitted(tells, width=room, size=look.small, colour=theme.MUTED)
