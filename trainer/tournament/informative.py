"""The most informative next matches: those that narrow the widest intervals most, until all are under a bound.

What a match between two players tells of the difference of their log strengths is p (1 - p), Fisher's information of a
Bernoulli variable with the chance p to win.  The covariance of all strengths after one more match follows from that
before it by Sherman and Morrison's formula, and with it how much narrower every interval is to be expected.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from agents.ratings.batch import ELO, PRIOR_ELO, fit
from trainer.tournament.outcomes import Outcome, rated_matches
from trainer.tournament.plan import Plan
from trainer.tournament.seating import Group, seatings

Floats = NDArray[np.float64]


def informative_groups(plan: Plan, played: Sequence[Outcome], sides: int) -> list[Group]:
    """Groups for the next round, as many as could be played side by side, the most telling first.

    [] where every interval of those who can meet is narrow enough.
    """
    if not played:
        return _ring(plan, sides)
    estimates = fit(rated_matches(played, plan.entrants)).players
    known = [estimates.get(entrant.label) for entrant in plan.entrants]
    hopeless = _only_forfeits(played)
    wide = [
        n for n, one in enumerate(known)
        if one is not None and (one.high - one.low) / 2 > plan.bound and n not in hopeless
    ]  # fmt: skip
    told = _told(np.array([0.0 if one is None else one.elo / ELO for one in known]))
    covariance = _covariance(played, told)
    groups: list[Group] = []
    for _ in range(max(1, len(plan.entrants) // sides) if wide else 0):
        group = _best(plan, sides, _gains(covariance, told, wide))
        if group:
            groups.append(group)
            for pair in itertools.combinations(group, 2):
                covariance = _narrowed(covariance, pair, plan.games * len(seatings(group, plan.entrants)) * told[pair])
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


def _told(values: Floats) -> Floats:
    """What a match of each two tells of their difference, (n, n), from their log strengths."""
    chances = 1 / (1 + np.exp(values[:, None] - values[None, :]))
    return np.asarray(chances * (1 - chances), np.float64)


def _covariance(played: Sequence[Outcome], told: Floats) -> Floats:
    """Of all log strengths, (n, n), after these matches."""
    information = np.eye(len(told)) * (ELO / PRIOR_ELO) ** 2
    for one in played:
        for pair in itertools.combinations(one.entrants if one.ranks else (), 2):
            difference = _difference(len(told), pair)
            information += told[pair] * np.outer(difference, difference)
    return np.asarray(np.linalg.inv(information), np.float64)


def _difference(count: int, pair: Group) -> Floats:
    found = np.zeros(count)
    found[pair[0]], found[pair[1]] = 1, -1
    return found


def _narrowed(covariance: Floats, pair: Group, told: float) -> Floats:
    """The covariance after matches of a pair that tell so much together."""
    along = covariance[:, pair[0]] - covariance[:, pair[1]]
    spread = along[pair[0]] - along[pair[1]]
    return np.asarray(covariance - told * np.outer(along, along) / (1 + told * spread), np.float64)


def _gains(covariance: Floats, told: Floats, wide: Sequence[int]) -> Floats:
    """By how much one match of each two narrows the variances of the wide ones about the mean of all, (n, n)."""
    centred = covariance - covariance.mean(axis=0)
    along = centred[wide, :, None] - centred[wide, None, :]
    own = covariance.diagonal()
    spread = own[:, None] + own[None, :] - 2 * covariance
    return np.asarray(told * (along**2).sum(axis=0) / (1 + told * spread), np.float64)


def _best(plan: Plan, sides: int, gains: Floats) -> Group | None:
    """The pair that tells most, and those who tell most of them."""
    numbers = range(len(gains))
    pairs = [p for p in itertools.combinations(numbers, 2) if sides > 2 or seatings(p, plan.entrants)]
    if not pairs:
        return None
    group: Group = max(pairs, key=lambda pair: float(gains[pair]))
    while len(group) < sides:
        others = [n for n in numbers if n not in group]
        group = (*group, max(others, key=lambda n: float(gains[n, list(group)].sum())))
    group = tuple(sorted(group))
    return group if seatings(group, plan.entrants) else None
