"""What a runner tells of an episode that ended."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """How one episode went for the team whose episode it was."""

    policy: str  # id of the policy that played in it
    opponent: str  # snapshot name or seat word, "" against itself
    outcome: float  # 1 won, 0.5 drawn, 0 lost; 0.5 against itself
    score: float  # return of the team, mean of its seats
    ticks: int
    team: int = 0
