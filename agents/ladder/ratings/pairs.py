"""Win rates or scores of all pairs of players with confidence intervals, cycles of three, cooperative scores.

The score of a match is the mean of its seats' returns.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations, permutations
from statistics import fmean
from typing import NamedTuple, Self

import numpy as np

from agents.ladder.ratings.repeats import without_repeats
from agents.ladder.ratings.rows import Rated, Row, condition, counts, scored_as
from agents.statistics import Floats, Ints, Mean, mean_of, wilson


class HeadToHead(NamedTuple):
    """One player's record against another."""

    name: str
    other: str
    games: int
    wins: int
    draws: int
    losses: int
    rate: float  # (wins + draws / 2) / games; nan without games
    low: float  # Wilson's 95% interval of the rate; 0 and 1 without games
    high: float


class Cycle(NamedTuple):
    """Three players, each of whom beats the next, and the last the first."""

    names: tuple[str, str, str]  # beginning with the first by name
    rates: tuple[float, float, float]  # of each against the next
    low: float  # the smallest lower end of the three intervals, which hold for all pairs at once; above 0.5


@dataclass(frozen=True, slots=True)
class PairTable:
    """Mean scores of all pairs; every array is (names, names), the row's player with or against the column's."""

    names: tuple[str, ...]
    values: Floats  # mean scores of matches together, on the diagonal alone; nan without a match
    low: Floats  # 95% interval; nan if unknown
    high: Floats
    games: Ints

    def ordered(self, names: Iterable[str]) -> Self:
        """Return the table of those of `names` that it has, in their order."""
        kept = tuple(dict.fromkeys(name for name in names if name in self.names))
        at = np.ix_(*2 * [[self.names.index(name) for name in kept]])
        arrays = {field.name: getattr(self, field.name)[at] for field in fields(self)[1:]}
        return replace(self, names=kept, **arrays)


@dataclass(frozen=True, slots=True)
class WinMatrix(PairTable):
    """Win rates of all pairs, draws as half; with Wilson's intervals, 0 and 1 without games."""

    wins: Ints
    draws: Ints  # symmetric, as `games`, whose diagonal is 0

    def pair(self, name: str, other: str) -> HeadToHead:
        """Return the record of a pair; raises ValueError for a player without matches."""
        own, its = self._place(name), self._place(other)
        record = (self.games[own, its], self.wins[own, its], self.draws[own, its], self.wins[its, own])
        interval = (self.values[own, its], self.low[own, its], self.high[own, its])
        return HeadToHead(name, other, *map(int, record), *map(float, interval))

    def cycles(self) -> list[Cycle]:
        """Return the cycles of three whose rates are above one half with their whole intervals, surest first.

        The intervals are those of all pairs that met at once, so that a cycle is seldom chance, however many they are.
        """
        low, _ = wilson(self.wins + self.draws / 2, self.games.astype(np.float64), intervals=max(1, self._pairs))
        beats = low > 0.5
        found = [
            self._cycle(low, a, b, int(c))
            for a, b in np.argwhere(beats).tolist()
            for c in np.flatnonzero(beats[b] & beats[:, a])
            if self.names[a] < min(self.names[b], self.names[c])
        ]
        return sorted(found, key=lambda cycle: (-cycle.low, cycle.names))

    @property
    def _pairs(self) -> int:
        return int(np.count_nonzero(self.games)) // 2

    def _cycle(self, low: Floats, a: int, b: int, c: int) -> Cycle:
        rates = float(self.values[a, b]), float(self.values[b, c]), float(self.values[c, a])
        lowest = min(low[a, b], low[b, c], low[c, a])
        return Cycle((self.names[a], self.names[b], self.names[c]), rates, float(lowest))

    def _place(self, name: str) -> int:
        if name not in self.names:
            raise ValueError(f"expected one of {', '.join(self.names) or 'no labels'}, got: {name!r}")
        return self.names.index(name)


def win_matrix(matches: Sequence[Rated]) -> WinMatrix:
    """Count the matches of all pairs: a player wins against all members of the teams placed below its own.

    Members of a team do not meet, nor does a label on two teams meet either of them; one with several seats in a team
    counts once.
    """
    names = tuple(sorted({name for match in matches for team in match.teams for name in team}))
    place = {name: number for number, name in enumerate(names)}
    won, drawn = list[int](), list[int]()  # cells, row by row
    for match in matches:
        teams = [{place[name] for name in team} for team in match.teams]
        for (own, team), (its, other) in permutations(enumerate(teams), 2):
            if match.ranks[own] <= match.ranks[its]:
                cells = won if match.ranks[own] < match.ranks[its] else drawn
                both = team & other
                cells += [one * len(names) + two for one in team - both for two in other - both]
    shape = (len(names), len(names))
    wins, draws = (
        np.bincount(np.array(cells, np.int64), minlength=len(names) ** 2).reshape(shape) for cells in (won, drawn)
    )
    games = wins + wins.T + draws
    scores = wins + draws / 2
    low, high = wilson(scores, games.astype(np.float64))
    rate = np.divide(scores, games, out=np.full(shape, np.nan), where=games > 0)
    return WinMatrix(names, rate, low, high, games, wins, draws)


@dataclass(frozen=True, slots=True)
class Score:
    """The scores of one label in one role under one condition; None for scores that it lacks."""

    label: str
    alone: Mean | None  # in matches with the label in every seat
    mixed: Mean | None  # in matches together with other labels
    role: str = ""  # with the condition, if it is not the game's own


def scores(rows: Iterable[Row], roles: Mapping[str, str] | None = None) -> list[Score]:
    """Return all scores, the best first: by the mean alone, or with others for a label that never played alone.

    Each label has a score for each of its `roles` (as in `GameFacts`) and for each condition (`rows.condition`), since
    longer matches have other scores.  Matches that do not count (`rows.counts`) or lack a return are left out.
    """
    alone: dict[tuple[str, str], list[float]] = {}
    mixed: dict[tuple[str, str], list[float]] = {}
    for row, score in _scored(rows):
        lineup = row["lineup"]
        found = alone if len(set(lineup.values())) == 1 else mixed
        for player in {(label, scored_as(row, (roles or {}).get(agent, ""))) for agent, label in lineup.items()}:
            found.setdefault(player, []).append(score)
    best = sorted({*alone, *mixed}, key=lambda player: (-fmean(alone.get(player) or mixed[player]), player))
    return [Score(one[0], mean_of(alone.get(one, [])), mean_of(mixed.get(one, [])), one[1]) for one in best]


def cross_play(rows: Iterable[Row]) -> PairTable:
    """Compute the cross-play table (Hu, Lerer, Peysakhovich and Foerster, "Other-Play", 2020), which is symmetric.

    A match of more than two labels counts for each pair among them, in any seats.  Leaves out the same matches as
    `scores`, and those under other conditions than most.
    """
    cells: dict[tuple[str, str], list[float]] = {}
    scored = [*_scored(rows)]
    usual = Counter(condition(row) for row, _ in scored).most_common(1)
    for row, score in scored:
        if condition(row) != usual[0][0]:
            continue
        labels = sorted(set(row["lineup"].values()))
        for pair in combinations(labels, 2) if len(labels) > 1 else [(labels[0], labels[0])]:
            cells.setdefault(pair, []).append(score)
    names = sorted({label for pair in cells for label in pair})
    figures = np.full((4, len(names), len(names)), math.nan)  # means, lower ends, upper ends, counts
    figures[3] = 0
    for pair, found in cells.items():
        own, its = (names.index(name) for name in pair)
        mean = mean_of(found)
        assert mean is not None
        figures[:, own, its] = figures[:, its, own] = mean.mean, mean.low, mean.high, mean.count
    values, low, high, games = figures
    return PairTable(tuple(names), values, low, high, games.astype(np.int64))


def _scored(rows: Iterable[Row]) -> Iterable[tuple[Row, float]]:
    """Yield the matches with a score, without repeats."""
    for row in without_repeats(rows):
        values = row["returns"].values()
        if counts(row) and values and None not in values:
            yield row, math.fsum(values) / len(values)
