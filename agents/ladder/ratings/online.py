"""Online ratings after each match: OpenSkill's Plackett-Luce model, and Elo for comparison.

Weng and Lin, "A Bayesian Approximation Method for Online Ranking", JMLR 12 (2011), algorithm 4; Elo with K = 32,
each team against each other team with the mean of its members' ratings.

The predicted probability to win is the one of these updates, for two players: logistic in the difference of strengths
over c = sqrt(2) beta.  A strength is normal with mu and sigma.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
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
    half: float | None = None  # half the 95% interval of `points` over all matches; None: OpenSkill's own

    @property
    def ordinal(self) -> float:
        """The conservative rating, mu - 3 sigma, which the table is sorted by."""
        return self.mu - 3 * self.sigma

    @property
    def low(self) -> float:
        """The lower end of the 95% interval of `mu`."""
        return self.mu - Z * self.sigma

    @property
    def high(self) -> float:
        """The upper end of the 95% interval of `mu`."""
        return self.mu + Z * self.sigma

    @property
    def points(self) -> float:
        """The estimate on the scale of Elo, on which a new player has `ELO_START`."""
        return ELO_START + (self.mu - UNKNOWN.mu) * POINTS

    @property
    def margin(self) -> float:
        """Half the 95% interval of `points`."""
        return Z * self.sigma * POINTS if self.half is None else self.half

    @property
    def is_provisional(self) -> bool:
        """Whether too little is known to compare the player with others."""
        return self.margin > PROVISIONAL


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

        A player with several seats gets the mean of its seats' new ratings, each from the teams that it is not in: what
        it does against itself is no evidence, and one on all sides is not rated.  Members of smaller teams are repeated
        until all teams are the same size: otherwise a new player alone against three would be expected to lose.
        """
        names = {name for team in match.teams for name in team if not all(name in other for other in match.teams)}
        if not names:
            return []
        for name in (name for team in match.teams for name in team):
            self.setdefault(name, Rating(name))
        after = self._after(match)
        elo = self._elo_changes(match)
        for name, beliefs in after.items():
            rating = self[name]
            rating.mu = sum(mu for mu, _ in beliefs) / len(beliefs)
            rating.sigma = sum(sigma for _, sigma in beliefs) / len(beliefs)
            rating.elo += sum(elo[name]) / len(elo[name])
        self._count(match)
        for name in {name for team in match.teams for name in team} - names:
            if not self[name].games:
                del self[name]
        return [self[name] for name in after]

    def _after(self, match: Rated) -> dict[str, list[tuple[float, float]]]:
        """Return the new mu and sigma of each player, one for each of its seats."""
        after: dict[str, list[tuple[float, float]]] = {}
        places = {name: _places(name, match) for team in match.teams for name in team}
        for name, own in places.items():
            rivals = [place for place in range(len(match.teams)) if place not in own]
            for place in own if len(own) > 1 and rivals else ():
                beliefs = self._beliefs(match, sorted((place, *rivals)))
                after.setdefault(name, []).extend(found for other, at, found in beliefs if (other, at) == (name, place))
        for name, _, found in self._beliefs(match, range(len(match.teams))):
            if len(places[name]) == 1:
                after.setdefault(name, []).append(found)
        return after

    def _beliefs(self, match: Rated, places: Sequence[int]) -> Iterator[tuple[str, int, tuple[float, float]]]:
        """Yield name, team, and new mu and sigma of each seat after the match between these teams."""
        size = math.lcm(*(len(match.teams[place]) for place in places))
        names = [[*match.teams[place]] * (size // len(match.teams[place])) for place in places]
        teams: list[list[Any]] = [
            [self._model.rating(mu=self[name].mu, sigma=self._spread(name, match)) for name in team] for team in names
        ]
        rated = self._model.rate(teams, ranks=[float(match.ranks[place]) for place in places])
        for place, team, beliefs in zip(places, names, rated, strict=True):
            for name, belief in zip(team, beliefs, strict=True):
                yield name, place, (belief.mu, belief.sigma)

    def _spread(self, name: str, match: Rated) -> float:
        """Return the deviation before the match, in which the strength of a player that learns may have changed."""
        return self[name].sigma if name in match.steady else math.hypot(self[name].sigma, TAU)

    def _elo_changes(self, match: Rated) -> dict[str, list[float]]:
        means = [sum(self[name].elo for name in team) / len(team) for team in match.teams]
        changes: dict[str, list[float]] = {}
        for own, team in enumerate(match.teams):
            for name in team:
                others = [other for other, rivals in enumerate(match.teams) if name not in rivals]
                surprise = sum(
                    _score(match.ranks[own], match.ranks[other]) - 1 / (1 + 10 ** ((means[other] - means[own]) / 400))
                    for other in others
                )
                changes.setdefault(name, []).append(ELO_K * surprise / max(1, len(others)))
        return changes

    def _count(self, match: Rated) -> None:
        best = min(match.ranks)
        winners = [set(team) for team, rank in zip(match.teams, match.ranks, strict=True) if rank == best]
        for name in {name for team in match.teams for name in team}:
            if all(name in team for team in match.teams):
                continue
            rating = self[name]
            rating.games += 1
            if not any(name in team for team in winners):
                rating.losses += 1
            elif len(winners) > 1:
                rating.draws += 1
            else:
                rating.wins += 1


def _places(name: str, match: Rated) -> list[int]:
    """Return the numbers of the teams that a player is in."""
    return [place for place, team in enumerate(match.teams) if name in team]


def _score(own: float, other: float) -> float:
    return 0.5 if own == other else float(own < other)


BETA = 25 / 6
"""OpenSkill's standard deviation of one performance around a player's strength."""

SCALE = math.sqrt(2) * BETA
POINTS = 400 / math.log(10) / SCALE
"""Points of Elo for one of OpenSkill: the same win probability."""

PROVISIONAL = Z * 100.0
"""Half the widest 95% interval of a rating that is known, in points of Elo; some fifty matches."""

UNKNOWN = Rating("")
"""The rating of a player without matches."""

_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(15)
_WEIGHTS = _WEIGHTS / _WEIGHTS.sum()


class Chances(NamedTuple):
    """Win probabilities against some players, a draw as half a win; float64 (players,)."""

    mean: Floats  # over the distribution of strengths
    variance: Floats  # of that
    low: Floats  # of the 95% interval
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


def draw_share(ratings: Iterable[Rating]) -> float:
    """Return the share of draws in all matches, an estimate for equal players; 0 without a match."""
    counts = [(one.draws, one.games) for one in ratings]
    return sum(draws for draws, _ in counts) / max(1, sum(games for _, games in counts))


def expected_reduction(own: Rating, others: Sequence[Rating], *, draw: float = 0.0) -> Floats:
    """Return the expected reduction of the variance of `own` by one match with each of the others.

    The Fisher information i of a match about the difference of strengths is ((w + l) - (w - l)²) / 4c², with w and l
    the probabilities to win and to lose by Davidson's model of draws, where `draw` is the probability between equals;
    without draws that is w (1 - w) / c².  It reduces the variance v to v - v² i / (1 + i (v + w)), w the other's
    variance (a Kalman filter's step).  i is a mean over the distribution of the difference: an opponent with an
    uncertain rating is preferred to one that is certainly far away.
    """
    _, spread, samples = _differences(own, others)
    lead = np.sqrt(samples / np.maximum(1 - samples, 1e-12))  # exp of half the log odds
    total = lead + 1 / lead + 2 * draw / max(1 - draw, 1e-6)
    win, lose = lead / total, 1 / lead / total
    information = ((win + lose - (win - lose) ** 2) / 4) @ _WEIGHTS / SCALE**2
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
