"""A runner's reports: ended episodes, and the opponents in play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

LIVE_RIVAL = "live:"
"""The prefix of an opponent that is another learning policy; its id follows."""


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """The result of one episode for the team of its policy."""

    policy: str  # its id
    opponent: str  # snapshot name, seat word or live:POLICY; "" against itself
    outcome: float  # 1 won, 0.5 drawn, 0 lost; 0.5 against itself
    score: float  # mean return of the team's seats
    ticks: int
    team: int = 0
    again: bool = False  # the episode has another policy's result, too


@dataclass(frozen=True, slots=True)
class RollCall:
    """The opponents of a runner."""

    alive: frozenset[str]  # names of those in running episodes
    held: frozenset[str]  # names of the snapshots that it has
    dropped: Mapping[str, str]  # name to the error
