"""Win rates of all pairs with intervals, one pair's record, and cycles in which each beats the next."""

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
    """Three players, each of whom beats the next, and the last the first."""

    labels: tuple[str, str, str]  # beginning with the first by name
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
        """Return the record of a pair; raises ValueError for a label that has not played."""
        own, its = self._place(label), self._place(other)
        record = (self.games[own, its], self.wins[own, its], self.draws[own, its], self.wins[its, own])
        interval = (self.rate[own, its], self.low[own, its], self.high[own, its])
        return HeadToHead(*map(int, record), *map(float, interval))

    def cycles(self) -> list[Cycle]:
        """Return the cycles of three whose rates are above one half with their whole intervals, surest first.

        Among many pairs a few intervals miss the true rate, so that a barely significant cycle may be chance.
        """
        beats = self.low > 0.5
        found = [
            self._cycle(a, b, int(c))
            for a, b in np.argwhere(beats).tolist()
            for c in np.flatnonzero(beats[b] & beats[:, a])
            if a < b and a < c
        ]
        return sorted(found, key=lambda cycle: (-cycle.low, cycle.labels))

    def _cycle(self, a: int, b: int, c: int) -> Cycle:
        rates = float(self.rate[a, b]), float(self.rate[b, c]), float(self.rate[c, a])
        low = min(self.low[a, b], self.low[b, c], self.low[c, a])
        return Cycle((self.labels[a], self.labels[b], self.labels[c]), rates, float(low))

    def _place(self, label: str) -> int:
        if label not in self.labels:
            raise ValueError(f"expected one of {', '.join(self.labels) or 'no labels'}, got: {label!r}")
        return self.labels.index(label)


def win_matrix(matches: Sequence[Rated]) -> WinMatrix:
    """Count the matches of all pairs: a player wins against all members of the teams placed below its own.

    Members of a team do not meet, nor does a label meet itself; a label with several seats in a team counts once.
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
