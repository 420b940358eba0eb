"""What a runner tells of an episode that ended."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """How one episode went for the learning team."""

    opponent: str  # snapshot name, "scripted", or "" against itself
    outcome: float  # 1 won, 0.5 drawn, 0 lost; 0.5 against itself
    score: float  # return of the learning team, mean of its seats
    ticks: int
