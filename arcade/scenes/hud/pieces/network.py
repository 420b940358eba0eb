"""The network of remote seats."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pygame

from arcade.engine.ui import theme
from arcade.scenes.hud.piece import HudPiece, Look, Place


class NetworkPiece(HudPiece):
    """Round trips of remote seats, and late ticks."""

    name, label = "network", "Late actions"
    help = "Late ticks, and the round-trip times of remote seats."
    place = Place.FOOT

    def tells(self) -> Hashable:
        return self.facts.network() or None

    def paint(self, tells: Any, look: Look, room: int) -> pygame.Surface:
        return theme.fitted(tells, width=room, size=look.small, colour=theme.MUTED)
