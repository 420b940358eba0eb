"""Who beats whom: win rates of all pairs with intervals, one pair's record, and rings in which each beats the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.ladder.ratings.rows import Rated
from agents.statistics import wilson

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class HeadToHead(NamedTuple):
    """One label's record against another."""

    games: int
    wins: int
    draws: int
    losses: int
    rate: float  # (wins + draws / 2) / games; nan without games
    low: float  # Wilson's 95 % interval of the rate; 0 and 1 without games
    high: float


class Cycle(NamedTuple):
    """Three of whom each beats the next and the last beats the first."""

    labels: tuple[str, str, str]  # the first by name in front
    rates: tuple[float, float, float]  # of each against the next
    low: float  # the smallest lower end of the three intervals, above 0.5


@dataclass(frozen=True, slots=True)
class WinMatrix:
    """All pairs; every array is (labels, labels), the row's label against the column's."""

    labels: tuple[str, ...]  # by name
    wins: Ints
    draws: Ints  # symmetric
    games: Ints  # symmetric; the diagonal is 0
    rate: Floats  # (wins + draws / 2) / games, nan without games
    low: Floats  # Wilson's 95 % interval; 0 and 1 without games
    high: Floats

    def pair(self, label: str, other: str) -> HeadToHead:
        """Raises ValueError for a label that has not played."""
        own, its = self._place(label), self._place(other)
        record = (self.games[own, its], self.wins[own, its], self.draws[own, its], self.wins[its, own])
        interval = (self.rate[own, its], self.low[own, its], self.high[own, its])
        return HeadToHead(*map(int, record), *map(float, interval))

    def cycles(self) -> list[Cycle]:
        """Rings of three in which every one of the three rates is above one half with its whole interval; surest first.

        Among many pairs a few intervals miss the truth, so that a ring that is only just sure may be chance.
        """
        beats = self.low > 0.5
        rings = [
            (a, b, int(c))
            for a, b in np.argwhere(beats).tolist()
            for c in np.flatnonzero(beats[b] & beats[:, a])
            if a < b and a < c
        ]
        found = [self._cycle(ring) for ring in rings]
        return sorted(found, key=lambda cycle: (-cycle.low, cycle.labels))

    def _cycle(self, ring: tuple[int, int, int]) -> Cycle:
        a, b, c = ring
        pairs = ((a, b), (b, c), (c, a))
        rates = tuple(float(self.rate[pair]) for pair in pairs)
        return Cycle(
            labels=(self.labels[a], self.labels[b], self.labels[c]),
            rates=(rates[0], rates[1], rates[2]),
            low=min(float(self.low[pair]) for pair in pairs),
        )

    def _place(self, label: str) -> int:
        if label not in self.labels:
            raise ValueError(f"expected one of {', '.join(self.labels) or 'no labels'}, got: {label!r}")
        return self.labels.index(label)


def win_matrix(matches: Sequence[Rated]) -> WinMatrix:
    """Everyone against everyone: whose team came out before the other's has won against all that are in it.

    Members of one team do not meet, nor does a label meet itself; a label with several seats in a team counts once.
    """
    labels = tuple(sorted({name for match in matches for team in match.teams for name in team}))
    place = {label: number for number, label in enumerate(labels)}
    won, drawn = list[int](), list[int]()  # cells, row by row
    for match in matches:
        teams = [{place[name] for name in team} for team in match.teams]
        for (own, team), (its, other) in permutations(enumerate(teams), 2):
            if match.ranks[own] <= match.ranks[its]:
                cells = won if match.ranks[own] < match.ranks[its] else drawn
                cells += [one * len(labels) + two for one in team for two in other if one != two]
    shape = (len(labels), len(labels))
    wins, draws = (
        np.bincount(np.array(cells, np.int64), minlength=len(labels) ** 2).reshape(shape) for cells in (won, drawn)
    )
    games = wins + wins.T + draws
    scores = wins + draws / 2
    low, high = wilson(scores, games.astype(np.float64))
    rate = np.divide(scores, games, out=np.full(shape, np.nan), where=games > 0)
    return WinMatrix(labels, wins, draws, games, rate, low, high)
