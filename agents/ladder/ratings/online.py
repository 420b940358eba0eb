"""Online ratings after each match: OpenSkill's Plackett-Luce model, and Elo for comparison.

Weng and Lin, "A Bayesian Approximation Method for Online Ranking", JMLR 12 (2011), algorithm 4; Elo with K = 32,
each team against each other team with the mean of its members' ratings.

The predicted probability to win is the one of these updates, for two players: logistic in the difference of strengths
over c = sqrt(2) beta.  A strength is normal with mu and sigma.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from openskill.models import PlackettLuce

from agents.ladder.ratings.rows import Rated
from agents.statistics import Floats, Z

ELO_START = 1500.0
ELO_K = 32.0
TAU = 25 / 300
"""OpenSkill's standard deviation of the change of a strength between two matches."""


@dataclass(slots=True)
class Rating:
    """The rating of one player in one game."""

    name: str
    mu: float = 25.0  # OpenSkill's estimate of its strength
    sigma: float = 25.0 / 3  # the estimate's standard deviation
    elo: float = ELO_START
    games: int = 0  # matches against others
    wins: int = 0  # alone in the first place
    draws: int = 0  # shared the first place
    losses: int = 0

    @property
    def ordinal(self) -> float:
        """The conservative rating, mu - 3 sigma, which the table is sorted by."""
        return self.mu - 3 * self.sigma

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval of `mu`."""
        return self.mu - Z * self.sigma

    @property
    def high(self) -> float:
        """The upper end of the 95 % interval of `mu`."""
        return self.mu + Z * self.sigma

    @property
    def points(self) -> float:
        """The estimate on the scale of Elo, on which a new player has `ELO_START`."""
        return ELO_START + (self.mu - UNKNOWN.mu) * POINTS

    @property
    def margin(self) -> float:
        """Half the 95 % interval of `points`."""
        return Z * self.sigma * POINTS

    @property
    def is_provisional(self) -> bool:
        """Whether too little is known to compare the player with others."""
        return self.sigma * POINTS > PROVISIONAL


def strongest_first(rating: Rating) -> tuple[float, str]:
    """The sort key of a table."""
    return -rating.ordinal, rating.name


class OnlineRatings(dict[str, Rating]):
    """Ratings of one game by name, match after match in the order they were played."""

    def __init__(self) -> None:
        self._model = PlackettLuce(tau=0.0)

    def table(self) -> list[Rating]:
        """Return all ratings, the strongest first."""
        return sorted(self.values(), key=strongest_first)

    def add(self, match: Rated) -> list[Rating]:
        """Rate one match and return the changed ratings; none after a match between equal teams.

        A player with several seats gets the mean of its seats' new ratings.  Members of smaller teams are repeated
        until all teams are the same size: otherwise a new player alone against three would be expected to lose.
        """
        if len({tuple(sorted(team)) for team in match.teams}) < 2:
            return []
        for team in match.teams:
            for name in team:
                self.setdefault(name, Rating(name))
        after = self._after(match)
        elo = self._elo_changes(match)
        for name, beliefs in after.items():
            rating = self[name]
            rating.mu = sum(mu for mu, _ in beliefs) / len(beliefs)
            rating.sigma = sum(sigma for _, sigma in beliefs) / len(beliefs)
            rating.elo += sum(elo[name]) / len(elo[name])
        self._count(match)
        return [self[name] for name in after]

    def _after(self, match: Rated) -> dict[str, list[tuple[float, float]]]:
        size = math.lcm(*map(len, match.teams))
        names = [[*team] * (size // len(team)) for team in match.teams]
        teams: list[list[Any]] = [
            [self._model.rating(mu=self[name].mu, sigma=self._spread(name, match)) for name in team] for team in names
        ]
        after: dict[str, list[tuple[float, float]]] = {}
        rated = self._model.rate(teams, ranks=[float(rank) for rank in match.ranks])
        for team, beliefs in zip(names, rated, strict=True):
            for name, belief in zip(team, beliefs, strict=True):
                after.setdefault(name, []).append((belief.mu, belief.sigma))
        return after

    def _spread(self, name: str, match: Rated) -> float:
        """Return the deviation before the match, in which the strength of a player that learns may have changed."""
        return self[name].sigma if name in match.steady else math.hypot(self[name].sigma, TAU)

    def _elo_changes(self, match: Rated) -> dict[str, list[float]]:
        means = [sum(self[name].elo for name in team) / len(team) for team in match.teams]
        changes: dict[str, list[float]] = {}
        for own, team in enumerate(match.teams):
            others = [other for other in range(len(means)) if other != own]
            surprise = sum(
                _score(match.ranks[own], match.ranks[other]) - 1 / (1 + 10 ** ((means[other] - means[own]) / 400))
                for other in others
            )
            for name in team:
                changes.setdefault(name, []).append(ELO_K * surprise / len(others))
        return changes

    def _count(self, match: Rated) -> None:
        best = min(match.ranks)
        winners = [set(team) for team, rank in zip(match.teams, match.ranks, strict=True) if rank == best]
        for name in {name for team in match.teams for name in team}:
            rating = self[name]
            rating.games += 1
            if not any(name in team for team in winners):
                rating.losses += 1
            elif len(winners) > 1:
                rating.draws += 1
            else:
                rating.wins += 1


def _score(own: float, other: float) -> float:
    return 0.5 if own == other else float(own < other)


BETA = 25 / 6
"""OpenSkill's standard deviation of one performance around a player's strength."""

SCALE = math.sqrt(2) * BETA
POINTS = 400 / math.log(10) / SCALE
"""Points of Elo for one of OpenSkill: the same win probability."""

PROVISIONAL = 100.0
"""The largest standard deviation of a rating that is known, in points of Elo; some fifty matches."""

UNKNOWN = Rating("")
"""The rating of a player without matches."""

_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(15)
_WEIGHTS = _WEIGHTS / _WEIGHTS.sum()


class Chances(NamedTuple):
    """Win probabilities against some players, a draw as half a win; float64 (players,)."""

    mean: Floats  # over the distribution of strengths
    variance: Floats  # of that
    low: Floats  # of the 95 % interval
    high: Floats

    @property
    def unevenness(self) -> Floats:
        """The mean squared distance from one half: small for a match that is even and known to be."""
        return (self.mean - 0.5) ** 2 + self.variance


def chances(own: Rating, others: Sequence[Rating]) -> Chances:
    """Return the win probabilities of `own` against each of the others."""
    difference, spread, samples = _differences(own, others)
    mean = samples @ _WEIGHTS
    variance = np.maximum((samples - mean[:, None]) ** 2 @ _WEIGHTS, 0.0)
    return Chances(mean, variance, _logistic(difference - Z * spread), _logistic(difference + Z * spread))


def expected_reduction(own: Rating, others: Sequence[Rating]) -> Floats:
    """Return the expected reduction of the variance of `own` by one match with each of the others.

    The Fisher information i of a match about the difference of strengths is p (1 - p) / c²; it reduces the variance v
    to v - v² i / (1 + i (v + w)), w the other's variance (a Kalman filter's step).  i is a mean over the distribution
    of the difference: an opponent with an uncertain rating is preferred to one that is certainly far away.
    """
    _, spread, samples = _differences(own, others)
    information = (samples * (1 - samples)) @ _WEIGHTS / SCALE**2
    reduction: Floats = own.sigma**4 * information / (1 + information * spread**2)
    return reduction


def _differences(own: Rating, others: Sequence[Rating]) -> tuple[Floats, Floats, Floats]:
    """Return the means and deviations of the differences of strength, and the win probabilities at the nodes."""
    difference = own.mu - np.array([one.mu for one in others])
    spread = np.hypot(own.sigma, [one.sigma for one in others])
    return difference, spread, _logistic(difference[:, None] + spread[:, None] * _NODES)


def _logistic(difference: Floats) -> Floats:
    chance: Floats = 1 / (1 + np.exp(-difference / SCALE))
    return chance
