"""Round robin: each pair of entrants meets."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

from arcade.tournaments.formats.format import Format, PairingSettings
from arcade.tournaments.pairings import Entrant, Group, Outcome, TournamentError, seatings


class RoundRobin(Format):
    """One round.  In cooperative games each entrant plays with itself too."""

    name = "round-robin"
    has_rounds = False
    cooperative = True

    def groups(
        self, settings: PairingSettings, played: Sequence[Outcome], *, round: int, sides: int, cooperative: bool
    ) -> list[Group]:
        entrants = settings.entrants
        if cooperative:
            own = itertools.combinations_with_replacement(range(len(entrants)), sides)
            return [group for group in own if seatings(group, entrants)]
        groups = _groups(entrants, sides)
        if not groups:
            raise TournamentError(f"expected entrants of which some can meet in {settings.game}, got none")
        return groups

    def points(self, settings: PairingSettings, outcomes: Sequence[Outcome], *, rounds: int) -> list[float]:
        """One for a win and a half for a draw, where all play the same number of matches."""
        is_even = len({entrant.sides for entrant in settings.entrants}) == 1
        if not is_even or not any(one.ranks for one in outcomes) or any(len(one.entrants) > 2 for one in outcomes):
            return []
        points = [one.points for one in outcomes]
        return [sum(won.get(number, 0.0) for won in points) for number in range(len(settings.entrants))]


def _groups(entrants: Sequence[Entrant], sides: int) -> list[Group]:
    """Groups in which every possible pair meets; with more than two sides, a greedy choice keeps them few."""
    pairs = list(itertools.combinations(range(len(entrants)), 2))
    unmet: set[Group] = set(pairs)
    groups, load = list[Group](), Counter[int]()
    for pair in pairs:
        if pair in unmet:
            group = _fill(pair, entrants, sides, unmet, load)
            unmet -= set(itertools.combinations(group, 2)) | {pair}
            if group:
                groups.append(group)
                load.update(group)
    return groups


def _fill(pair: Group, entrants: Sequence[Entrant], sides: int, unmet: set[Group], load: Counter[int]) -> Group:
    """The pair, and others that it has met least; () for a pair that cannot meet."""
    group = pair
    while len(group) < sides:
        others = [number for number in range(len(entrants)) if number not in group]
        news = {n: sum((min(n, own), max(n, own)) in unmet for own in group) for n in others}
        group = (*group, min(others, key=lambda n: (-news[n], load[n], n)))
    group = tuple(sorted(group))
    return group if seatings(group, entrants) else ()
