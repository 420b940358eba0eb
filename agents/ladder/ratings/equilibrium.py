"""Strength where players beat each other in cycles, which no single rating can express: Nash averaging and alpha-rank.

Nash averaging (Balduzzi, Tuyls, Pérolat and Graepel, "Re-evaluating Evaluation", NeurIPS 2018): two opponents choose
players in the zero-sum game of the log odds to win; in equilibrium they draw from a mixture of players, and a player's
worth is its log odds against that mixture.  Alpha-rank (Omidshafiei et al., "α-Rank: Multi-Agent Evaluation by
Evolution", Scientific Reports 9, 2019): how often each player is met in a population in which better answers spread.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from agents.ladder.ratings.batch import ELO
from agents.ladder.ratings.cyclic import cyclic_term
from agents.ladder.ratings.pairs import WinMatrix
from agents.statistics import Floats, Ints

PRIOR_GAMES = 4.0
"""Matches of a pair that the ratings' prediction is worth: pairs that met seldom, or never, are not taken literally."""

MOST_PLAYERS = 300
"""For more the equilibrium takes too long."""

ALPHA, POPULATION = 100.0, 50
"""The intensity of selection and the size of the population, as in OpenSpiel's `alpharank.compute`."""

_CLOSE = 1e-7  # of log odds

Mixture = Literal["nash", "alpha_rank"]
MIXTURES: tuple[Mixture, ...] = get_args(Mixture)


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """Of n players; every array is (n,)."""

    shares: Floats  # in the Nash mixture of highest entropy; their sum is 1
    skills: Floats  # points of Elo against that mixture, 0 for its members, else below
    visits: Floats  # alpha-rank's share of time; their sum is 1
    cyclic: Floats | None  # root mean square of the cyclic advantages in points of Elo; None where a test sees none


def equilibrium(matrix: WinMatrix, strengths: Floats) -> Equilibrium:
    """Return the equilibrium of players with these records and `strengths` (n,), in points of Elo.

    >>> from agents.ladder.ratings.pairs import win_matrix
    >>> from agents.ladder.ratings.rows import Rated
    >>> table = win_matrix([Rated([["a"], ["b"]], (1, 2))])
    >>> equilibrium(table, np.zeros(2)).shares.tolist()
    [1.0, 0.0]
    """
    wins = matrix.wins + matrix.draws / 2
    log_odds = strengths / ELO
    term = cyclic_term(wins, matrix.games, log_odds)
    predicted = log_odds[:, None] - log_odds[None, :] + (0.0 if term is None else term.odds)
    rates = smoothed(wins, matrix.games, 1 / (1 + np.exp(-predicted)))
    odds = np.log(rates / (1 - rates))
    shares = nash_shares(odds)
    skills = ELO * np.minimum(odds @ shares, 0.0)
    return Equilibrium(shares, skills, alpha_rank(rates), None if term is None else term.points)


def smoothed(points: Floats, games: Floats | Ints, predicted: Floats) -> Floats:
    """Return the rates of `points` in `games`, to which the `predicted` rates add as `PRIOR_GAMES` matches."""
    return np.asarray((points + PRIOR_GAMES * predicted) / (games + PRIOR_GAMES), np.float64)


def mixture(kind: Mixture, rates: Floats) -> Floats:
    """Return the shares (n,) of players with win rates (n, n) against each other, strictly between 0 and 1."""
    if kind == "alpha_rank":
        return alpha_rank(rates)
    odds = np.log(rates / (1 - rates))
    return nash_shares((odds - odds.T) / 2)


def nash_shares(payoffs: Floats) -> Floats:
    """Return the Nash equilibrium (n,) of a symmetric zero-sum game, the one of highest entropy.

    `payoffs` is antisymmetric, (n, n).  One equilibrium is a linear programme's solution; all others mix the best
    responses to it (von Neumann), among which the entropy is maximised.
    """
    from scipy.optimize import linprog  # on demand: its import takes most of a second

    count = len(payoffs)
    found = linprog(np.zeros(count), A_ub=payoffs, b_ub=np.zeros(count), A_eq=np.ones((1, count)), b_eq=[1.0])
    shares = np.maximum(found.x, 0.0)
    shares /= shares.sum()
    best = np.flatnonzero(payoffs @ shares > -_CLOSE).astype(np.int64)
    return _most_even(payoffs[:, best], best, shares)


def _most_even(payoffs: Floats, best: Ints, shares: Floats) -> Floats:
    """Return the mixture of highest entropy of the `best` players, whose columns the payoffs are."""
    from scipy.optimize import LinearConstraint, minimize

    if len(best) < 2:
        return shares
    start = 0.99 * shares[best] + 0.01 / len(best)
    constraints = [LinearConstraint(np.ones((1, len(best))), 1, 1), LinearConstraint(payoffs, -np.inf, 0)]
    found = minimize(
        lambda mixture: float(np.sum(mixture * np.log(np.maximum(mixture, 1e-12)))), start, method="SLSQP",
        jac=lambda mixture: np.log(np.maximum(mixture, 1e-12)) + 1, bounds=[(0, 1)] * len(best),
        constraints=constraints, options={"ftol": 1e-10, "maxiter": 200},
    )  # fmt: skip
    mixture = np.maximum(found.x, 0.0) / max(float(np.maximum(found.x, 0.0).sum()), 1e-12)
    if not found.success or (payoffs @ mixture).max() > 1e-5:
        return shares
    even = np.zeros(len(shares))
    even[best] = mixture
    return even


def alpha_rank(rates: Floats) -> Floats:
    """Return the stationary distribution (n,) of alpha-rank for win rates (n, n) of one population.

    A player enters a population of another one and takes it over with the fixation probability of the Moran process:
    (1 - e^-u) / (1 - e^-mu), with u the selected advantage and m the population's size.
    """
    count = len(rates)
    if count < 2:
        return np.ones(count)
    advantage = ALPHA * (rates.T - rates)  # of the column's player, which enters, over the row's
    moves = _fixation(advantage) / (count - 1)
    np.fill_diagonal(moves, 0.0)
    np.fill_diagonal(moves, 1 - moves.sum(axis=1))
    equations = np.vstack([moves.T - np.eye(count), np.ones(count)])
    found = np.linalg.lstsq(equations, np.append(np.zeros(count), 1.0), rcond=None)[0]
    visits = np.maximum(found, 0.0)
    return np.asarray(visits / visits.sum(), np.float64)


def _fixation(advantage: Floats) -> Floats:
    """Return the fixation probabilities of advantages; for a disadvantage both parts are multiplied by e^mu."""
    size = np.maximum(np.abs(advantage), 1e-12)
    forward = np.expm1(-size) / np.expm1(-POPULATION * size)
    back = np.exp(np.maximum(-(POPULATION - 1) * size, -700.0)) * forward
    return np.asarray(np.where(advantage >= 0, forward, back), np.float64)
