"""The frame rate of a slow game."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pygame

from arcade.engine.ui import theme
from arcade.games.spec import GameSpec
from arcade.scenes.hud.piece import HudPiece, Look, Place

SLOW, KEPT = 0.94, 0.98  # of the wanted rate: a game is slow below the first, until it is above the second
PATIENCE = 1.5  # seconds of a slow game until the figure appears, and of a fast one until it disappears

_UNIT = " ticks a second"

FRESH = 0.5  # seconds that a figure stays readable


class RatePiece(HudPiece):
    """Ticks a second of a game that cannot keep its rate."""

    name, label, help = "rate", "Frame rate", "Ticks a second where a game cannot keep its rate."
    place = Place.MIDDLE

    @classmethod
    def applies(cls, spec: GameSpec) -> bool:
        return not spec.turn_based

    def __init__(self, facts: Any) -> None:
        super().__init__(facts)
        self._turned_at: float | None = None  # since when the rate contradicts `_is_slow`
        self._is_slow = False
        self._wanted: float | None = None
        self._words = ""
        self._fresh_at = 0.0

    def update(self, now: float) -> None:
        """Measure the rate at `now` seconds."""
        match = self.facts.match
        got, wanted = match.clock.rate_now(now), match.clock.rate
        if match.paused or match.over or match.rewinding or got is None or wanted is None:
            self._turned_at = None
            return
        if wanted != self._wanted:  # another speed
            self._wanted, self._is_slow, self._turned_at = wanted, False, None
        slow = got < wanted * (KEPT if self._is_slow else SLOW)
        if slow == self._is_slow:
            self._turned_at = None
        elif self._turned_at is None:
            self._turned_at = now
        elif now - self._turned_at >= PATIENCE:
            self._is_slow, self._turned_at = slow, None
        if self._is_slow and slow and now - self._fresh_at >= FRESH:
            self._words, self._fresh_at = f"Slow: {got:.0f} of {wanted:.0f}{_UNIT}", now

    def content(self) -> Hashable:
        return self._words if self._is_slow else None

    def paint(self, content: Any, look: Look, room: int) -> pygame.Surface:
        words = theme.text(content, size=look.small, bold=True, colour=theme.WARNING)
        if words.get_width() <= room:
            return words
        figures = content.removesuffix(_UNIT)
        return theme.fitted(figures, width=room, size=look.small, bold=True, colour=theme.WARNING)
