"""Who can sit where: each meeting is played once in every seating, so that no side is anyone's for good."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from arcade.tournaments.plan import Entrant, Fixture

Group = tuple[int, ...]
"""Numbers of the entrants that meet, one a side."""


def seatings(group: Group, entrants: Sequence[Entrant]) -> list[Group]:
    """Everybody one side further each time; where not all can sit everywhere, the seatings that can be."""
    turned = list(dict.fromkeys(group[by:] + group[:by] for by in range(len(group))))
    found = [seating for seating in turned if _fits(seating, entrants)]
    if not found:  # as where each entrant knows one role
        found = [seating for seating in itertools.permutations(group) if _fits(seating, entrants)][:1]
    return found


def _fits(seating: Group, entrants: Sequence[Entrant]) -> bool:
    return all(side in entrants[number].sides for side, number in enumerate(seating))


def fixtures_of(
    groups: Sequence[Group], entrants: Sequence[Entrant], *, games: int, seed: int, round: int, first: int
) -> list[Fixture]:
    """The matches of a round, numbered from `first` on: `games` seeds, the same for all groups and seatings."""
    seeds = [int(np.random.SeedSequence((seed, round, game)).generate_state(1)[0]) >> 1 for game in range(games)]
    played = [
        (own, seating) for group in groups for own in seeds for seating in seatings(group, entrants)
    ]  # fmt: skip
    return [
        Fixture(number=first + i, round=round, seed=own, entrants=seating) for i, (own, seating) in enumerate(played)
    ]
