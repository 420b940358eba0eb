"""Strength where players beat each other in cycles, which no single rating can express: Nash averaging and alpha-rank.

Nash averaging (Balduzzi, Tuyls, Pérolat and Graepel, "Re-evaluating Evaluation", NeurIPS 2018): two opponents choose
players in the zero-sum game of the log odds to win; in equilibrium they draw from a mixture of players, and a player's
worth is its log odds against that mixture.  Alpha-rank (Omidshafiei et al., "α-Rank: Multi-Agent Evaluation by
Evolution", Scientific Reports 9, 2019): how often each player is met in a population in which better answers spread.

Where seats are roles, the players of each role are a population of their own (`Populations`), with a mixture for each.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from agents.ladder.ratings.batch import ELO
from agents.ladder.ratings.cyclic import cyclic_term
from agents.ladder.ratings.pairs import WinMatrix
from agents.statistics import Floats, Ints

PRIOR_GAMES = 4.0
"""Matches of a pair that the ratings' prediction is worth: pairs that met seldom, or never, are not taken literally."""

MOST_PLAYERS = 300
"""For more the equilibrium takes too long."""

MOST_IN_MIXTURE = 100
"""Players in a mixture that is solved for again and again; with more it takes seconds."""

ALPHA, POPULATION = 100.0, 50
"""The intensity of selection and the size of the population, as in OpenSpiel's `alpharank.compute`."""

MOST_PROFILES, MOST_POPULATIONS = 1024, 4
"""Of alpha-rank: the profiles, one player of each population, whose stationary distribution is solved for; and the
populations, of which five players each are as many."""

_CLOSE = 1e-7  # of log odds

Mixture = Literal["nash", "alpha_rank"]
MIXTURES: tuple[Mixture, ...] = get_args(Mixture)


@dataclass(frozen=True, slots=True)
class Populations:
    """The populations of n players, k of them."""

    of: Ints  # (n,) index of each player's
    meet: NDArray[np.bool_]  # (k, k), symmetric: whether players of these two play against each other

    @classmethod
    def one(cls, count: int) -> Self:
        """Players who all meet each other."""
        return cls(np.zeros(count, np.int64), np.ones((1, 1), np.bool_))

    @property
    def members(self) -> NDArray[np.bool_]:
        """(n, k): whether a player is of a population."""
        found: NDArray[np.bool_] = self.of[:, None] == np.arange(len(self.meet))
        return found


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


def mixture(kind: Mixture, rates: Floats, populations: Populations | None = None) -> Floats:
    """Return the shares (n,) of players with win rates (n, n) against each other, strictly between 0 and 1.

    Without `populations` all are of one; the shares of each sum to 1, and rates of players who do not meet are ignored.
    """
    populations = populations or Populations.one(len(rates))
    if kind == "alpha_rank":
        return alpha_rank(rates, populations)
    odds = np.log(rates / (1 - rates))
    meet = populations.meet[np.ix_(populations.of, populations.of)]
    return nash_shares(np.where(meet, (odds - odds.T) / 2, 0.0), populations)


def most_players(kind: Mixture, populations: int) -> int:
    """Return the players of each population whose mixture is found soon."""
    if kind == "alpha_rank" and populations > 1:
        return next(count for count in range(MOST_PROFILES, 0, -1) if count**populations <= MOST_PROFILES)
    return MOST_IN_MIXTURE // populations


def nash_shares(payoffs: Floats, populations: Populations | None = None) -> Floats:
    """Return the Nash equilibrium (n,) of a zero-sum game between populations, the one of highest entropy.

    `payoffs` is antisymmetric, (n, n), and 0 between players who do not meet; the game of one population is symmetric,
    that of two a bimatrix game.  One equilibrium is a linear programme's solution, for any number of populations, since
    each pair of them plays a zero-sum game (Cai, Candogan, Daskalakis and Papadimitriou, "Zero-Sum Polymatrix Games",
    Mathematics of Operations Research 41, 2016).  The programme is its own dual, so that the others mix the best
    responses to it; of those with the same values the entropy is maximised.
    """
    from scipy.optimize import linprog  # on demand: its import takes most of a second

    count, members = len(payoffs), (populations or Populations.one(len(payoffs))).members.astype(np.float64)
    kinds = members.shape[1]
    found = linprog(
        np.r_[np.zeros(count), np.ones(kinds)], A_ub=np.hstack([payoffs, -members]), b_ub=np.zeros(count),
        A_eq=np.hstack([members.T, np.zeros((kinds, kinds))]), b_eq=np.ones(kinds),
        bounds=[(0, None)] * count + [(None, None)] * kinds,
    )  # fmt: skip
    shares, values = np.maximum(found.x[:count], 0.0), members @ found.x[count:]  # of each player's population
    shares /= members @ (shares @ members)
    best: Ints = np.flatnonzero(payoffs @ shares > values - _CLOSE).astype(np.int64)
    return _most_even(payoffs[:, best], best, shares, values, members)


def _most_even(payoffs: Floats, best: Ints, shares: Floats, values: Floats, members: Floats) -> Floats:
    """Return the mixture of highest entropy of the `best` players, whose columns the payoffs are."""
    from scipy.optimize import LinearConstraint, minimize

    own = members[best]
    if len(best) <= own.shape[1]:
        return shares
    start = 0.99 * shares[best] + 0.01 / (own @ own.sum(axis=0))
    constraints = [LinearConstraint(own.T, 1, 1), LinearConstraint(payoffs, -np.inf, values)]
    found = minimize(
        lambda mixture: float(np.sum(mixture * np.log(np.maximum(mixture, 1e-12)))), start, method="SLSQP",
        jac=lambda mixture: np.log(np.maximum(mixture, 1e-12)) + 1, bounds=[(0, 1)] * len(best),
        constraints=constraints, options={"ftol": 1e-10, "maxiter": 200},
    )  # fmt: skip
    mixture = np.maximum(found.x, 0.0)
    mixture /= np.maximum(own @ (mixture @ own), 1e-12)
    if not found.success or (payoffs @ mixture - values).max() > 1e-5:
        return shares
    even = np.zeros(len(shares))
    even[best] = mixture
    return even


def alpha_rank(rates: Floats, populations: Populations | None = None) -> Floats:
    """Return the shares (n,) of players in alpha-rank's stationary distribution, for their win rates (n, n).

    A state is a profile: the player that each population consists of.  Another one enters a population and takes it
    over with the fixation probability of the Moran process: (1 - e^-u) / (1 - e^-mu), with u the selected advantage and
    m the population's size.  A player's payoff in a profile is its mean win rate against the populations that it meets.
    """
    populations = populations or Populations.one(len(rates))
    players = [np.flatnonzero(populations.of == kind) for kind in range(len(populations.meet))]
    profiles = np.array(list(product(*players)), np.int64)  # (S, k), the last population changes fastest
    if len(profiles) < 2:
        return np.ones(len(rates))
    moves, order = np.zeros((len(profiles), len(profiles))), np.arange(len(profiles))
    steps = np.cumprod([1, *(len(own) for own in players[:0:-1])])[::-1]  # between profiles of neighbours
    for kind, (own, step) in enumerate(zip(players, steps.tolist(), strict=True)):
        resident = profiles[:, kind]
        place = np.searchsorted(own, resident)
        for number, entrant in enumerate(own.tolist()):
            gains = [
                rates[entrant, resident] - rates[resident, entrant] if other == kind
                else rates[entrant, profiles[:, other]] - rates[resident, profiles[:, other]]
                for other in np.flatnonzero(populations.meet[kind]).tolist()
            ]  # fmt: skip
            moves[order, order + (number - place) * step] = _fixation(ALPHA * np.mean(gains, axis=0))
    moves /= sum(len(own) - 1 for own in players)
    np.fill_diagonal(moves, 0.0)
    np.fill_diagonal(moves, 1 - moves.sum(axis=1))
    equations = np.vstack([moves.T - np.eye(len(moves)), np.ones(len(moves))])
    found = np.linalg.lstsq(equations, np.append(np.zeros(len(moves)), 1.0), rcond=None)[0]
    visits = np.maximum(found, 0.0)
    visits /= visits.sum()
    shares = np.zeros(len(rates))
    np.add.at(shares, profiles, visits[:, None])
    return shares


def _fixation(advantage: Floats) -> Floats:
    """Return the fixation probabilities of advantages; for a disadvantage both parts are multiplied by e^mu."""
    size = np.maximum(np.abs(advantage), 1e-12)
    forward = np.expm1(-size) / np.expm1(-POPULATION * size)
    back = np.exp(np.maximum(-(POPULATION - 1) * size, -700.0)) * forward
    return np.asarray(np.where(advantage >= 0, forward, back), np.float64)
