"""Formats: which matches come next, given those that were played.

Each is a generator of rounds, lists of fixtures, and is asked for the next round when all of the last one are in the
outcomes.  It decides by those of earlier rounds alone and rolls only the plan's dice: a tournament that goes on after
a break asks for the very same matches.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from arcade.tournaments.informative import informative_groups
from arcade.tournaments.outcomes import Outcome
from arcade.tournaments.plan import INFORMATIVE, ROUND_ROBIN, Fixture, Plan, TournamentError
from arcade.tournaments.seating import Group, fixtures_of, seatings

Outcomes = Mapping[int, Outcome]
"""By the number of the match; grows while a format is asked."""

INFORMATIVE_ROUNDS = 200
_TRIES = 20_000  # groups looked at before a Swiss round lets some meet again


def rounds_of(plan: Plan, outcomes: Outcomes, *, sides: int, cooperative: bool) -> Iterator[list[Fixture]]:
    """The rounds of a plan; raises TournamentError where its entrants cannot meet."""
    if cooperative and plan.format != ROUND_ROBIN:
        raise TournamentError(f"expected {ROUND_ROBIN} in {plan.game}, where nobody can win, got: {plan.format}")
    if len(plan.entrants) < (1 if cooperative else sides):
        words = ", ".join(entrant.word for entrant in plan.entrants) or "none"
        raise TournamentError(f"expected at least {sides} entrants in {plan.game}, one a team, got: {words}")
    if plan.format == ROUND_ROBIN:
        groups = round_robin(plan, sides, with_itself=cooperative)
        return iter([_fixtures(plan, groups, round=0, first=0)])
    return _later_rounds(plan, outcomes, sides)


def _later_rounds(plan: Plan, outcomes: Outcomes, sides: int) -> Iterator[list[Fixture]]:
    first = 0
    for number in range(plan.rounds or _usual_rounds(plan)):
        played = [outcomes[i] for i in range(first)]
        groups = (
            informative_groups(plan, played, sides)
            if plan.format == INFORMATIVE
            else swiss_groups(plan, played, number, sides)
        )
        if not groups:
            return
        fixtures = _fixtures(plan, groups, round=number, first=first)
        first += len(fixtures)
        yield fixtures


def _usual_rounds(plan: Plan) -> int:
    return INFORMATIVE_ROUNDS if plan.format == INFORMATIVE else max(1, math.ceil(math.log2(len(plan.entrants))))


def _fixtures(plan: Plan, groups: Sequence[Group], *, round: int, first: int) -> list[Fixture]:
    return fixtures_of(groups, plan.entrants, games=plan.games, seed=plan.seed, round=round, first=first)


def round_robin(plan: Plan, sides: int, *, with_itself: bool) -> list[Group]:
    """Groups in which every two meet who can; of more than two sides as few as a greedy choice finds."""
    numbers = range(len(plan.entrants))
    if with_itself:
        return [
            group for group in itertools.combinations_with_replacement(numbers, sides) if seatings(group, plan.entrants)
        ]
    unmet: set[Group] = set(itertools.combinations(numbers, 2))
    groups, load = list[Group](), Counter[int]()
    for pair in itertools.combinations(numbers, 2):
        if pair in unmet:
            group = _fill(pair, plan, sides, unmet, load)
            unmet -= set(itertools.combinations(group, 2)) | {pair}
            if group:
                groups.append(group)
                load.update(group)
    if not groups:
        raise TournamentError(f"expected entrants of which some can meet in {plan.game}, got none who can")
    return groups


def _fill(pair: Group, plan: Plan, sides: int, unmet: set[Group], load: Counter[int]) -> Group:
    """The pair and others with whom most of them have not met; () where these two cannot meet."""
    group = pair
    while len(group) < sides:
        others = [number for number in range(len(plan.entrants)) if number not in group]
        news = {n: sum((min(n, own), max(n, own)) in unmet for own in group) for n in others}
        group = (*group, min(others, key=lambda n: (-news[n], load[n], n)))
    group = tuple(sorted(group))
    return group if seatings(group, plan.entrants) else ()


def swiss_groups(plan: Plan, played: Sequence[Outcome], round: int, sides: int) -> list[Group]:
    """Equals meet, and nobody meets anybody twice while that can be; whoever is left over has the round free."""
    entrants = range(len(plan.entrants))
    dice = np.random.default_rng((plan.seed, round)).permutation(len(plan.entrants)).tolist()
    scores, free = swiss_scores(plan, played, round)
    order = sorted(entrants, key=lambda n: (-scores[n], dice[n]))
    for _ in range(len(order) % sides):  # the lowest of those who had the fewest rounds free
        rests = min(reversed(order), key=lambda n: free[n])
        order.remove(rests)
    met = Counter[Group](pair for one in played for pair in itertools.combinations(sorted(set(one.entrants)), 2))
    budget = itertools.count()
    return _pair(order, sides, plan, met, budget) or _pair(order, sides, plan, Counter(), itertools.count()) or []


def swiss_scores(plan: Plan, played: Sequence[Outcome], rounds: int) -> tuple[list[float], list[int]]:
    """Of each entrant: points, a meeting's as the share of its matches, a free round's one; and how many were free."""
    shares: dict[tuple[int, int], list[float]] = {}
    present = {(one.round, number) for one in played for number in one.entrants}
    for one in played:
        for number, points in one.points.items():
            shares.setdefault((one.round, number), []).append(points)
    entrants = range(len(plan.entrants))
    free = [sum((round, number) not in present for round in range(rounds)) for number in entrants]
    scores = [float(count) for count in free]
    for (_, number), own in shares.items():
        scores[number] += sum(own) / len(own)
    return scores, free


def _pair(
    order: Sequence[int], sides: int, plan: Plan, met: Counter[Group], budget: Iterator[int]
) -> list[Group] | None:
    """The first with those next to it who have not met each other, then the same with the rest; None: it cannot be."""
    if not order:
        return []
    for others in itertools.combinations(order[1:], sides - 1):
        if next(budget) > _TRIES:
            return None
        group = tuple(sorted((order[0], *others)))
        if any(met[pair] for pair in itertools.combinations(group, 2)) or not seatings(group, plan.entrants):
            continue
        rest = _pair([n for n in order if n not in group], sides, plan, met, budget)
        if rest is not None:
            return [group, *rest]
    return None
