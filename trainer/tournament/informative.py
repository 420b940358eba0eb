"""The most informative next matches: those that narrow the widest intervals most, until all are under a bound.

What a match between two players tells of the difference of their log strengths is p (1 - p), Fisher's information of a
Bernoulli variable with the chance p to win; one observation with that information narrows a variance v of theirs by
v² i / (1 + i (v + w)), w the other's variance (as in a Kalman filter, covariances left out).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from agents.ratings.batch import ELO, fit
from agents.statistics import Z
from trainer.tournament.outcomes import Outcome, rated_matches
from trainer.tournament.plan import Plan
from trainer.tournament.seating import Group, seatings


def informative_groups(plan: Plan, played: Sequence[Outcome], sides: int) -> list[Group]:
    """Groups for the next round, some half of the entrants, the most telling first; [] where every interval of those
    who can meet is narrow enough."""
    if not played:
        return _ring(plan, sides)
    estimates = fit(rated_matches(played, plan.entrants)).players
    known = [estimates.get(entrant.label) for entrant in plan.entrants]
    values = [0.0 if one is None else one.elo / ELO for one in known]
    variances = [math.inf if one is None else ((one.high - one.low) / 2 / Z / ELO) ** 2 for one in known]
    hopeless = _only_forfeits(played)
    wide = {
        n for n, one in enumerate(known)
        if one is not None and (one.high - one.low) / 2 > plan.bound and n not in hopeless
    }  # fmt: skip
    groups: list[Group] = []
    for _ in range(max(1, len(plan.entrants) // (2 * sides)) if wide else 0):
        group = _best(plan, sides, values, variances, wide)
        if group:
            groups.append(group)
            variances = _after(group, values, variances, matches=plan.games * len(seatings(group, plan.entrants)))
    return groups


def _only_forfeits(played: Sequence[Outcome]) -> set[int]:
    """Entrants that have never played a match to its end: more matches tell nothing more of them."""
    return {one.forfeit for one in played} - {n for one in played for n in one.entrants if n != one.forfeit}


def _ring(plan: Plan, sides: int) -> list[Group]:
    """To begin with, everybody meets the next ones of a row that is drawn: chains join all."""
    row = np.random.default_rng(plan.seed).permutation(len(plan.entrants)).tolist()
    starts = range(len(row) if len(row) > sides else 1)
    groups = [tuple(sorted(row[(at + i) % len(row)] for i in range(sides))) for at in starts]
    return [group for group in dict.fromkeys(groups) if seatings(group, plan.entrants)]


def _best(plan: Plan, sides: int, values: Sequence[float], variances: Sequence[float], wide: set[int]) -> Group | None:
    """The pair that tells most, one of whom at least is wide, and those who tell most of them."""
    numbers = [n for n, variance in enumerate(variances) if math.isfinite(variance)]
    pairs = [
        pair
        for pair in itertools.combinations(numbers, 2)
        if wide & set(pair) and (sides > 2 or seatings(pair, plan.entrants))
    ]
    if not pairs:
        return None
    group: Group = max(pairs, key=lambda pair: _gain(pair, values, variances))
    while len(group) < sides:
        others = [n for n in numbers if n not in group]
        if not others:
            return None
        told = {n: sum(_gain((n, own), values, variances) for own in group) for n in others}
        group = (*group, max(others, key=lambda n: told[n]))
    group = tuple(sorted(group))
    return group if seatings(group, plan.entrants) else None


def _information(pair: Group, values: Sequence[float]) -> float:
    chance = 1 / (1 + math.exp(values[pair[1]] - values[pair[0]]))
    return chance * (1 - chance)


def _gain(pair: Group, values: Sequence[float], variances: Sequence[float]) -> float:
    """By how much one match narrows both variances."""
    first, second = (variances[number] for number in pair)
    told = _information(pair, values)
    return told * (first**2 + second**2) / (1 + told * (first + second))


def _after(group: Group, values: Sequence[float], variances: Sequence[float], *, matches: int) -> list[float]:
    """The variances that are to be expected when these have met."""
    left = list(variances)
    for pair in itertools.combinations(group, 2):
        told = matches * _information(pair, values)
        total = 1 + told * (left[pair[0]] + left[pair[1]])
        for number in pair:
            left[number] -= told * left[number] ** 2 / total
    return left
