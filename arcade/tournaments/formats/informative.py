"""Informative: the matches that narrow the widest intervals most, until all are under a bound.

A match between two players has the Fisher information ((w + l) - (w - l)²) / 4 on the difference of their log
strengths, where w and l are the probabilities to win and to lose by Davidson's model of draws; without draws that is
w (1 - w).  The covariance of all strengths after one more match follows from the one
before it by the Sherman-Morrison formula, and from that the expected width of every interval.

For an entrant that always wins or loses no match is informative enough: its interval stays wide.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from agents.ladder.ratings.batch import ELO, PRIOR_ELO, fit
from agents.statistics import Floats
from arcade.tournaments.formats.format import Format, PairingSettings
from arcade.tournaments.pairings import Group, Outcome, rated_matches, seatings, without_repeats

USUAL_ROUNDS = 200

_TRIED = 100
"""Matches before an entrant may be dropped as too one-sided."""

_LEAST = 0.01
"""Least information worth a match: 1/25 of one between equals, as at 99% wins."""


class Informative(Format):
    """Ends once every interval of entrants that can meet is narrow enough, or no match would narrow it."""

    name = "informative"
    has_bound = True

    def usual_rounds(self, settings: PairingSettings) -> int:
        return USUAL_ROUNDS

    def groups(
        self, settings: PairingSettings, played: Sequence[Outcome], *, round: int, sides: int, cooperative: bool
    ) -> list[Group]:
        return _most_informative(settings, played, sides) if played else _ring(settings, sides)


def _most_informative(plan: PairingSettings, played: Sequence[Outcome], sides: int) -> list[Group]:
    """Groups for the next round, as many as can be played at once, the most informative first."""
    fitted = fit(rated_matches(played, plan.entrants))
    known = [fitted.players.get(entrant.label) for entrant in plan.entrants]
    shares = np.array([fitted.shares.get(entrant.label, 0.0) for entrant in plan.entrants])
    first = fitted.first_seat.elo / ELO if fitted.first_seat else 0.0
    info = _information(
        plan, sides, np.array([0.0 if one is None else one.elo / ELO for one in known]), first, fitted.draw
    )
    covariance = _covariance(without_repeats(played), info, shares)
    info = info * ~_repeating(played, len(known))
    hopeless = _only_forfeits(played) | _out_of_reach(played, covariance, info)
    wide = [
        n for n, one in enumerate(known)
        if one is not None and (one.high - one.low) / 2 > plan.bound and n not in hopeless
    ]  # fmt: skip
    groups: list[Group] = []
    for _ in range(max(1, len(plan.entrants) // sides) if wide else 0):
        gains = _gains(covariance, info, wide)
        group = _best(plan, sides, gains) if gains.any() else None
        if group:
            groups.append(group)
            for pair in itertools.combinations(group, 2):
                covariance = _narrowed(covariance, pair, plan.games * len(seatings(group, plan.entrants)) * info[pair])
    return groups


def _only_forfeits(played: Sequence[Outcome]) -> set[int]:
    """Entrants that have never played a match to its end."""
    return {one.forfeit for one in played} - {n for one in played for n in one.entrants if n != one.forfeit}


def _repeating(played: Sequence[Outcome], count: int) -> NDArray[np.bool_]:
    """The pairs, bool (n, n), that repeat their matches on both sides, so that another one would tell nothing."""
    digests: dict[Group, list[str]] = {}
    for one in played:
        digests.setdefault(one.entrants, []).append(one.digest)
    repeats = {group: len(own) > 1 and "" not in own and len(set(own)) == 1 for group, own in digests.items()}
    found = np.zeros((count, count), np.bool_)
    for group in filter(lambda group: len(group) == 2, repeats):
        found[group] = found[group[::-1]] = repeats[group] and repeats.get((group[1], group[0]), True)
    return found


def _out_of_reach(played: Sequence[Outcome], covariance: Floats, info: Floats) -> set[int]:
    """Entrants whose ratings no further match would narrow enough."""
    count = Counter(number for one in played if one.ranks for number in one.entrants)
    most = (info * _along(covariance) ** 2).max(axis=(1, 2)) / covariance.diagonal() ** 2
    return {n for n in count if count[n] >= _TRIED and most[n] < _LEAST}


def _ring(plan: PairingSettings, sides: int) -> list[Group]:
    """For the first round: each entrant meets its neighbours in a random circle, so that all are connected."""
    row = np.random.default_rng(plan.seed).permutation(len(plan.entrants)).tolist()
    starts = range(len(row) if len(row) > sides else 1)
    groups = [tuple(sorted(row[(at + i) % len(row)] for i in range(sides))) for at in starts]
    return [group for group in dict.fromkeys(groups) if seatings(group, plan.entrants)]


def _information(plan: PairingSettings, sides: int, values: Floats, first: float, draw: float = 0.0) -> Floats:
    """The information of a match of each pair on their difference, (n, n), 0 for pairs that cannot meet.

    `values` are log strengths, `first` is the advantage of the first seat, `draw` the draws between equals.
    """
    info = np.zeros((len(values), len(values)))
    for pair in itertools.combinations(range(len(values)), 2):
        seated = seatings(pair, plan.entrants) if sides == 2 else [pair]
        leads = [values[one] - values[other] + first * (sides == 2) for one, other in seated]
        if leads:
            win, lose = (np.exp(sign * np.array(leads) / 2) for sign in (1, -1))
            total = win + lose + 2 * draw / (1 - draw)
            won, lost = win / total, lose / total
            info[pair] = info[pair[::-1]] = float(np.mean(won + lost - (won - lost) ** 2) / 4)
    return info


def _covariance(played: Sequence[Outcome], info: Floats, shares: Floats) -> Floats:
    """The covariance, (n, n), of the distances of all log strengths to their mean, weighted by `shares`."""
    information = np.eye(len(info)) * (ELO / PRIOR_ELO) ** 2
    for one in played:
        for a, b in itertools.combinations([one.entrants[side] for side in one.compared_sides], 2):
            information[[a, b], [a, b]] += info[a, b]
            information[[a, b], [b, a]] -= info[a, b]
    centring = np.eye(len(info)) - shares
    return np.asarray(centring @ np.linalg.inv(information) @ centring.T, np.float64)


def _narrowed(covariance: Floats, pair: Group, info: float) -> Floats:
    """The covariance after matches of a pair with this much information in total."""
    along = covariance[:, pair[0]] - covariance[:, pair[1]]
    spread = along[pair[0]] - along[pair[1]]
    return np.asarray(covariance - info * np.outer(along, along) / (1 + info * spread), np.float64)


def _gains(covariance: Floats, info: Floats, wide: Sequence[int]) -> Floats:
    """How much one match of each pair narrows the variances of the entrants with wide intervals, (n, n)."""
    along, own = _along(covariance)[wide], covariance.diagonal()
    spread = own[:, None] + own[None, :] - 2 * covariance
    return np.asarray(info * (along**2).sum(axis=0) / (1 + info * spread), np.float64)


def _along(covariance: Floats) -> Floats:
    """Covariances of each one's distance to the mean with the difference of each pair, (n, n, n)."""
    return np.asarray(covariance[:, :, None] - covariance[:, None, :], np.float64)


def _best(plan: PairingSettings, sides: int, gains: Floats) -> Group | None:
    """The most informative pair, and the others that add most to it."""
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
