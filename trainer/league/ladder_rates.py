"""Prior win rates of a pool, from the ladder.

They come from two sources: the win probability by ratings, with the weight of as many games as give the same certainty,
and the matches of the two players with each other, which show cycles that no rating can.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from agents.ladder.ladder import Ladder
from agents.ladder.ratings.online import UNKNOWN, Rating, chances
from agents.ladder.ratings.rows import GameFacts, Rated, rated
from agents.statistics import Floats

RATED = 10.0
"""Largest weight of the ratings, in games: the policy has learnt since, and ratings know no cycles."""

MET = 30.0
"""Largest weight of the matches with each other, in games."""


class LadderRates:
    """Names are those of the ladder: labels, with their role where roles differ."""

    def __init__(self, facts: GameFacts) -> None:
        self.ratings: dict[str, Rating] = {}
        self._facts = facts
        self._met: dict[tuple[str, str], tuple[float, int]] = {}  # score of the first, games
        self._last = 0

    def update(self, ladder: Ladder) -> None:
        """Read the results added since the last update."""
        rows = ladder.results(self._facts.id, after=self._last)
        if not rows:
            return
        self._last = int(rows[-1]["id"])
        for row in rows:
            match = rated(row, self._facts.roles)
            if match is not None:
                self._count(match)
        self.ratings = {one.name: one for one in ladder.ratings(self._facts.id, roles=self._facts.roles)}

    def beliefs(self, own: str, others: Sequence[str]) -> tuple[Floats, Floats]:
        """Parameters (a, b) of the Beta distributions of the win rates of `own`; (1, 1) for an unknown player."""
        if own not in self.ratings or not others:
            return np.ones(len(others)), np.ones(len(others))
        expected = chances(self.ratings[own], [self.ratings.get(name, UNKNOWN) for name in others])
        mean, spread = expected.mean, np.maximum(expected.variance, 1e-9)
        games = np.clip(mean * (1 - mean) / spread - 1, 2.0, RATED)  # a Beta distribution with this mean and spread
        known = np.array([name in self.ratings for name in others])
        mean, games = np.where(known, mean, 0.5), np.where(known, games, 2.0)
        score, met = np.array([self._met.get((own, name), (0.0, 0)) for name in others], np.float64).T
        weight = np.minimum(1.0, MET / np.maximum(met, 1.0))
        return mean * games + weight * score, (1 - mean) * games + weight * (met - score)

    def _count(self, match: Rated) -> None:
        """Count the result for each pair of teams of one player."""
        sides = [(set(team), rank) for team, rank in zip(match.teams, match.ranks, strict=True)]
        for (one, rank), (other, others_rank) in combinations(sides, 2):
            if len(one) == len(other) == 1 and one != other:
                score = 0.5 if rank == others_rank else float(rank < others_rank)
                own, rival = *one, *other
                self._add(own, rival, score)
                self._add(rival, own, 1 - score)

    def _add(self, own: str, other: str, score: float) -> None:
        before, games = self._met.get((own, other), (0.0, 0))
        self._met[own, other] = before + score, games + 1
