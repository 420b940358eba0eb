"""Mistakes in turn-based games: a share of moves, hands or choices that a player makes as the level below it would.

``level:even`` seats such players for people between two levels.  Below easy is the beginner, who hardly looks around.
"""

from __future__ import annotations

import numpy as np

from agents.seats.controller import LEVELS

BEGINNER = "beginner"

_BELOW = dict(zip(LEVELS, (BEGINNER, *LEVELS), strict=False))


def level_now(level: str, mistakes: float, rng: np.random.Generator) -> str:
    """Return the level of the next move."""
    return _BELOW[level] if mistakes and rng.random() < mistakes else level
