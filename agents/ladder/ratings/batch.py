"""Maximum-likelihood ratings of all matches at once, with confidence intervals; draws by Davidson and Luce's model.

A match is a sequence of choices: each stage chooses the best-placed teams of those still left.  The log likelihood is
concave, so that Newton's method finds the best fit.

The model is Davidson and Luce's (Firth, Kosmidis and Turner, "Davidson-Luce model for multi-item choice with ties",
arXiv:1909.07123): the set T of the remaining teams is chosen with weight d(|T|) times the geometric mean of
their strengths; d(1) = 1.  Between two teams that is Davidson's model of draws (Journal of the American Statistical
Association 65, 1970); without ties it is Bradley and Terry's for two and Plackett and Luce's for more.  A team's log
strength is the sum of its members' (Huang, Lin and Weng, "Ranking Individuals by Group Comparisons", Journal of Machine
Learning Research 9, 2008), as in OpenSkill; a larger team's advantage appears as a strength that all players share.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from agents.ladder.ratings.online import ELO_START
from agents.ladder.ratings.rows import Rated
from agents.statistics import Floats, Ints, Z

EXACT_TEAMS = 6
"""The most teams left for which all sets of tied teams are weighed (six teams have 63 sets).  Among more, each tied
team is chosen out of all that are left: Breslow's method for ties in Cox's partial likelihood ("Covariance Analysis
of Censored Survival Data", Biometrics 30, 1974), which has the form of Plackett and Luce's."""

_ROWS = 1 << 15  # most stages in one piece, to save memory


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of stages that are computed together."""

    sizes: tuple[int, ...]  # members of each team left
    is_first_left: bool  # whether the first team has the first seat
    ties: tuple[int, ...]  # sizes of weighed ties, all >= 2


@dataclass(frozen=True, slots=True)
class Choices:
    """Stages of one shape: alternative a of stage r has the log weight features[a] @ values[params[r]]."""

    features: Floats  # (alternatives, slots)
    params: Ints  # (stages, slots): the parameter in each slot
    chosen: Ints  # (stages,): the alternative that happened
    counts: Floats  # (stages,): how often the stage occurred


@dataclass(frozen=True, slots=True)
class ChoiceLayout:
    """The order of the parameters: players, first seat's advantage, ties."""

    players: Mapping[str, int]  # name to index, 0 to len - 1
    ties: tuple[int, ...]  # sizes of weighed ties that occurred

    @property
    def first(self) -> int:
        return len(self.players)

    @property
    def size(self) -> int:
        return len(self.players) + 1 + len(self.ties)

    def tie(self, size: int) -> int:
        return self.first + 1 + self.ties.index(size)


def layout_of(matches: Sequence[Rated]) -> ChoiceLayout:
    """Return the parameters of these matches."""
    names = sorted({name for match in matches for team in match.teams for name in team})
    ties = {len(best) for match in matches for left, best in _stages(match.ranks) if len(left) <= EXACT_TEAMS}
    return ChoiceLayout({name: place for place, name in enumerate(names)}, tuple(sorted(ties - {1})))


def choices_of(matches: Sequence[Rated], layout: ChoiceLayout, *, first_seat: bool) -> list[Choices]:
    """Return all stages of all matches, identical stages merged, with counts."""
    counted: dict[Shape, Counter[tuple[tuple[int, ...], tuple[int, ...]]]] = {}
    for match in matches:
        teams = [tuple(sorted(layout.players[name] for name in team)) for team in match.teams]
        first = match.first if first_seat else None
        for left, best in _stages(match.ranks):
            shape, members, chosen = _canonical(teams, left, best, first, layout.ties)
            counted.setdefault(shape, Counter())[members, chosen] += 1
    return [piece for shape, stages in counted.items() for piece in _choices(shape, stages, layout)]


def _stages(ranks: Sequence[float]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the teams left and those chosen of them, place by place."""
    left = sorted(range(len(ranks)), key=ranks.__getitem__)
    while len(left) > 1:
        tied = sum(ranks[team] == ranks[left[0]] for team in left)
        best = left[:tied]
        yield from [(left, best)] if len(left) <= EXACT_TEAMS else [(left, [team]) for team in best]
        left = left[tied:]


def _canonical(
    teams: Sequence[tuple[int, ...]], left: list[int], best: list[int], first: int | None, ties: tuple[int, ...]
) -> tuple[Shape, tuple[int, ...], tuple[int, ...]]:
    """Return the stage in a canonical order, the first seat's team in front: shape, members, places chosen."""
    order = sorted(left, key=lambda team: (team != first, len(teams[team]), teams[team], team not in best))
    weighed = tuple(size for size in ties if size <= len(left)) if len(left) <= EXACT_TEAMS else ()
    shape = Shape(tuple(len(teams[team]) for team in order), order[0] == first, weighed)
    members = tuple(member for team in order for member in teams[team])
    return shape, members, tuple(place for place, team in enumerate(order) if team in best)


def _choices(shape: Shape, stages: Mapping[Any, int], layout: ChoiceLayout) -> Iterator[Choices]:
    alternatives = [
        chosen for size in (1, *shape.ties) for chosen in itertools.combinations(range(len(shape.sizes)), size)
    ]
    place = {chosen: number for number, chosen in enumerate(alternatives)}
    features = np.array([_features(shape, chosen) for chosen in alternatives])
    shared = [layout.first] * shape.is_first_left + [layout.tie(size) for size in shape.ties]
    params = np.array([[*members, *shared] for members, _ in stages], dtype=np.int64)
    chosen = np.array([place[best] for _, best in stages], dtype=np.int64)
    counts = np.array(list(stages.values()), dtype=np.float64)
    for start in range(0, len(counts), _ROWS):
        rows = slice(start, start + _ROWS)
        yield Choices(features, params[rows], chosen[rows], counts[rows])


def _features(shape: Shape, chosen: tuple[int, ...]) -> list[float]:
    share = 1 / len(chosen)
    members = [share * (team in chosen) for team, size in enumerate(shape.sizes) for _ in range(size)]
    first = [share * (0 in chosen)] * shape.is_first_left
    return [*members, *first, *(float(len(chosen) == size) for size in shape.ties)]


ELO = 400 / math.log(10)
"""Points of Elo in one unit of log strength."""

PRIOR_ELO = 1000.0
"""The standard deviation of the normal prior of every parameter: a player who wins 30 of 30 matches is some 900 points
ahead, not infinitely many; between equals with 30 matches each it changes estimates by less than one percent."""

_PRECISION = (ELO / PRIOR_ELO) ** 2
_ROUNDS = 60  # of Newton's method; eight are usual
_CLOSE = 1e-9  # of the Newton decrement, in units of log likelihood
_ROUNDING = 1e-12  # of a log likelihood, relative


class Estimate(NamedTuple):
    """A value in points of Elo and its 95% interval."""

    elo: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class BatchFit:
    """The ratings from all matches."""

    players: dict[str, Estimate]  # everyone who met another player, by name; their mean, weighted by `shares`, is 1500
    shares: dict[str, float]  # the weight of each in the mean, by Fisher information: 0 to 1, their sum 1
    first_seat: Estimate | None  # the advantage of the first seat, >0 if it helps; None if not fitted
    draw: float  # the probability of a draw between two equal teams, without the first seat's advantage
    converged: bool  # False: the search ran out of rounds before the best fit


def fit(matches: Sequence[Rated], *, first_seat: bool = True) -> BatchFit:
    """Return the most likely strengths, with intervals from the observed information.

    Matches of one pairing may depend on each other, see `clustered_covariance`.
    `first_seat` fits a common advantage of each match's `first` team; leave it off where seats are roles, which cannot
    be separated from it.  A match between equal teams counts for the first seat's advantage and for draws alone.
    Intervals are of the distance to the mean, 1500, which weighs players by their Fisher information, so that neither a
    newcomer nor a constant loser widens the intervals of others.  Players not connected by matches have intervals as
    wide as the prior.  Equal input gives equal figures to the bit.  Memory grows with the square of the players: 1,000
    take some 50 MB.  Raises ValueError for a match with less than two teams, an empty one, or a missing rank.
    """
    for match in matches:
        _check(match)
    layout = layout_of(matches)
    choices = choices_of(matches, layout, first_seat=first_seat)
    values, information, converged = _most_likely(choices, layout)
    covariance = np.asarray(np.linalg.inv(information), np.float64)
    clustered = clustered_covariance(choices, layout, values, covariance)
    shares = _shares(matches, layout, information)
    return BatchFit(
        players=_players(shares, layout, values, (covariance, clustered)),
        shares=shares,
        first_seat=_estimate(values[layout.first], covariance[layout.first, layout.first]) if first_seat else None,
        draw=1 / (1 + 2 * math.exp(-values[layout.tie(2)])) if 2 in layout.ties else 0.0,
        converged=converged,
    )


def _check(match: Rated) -> None:
    if len(match.teams) < 2 or len(match.ranks) != len(match.teams) or not all(match.teams):
        raise ValueError(f"expected at least two teams with members and a rank for each, got: {match}")
    if not all(map(math.isfinite, match.ranks)):
        raise ValueError(f"expected finite ranks, got: {match}")


def _most_likely(choices: list[Choices], layout: ChoiceLayout) -> tuple[Floats, Floats, bool]:
    """Return the values of all parameters (size,), the information (size, size), and whether the search converged."""
    values = np.zeros(layout.size)
    height, slope, information = _posterior(choices, values)
    for _ in range(_ROUNDS):
        step = np.linalg.solve(information, slope)
        if slope @ step < _CLOSE:
            return values, information, True
        for _ in range(_ROUNDS):  # a full step may overshoot
            ahead = _posterior(choices, values + step)
            if ahead[0] >= height - _ROUNDING * abs(height):
                break
            step = step / 2
        else:
            break
        values = values + step
        height, slope, information = ahead
    return values, information, False


def _posterior(choices: list[Choices], values: Floats) -> tuple[float, Floats, Floats]:
    """Return the log posterior, its gradient, and its negative Hessian."""
    size = len(values)
    height, slope = -0.5 * _PRECISION * float(values @ values), -_PRECISION * values
    information = np.zeros(size * size)
    for stages in choices:
        part = _log_likelihood(stages, values)
        height += part[0]
        slope += np.bincount(stages.params.ravel(), part[1].ravel(), size)
        cells = stages.params[:, :, None] * size + stages.params[:, None, :]
        np.add.at(information, cells.ravel(), part[2].ravel())
    return height, slope, information.reshape(size, size) + _PRECISION * np.eye(size)


def _log_likelihood(stages: Choices, values: Floats) -> tuple[float, Floats, Floats]:
    """Return a conditional logit's (McFadden 1974) sum over stages, gradients (stages, slots) and negative Hessians."""
    features, rows = stages.features, np.arange(len(stages.counts))
    weights = values[stages.params] @ features.T
    weights -= weights.max(axis=1, keepdims=True)
    chances = np.exp(weights)
    totals = chances.sum(axis=1)
    chances /= totals[:, None]
    logs = weights[rows, stages.chosen] - np.log(totals)
    means = chances @ features
    slots = features.shape[1]
    squares = (features[:, :, None] * features[:, None, :]).reshape(-1, slots * slots)
    spread = (chances @ squares).reshape(-1, slots, slots) - means[:, :, None] * means[:, None, :]
    slopes = stages.counts[:, None] * (features[stages.chosen] - means)
    return float(logs @ stages.counts), slopes, stages.counts[:, None, None] * spread


def _shares(matches: Sequence[Rated], layout: ChoiceLayout, information: Floats) -> dict[str, float]:
    """Return the share of the Fisher information of everyone who met a team without it, without the prior."""
    met = {
        name for match in matches for team in match.teams for name in team
        if not all(name in other for other in match.teams)
    }  # fmt: skip
    known = {name: float(information[layout.players[name], layout.players[name]]) - _PRECISION for name in sorted(met)}
    return {name: own / sum(known.values()) for name, own in known.items()}


LEAST_PAIRINGS = 5
"""Of a player whose interval allows for matches that depend on each other."""

_MOST_LEVERAGE = 0.75
"""Of a pairing: one that alone decides a parameter says nothing of how others would."""


def clustered_covariance(choices: list[Choices], layout: ChoiceLayout, values: Floats, covariance: Floats) -> Floats:
    """Return the covariance, (size, size), where the matches of a pairing depend on each other.

    Players without chance repeat their matches, and some beat one player and lose to its equals.  The sum of a
    pairing's gradients counts as one observation (Liang and Zeger, Biometrika 73, 1986), inflated by its leverage as
    if it were left out of the fit (Bell and McCaffrey, Survey Methodology 28, 2002: CR3).  Players with fewer than
    `LEAST_PAIRINGS` have too few observations for that, and nan.
    """
    pairings = _gradients(choices, layout, values)
    total = np.zeros((layout.size, layout.size))
    for members, (slope, information) in pairings.items():
        at = np.array(members)
        own = np.ix_(at, at)
        leverages, directions = np.linalg.eig(information @ covariance[own])  # real, 0 to 1
        inflated = directions / (1 - np.minimum(leverages.real, _MOST_LEVERAGE)) @ np.linalg.solve(directions, slope)
        total[own] += np.outer(inflated.real, inflated.real)
    met = Counter(member for members in pairings for member in members)
    few = [place for place in range(layout.size) if met[place] < LEAST_PAIRINGS]
    found = np.asarray(covariance @ total @ covariance, np.float64)
    found[few, few] = math.nan
    return found


def _gradients(
    choices: list[Choices], layout: ChoiceLayout, values: Floats
) -> dict[tuple[int, ...], tuple[Floats, Floats]]:
    """Return the gradient and the negative Hessian of each pairing, by its parameters."""
    found: dict[tuple[int, ...], tuple[Floats, Floats]] = {}
    for stages in choices:
        _, slopes, hessians = _log_likelihood(stages, values)
        for params, slope, hessian in zip(stages.params.tolist(), slopes, hessians, strict=True):
            key = (*sorted({param for param in params if param < layout.first}), *range(layout.first, layout.size))
            before = found.setdefault(key, (np.zeros(len(key)), np.zeros((len(key), len(key)))))
            at = [key.index(param) for param in params]
            np.add.at(before[0], at, slope)
            np.add.at(before[1], (np.array(at)[:, None], np.array(at)[None, :]), hessian)
    return found


def _players(
    shares: dict[str, float], layout: ChoiceLayout, values: Floats, covariances: Sequence[Floats]
) -> dict[str, Estimate]:
    """Return the estimates; of several covariances the one with the larger variance counts."""
    places, share = [layout.players[name] for name in shares], np.array([*shares.values()])
    variances = np.zeros(len(places))
    for covariance in covariances:
        own = covariance[np.ix_(places, places)]
        full = np.nan_to_num(own)
        found = own.diagonal() - 2 * full @ share + share @ full @ share  # of the distance to the mean
        variances = np.fmax(variances, found)
    strengths = values[places] - share @ values[places]
    estimates = zip(shares, strengths.tolist(), variances.tolist(), strict=True)
    return {name: _estimate(strength, variance, ELO_START) for name, strength, variance in estimates}


def _estimate(value: float, variance: float, start: float = 0.0) -> Estimate:
    elo, half = start + ELO * float(value), ELO * Z * math.sqrt(max(0.0, float(variance)))
    return Estimate(elo, elo - half, elo + half)
