"""How strong the difficulty levels are as measured, and what is asked of experts."""

from arcade.games.strengths.shipped import (
    BOTH,
    NAME,
    ExpertVsRandom,
    Figure,
    LevelStrength,
    Normalised,
    Reference,
    Strength,
    heights,
    measured,
    strength_of,
)

__all__ = [
    "BOTH", "NAME", "ExpertVsRandom", "Figure", "LevelStrength", "Normalised", "Reference", "Strength", "heights",
    "measured", "strength_of",
]  # fmt: skip
