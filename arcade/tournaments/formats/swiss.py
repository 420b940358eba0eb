"""Swiss: entrants of equal scores meet, without repeated pairs where possible."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from arcade.tournaments.formats.format import Format, PairingSettings
from arcade.tournaments.pairings import Group, Outcome, seatings

_TRIES = 20_000  # groups looked at before a round lets some meet again


class Swiss(Format):
    """An entrant without opponents has a bye, which counts as a win."""

    name = "swiss"

    def usual_rounds(self, settings: PairingSettings) -> int:
        return max(1, math.ceil(math.log2(len(settings.entrants))))

    def groups(
        self, settings: PairingSettings, played: Sequence[Outcome], *, round: int, sides: int, cooperative: bool
    ) -> list[Group]:
        count = len(settings.entrants)
        lots = np.random.default_rng((settings.seed, round)).permutation(count).tolist()
        scores, byes = _scores(settings, played, round)
        order = sorted(range(count), key=lambda n: (-scores[n], lots[n]))
        for _ in range(count % sides):  # the lowest of the entrants with the fewest byes
            order.remove(min(reversed(order), key=lambda n: byes[n]))
        met = Counter[Group](pair for one in played for pair in itertools.combinations(sorted(set(one.entrants)), 2))
        found = _pair(order, sides, settings, met, itertools.count())
        return found or _pair(order, sides, settings, Counter(), itertools.count()) or []

    def points(self, settings: PairingSettings, outcomes: Sequence[Outcome], *, rounds: int) -> list[float]:
        return _scores(settings, outcomes, rounds)[0]


def _scores(settings: PairingSettings, played: Sequence[Outcome], rounds: int) -> tuple[list[float], list[int]]:
    """The points and the number of byes of each entrant.

    A meeting is worth the share of its matches that was won, a bye one point.
    """
    shares: dict[tuple[int, int], list[float]] = {}
    present = {(one.round, number) for one in played for number in one.entrants}
    for one in played:
        for number, points in one.points.items():
            shares.setdefault((one.round, number), []).append(points)
    entrants = range(len(settings.entrants))
    byes = [sum((round, number) not in present for round in range(rounds)) for number in entrants]
    scores = [float(count) for count in byes]
    for (_, number), own in shares.items():
        scores[number] += sum(own) / len(own)
    return scores, byes


def _pair(
    order: Sequence[int], sides: int, settings: PairingSettings, met: Counter[Group], budget: Iterator[int]
) -> list[Group] | None:
    """Pair the first with the next ones that it has not met, then the rest likewise; None where that is impossible."""
    if not order:
        return []
    for others in itertools.combinations(order[1:], sides - 1):
        if next(budget) > _TRIES:
            return None
        group = tuple(sorted((order[0], *others)))
        if any(met[pair] for pair in itertools.combinations(group, 2)) or not seatings(group, settings.entrants):
            continue
        rest = _pair([n for n in order if n not in group], sides, settings, met, budget)
        if rest is not None:
            return [group, *rest]
    return None
