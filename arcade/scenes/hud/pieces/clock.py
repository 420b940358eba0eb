"""The time of the match."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pygame

from arcade.engine.ui import theme
from arcade.scenes.hud.piece import HudPiece, Look, Place, beside


class ClockPiece(HudPiece):
    """The match's own time, or its moves."""

    name, label = "clock", "Clock"
    help = "The game's own time, or its moves."
    place = Place.MIDDLE

    def tells(self) -> Hashable:
        return self.facts.moment(), self.facts.pace_words

    def paint(self, tells: Any, look: Look, room: int) -> pygame.Surface:
        moment, pace = tells
        time = theme.fitted(moment, width=room, size=look.large)
        if not pace:
            return time
        return beside([time, theme.text(pace, size=look.small, colour=theme.MUTED)], gap=look.px(10), room=room)
