"""The most informative next matches: those that narrow the widest intervals most, until all are under a bound.

What a match between two players tells of the difference of their log strengths is p (1 - p), Fisher's information of a
Bernoulli variable with the chance p to win.  The covariance of all strengths after one more match follows from that
before it by Sherman and Morrison's formula, and with it how much narrower every interval is to be expected.

Of somebody who always wins or loses no match tells enough: its interval stays wide, and others are played.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from agents.ladder.ratings.batch import ELO, PRIOR_ELO, fit
from arcade.tournaments.outcomes import Outcome, rated_matches
from arcade.tournaments.plan import Plan
from arcade.tournaments.seating import Group, seatings

Floats = NDArray[np.float64]

_TRIED = 100
"""Matches of an entrant, after which it is given up where even the best match tells less than `_LEAST` of it: as
between two of whom one wins 99 of 100, a twenty-fifth of what a match between equals tells."""

_LEAST = 0.01


def informative_groups(plan: Plan, played: Sequence[Outcome], sides: int) -> list[Group]:
    """Groups for the next round, as many as could be played side by side, the most telling first.

    [] where every interval of those who can meet is narrow enough, or no match makes it so.
    """
    if not played:
        return _ring(plan, sides)
    fitted = fit(rated_matches(played, plan.entrants))
    known = [fitted.players.get(entrant.label) for entrant in plan.entrants]
    shares = np.array([fitted.shares.get(entrant.label, 0.0) for entrant in plan.entrants])
    first = fitted.first_seat.elo / ELO if fitted.first_seat else 0.0
    told = _told(plan, sides, np.array([0.0 if one is None else one.elo / ELO for one in known]), first)
    covariance = _covariance(played, told)
    hopeless = _only_forfeits(played) | _out_of_reach(played, covariance, told, shares)
    wide = [
        n for n, one in enumerate(known)
        if one is not None and (one.high - one.low) / 2 > plan.bound and n not in hopeless
    ]  # fmt: skip
    groups: list[Group] = []
    for _ in range(max(1, len(plan.entrants) // sides) if wide else 0):
        group = _best(plan, sides, _gains(covariance, told, shares, wide))
        if group:
            groups.append(group)
            for pair in itertools.combinations(group, 2):
                covariance = _narrowed(covariance, pair, plan.games * len(seatings(group, plan.entrants)) * told[pair])
    return groups


def _only_forfeits(played: Sequence[Outcome]) -> set[int]:
    """Entrants that have never played a match to its end: more matches tell nothing more of them."""
    return {one.forfeit for one in played} - {n for one in played for n in one.entrants if n != one.forfeit}


def _out_of_reach(played: Sequence[Outcome], covariance: Floats, told: Floats, shares: Floats) -> set[int]:
    """Entrants that have played enough to know that no match says anything more of their distance to the mean."""
    count = Counter(number for one in played if one.ranks for number in one.entrants)
    along, variances = _along(covariance, shares), _about_mean(covariance, shares)
    most = (told * along**2).max(axis=(1, 2)) / variances**2
    return {n for n in count if count[n] >= _TRIED and most[n] < _LEAST}


def _ring(plan: Plan, sides: int) -> list[Group]:
    """To begin with, everybody meets the next ones of a row that is drawn: chains join all."""
    row = np.random.default_rng(plan.seed).permutation(len(plan.entrants)).tolist()
    starts = range(len(row) if len(row) > sides else 1)
    groups = [tuple(sorted(row[(at + i) % len(row)] for i in range(sides))) for at in starts]
    return [group for group in dict.fromkeys(groups) if seatings(group, plan.entrants)]


def _told(plan: Plan, sides: int, values: Floats, first: float) -> Floats:
    """What a match of each two tells of their difference, (n, n), 0 for those who cannot meet; from their log strengths
    and what the first seat adds."""
    told = np.zeros((len(values), len(values)))
    for pair in itertools.combinations(range(len(values)), 2):
        seated = seatings(pair, plan.entrants) if sides == 2 else [pair]
        leads = [values[one] - values[other] + first * (sides == 2) for one, other in seated]
        if leads:
            chances = 1 / (1 + np.exp(-np.array(leads)))
            told[pair] = told[pair[::-1]] = float(np.mean(chances * (1 - chances)))
    return told


def _covariance(played: Sequence[Outcome], told: Floats) -> Floats:
    """Of all log strengths, (n, n), after these matches."""
    information = np.eye(len(told)) * (ELO / PRIOR_ELO) ** 2
    for one in played:
        for pair in itertools.combinations([one.entrants[side] for side in one.told_apart], 2):
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


def _gains(covariance: Floats, told: Floats, shares: Floats, wide: Sequence[int]) -> Floats:
    """By how much one match of each two narrows the variances of the wide ones about the mean of all, (n, n)."""
    along, own = _along(covariance, shares)[wide], covariance.diagonal()
    spread = own[:, None] + own[None, :] - 2 * covariance
    return np.asarray(told * (along**2).sum(axis=0) / (1 + told * spread), np.float64)


def _along(covariance: Floats, shares: Floats) -> Floats:
    """Covariances of each one's distance to the mean with the difference of each two, (n, n, n)."""
    centred = covariance - shares @ covariance
    return np.asarray(centred[:, :, None] - centred[:, None, :], np.float64)


def _about_mean(covariance: Floats, shares: Floats) -> Floats:
    """Variances of the distances to the mean, (n,)."""
    return np.asarray(covariance.diagonal() - 2 * covariance @ shares + shares @ covariance @ shares, np.float64)


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
