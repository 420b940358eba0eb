"""Reports of a runner: the episodes that ended, and the opponents of the episodes under way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

LIVE_RIVAL = "live:"
"""Begins the name of an opponent that is another learning policy as it stands; its id follows."""


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """The result of one episode for the team that it belongs to."""

    policy: str  # id of the policy that the episode belongs to
    opponent: str  # snapshot name, seat word or live:POLICY; "" against itself
    outcome: float  # 1 won, 0.5 drawn, 0 lost; 0.5 against itself
    score: float  # return of the team, mean of its seats
    ticks: int
    team: int = 0
    again: bool = False  # another policy's result has the same episode


@dataclass(frozen=True, slots=True)
class RollCall:
    """The opponents that a runner has."""

    alive: frozenset[str]  # names of those that episodes go on with
    held: frozenset[str]  # snapshots whose bytes are there
    dropped: Mapping[str, str]  # name to why it plays no more
