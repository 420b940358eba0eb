"""How strong the difficulty levels are as measured, and what is asked of experts."""

from arcade.games.strengths.shipped import (
    BOTH,
    NAME,
    TOGETHER,
    ExpertVsRandom,
    Figure,
    LevelStrength,
    Normalised,
    Reference,
    Strength,
    heights,
    measured,
    scores_together,
    strength_of,
)

__all__ = [
    "BOTH", "NAME", "TOGETHER", "ExpertVsRandom", "Figure", "LevelStrength", "Normalised", "Reference", "Strength",
    "heights", "measured", "scores_together", "strength_of",
]  # fmt: skip
