"""Running ratings: OpenSkill's Plackett-Luce model, and Elo beside it because everyone reads Elo.

Weng and Lin, "A Bayesian Approximation Method for Online Ranking", JMLR 12 (2011), algorithm 4; Elo with K = 32,
each team against each other team with the mean of its members' ratings.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from openskill.models import PlackettLuce

from agents.ladder.ratings.rows import Rated
from agents.statistics import Z

ELO_START = 1500.0
ELO_K = 32.0


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


def strongest_first(rating: Rating) -> tuple[float, str]:
    """The sort key of a table."""
    return -rating.ordinal, rating.name


class OnlineRatings(dict[str, Rating]):
    """Ratings of one game by name, match after match in the order they were played."""

    def __init__(self) -> None:
        self._model = PlackettLuce()

    def table(self) -> list[Rating]:
        """Return all ratings, the strongest first."""
        return sorted(self.values(), key=strongest_first)

    def add(self, match: Rated) -> list[Rating]:
        """Rate one match and return the changed ratings; none after a match between equal teams.

        A player with several seats gets their mean.  Members of smaller teams are repeated until all teams have one
        size: otherwise a new player alone against three would be expected to lose.
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
            [self._model.rating(mu=self[name].mu, sigma=self[name].sigma) for name in team] for team in names
        ]
        after: dict[str, list[tuple[float, float]]] = {}
        rated = self._model.rate(teams, ranks=[float(rank) for rank in match.ranks])
        for team, beliefs in zip(names, rated, strict=True):
            for name, belief in zip(team, beliefs, strict=True):
                after.setdefault(name, []).append((belief.mu, belief.sigma))
        return after

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
