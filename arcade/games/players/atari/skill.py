"""Skill: what a difficulty level of an Atari player means, in human terms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from agents.seats.limits import RULES


@dataclass(frozen=True, slots=True)
class Skill:
    """The limits of a player; the default is none."""

    reaction_ms: float = 0.0  # from an event on the screen to the answer; its own figure a player feels at once
    hold: int = 1  # ticks from one choice of keys to the next
    error: float = 0.0  # how wide it misjudges: 1 for a beginner, 0 for never
    absent: float = 0.0  # share of the time in which its attention is elsewhere
    keeps_on: bool = False  # then it plays by what it saw last; else its keys stay as they are

    def reaction(self, fps: float) -> int:
        """The reaction in ticks."""
        return round(self.reaction_ms * fps / 1000)


SKILLS: Mapping[str, Skill] = {
    "easy": Skill(RULES["easy"].real_time.reaction_ms, 4, 1.0, 0.35),
    "normal": Skill(RULES["normal"].real_time.reaction_ms, 3, 0.6, 0.2),
    "hard": Skill(RULES["hard"].real_time.reaction_ms, 2, 0.3, 0.07),
    "expert": Skill(),
}
"""By level; reaction times are those of the levels of trained players."""
