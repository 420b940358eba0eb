"""Sequential: two entrants meet, on both sides of each seed, until a test of their difference is decided."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from agents.ladder.ratings.repeats import Repeats
from agents.ladder.ratings.sequential import MOST_PAIRS, difference
from arcade.tournaments.formats.format import Format, PairingSettings
from arcade.tournaments.pairings import Group, Outcome, TournamentError, seatings


class Sequential(Format):
    """Tests whether the first entrant is `elo1` points stronger than the second, rather than `elo0`.

    It is checked after each round.  A pair with a match that does not count is left out, and a pair that repeats
    another one; players without chance repeat themselves, which ends the test undecided after `MOST_PAIRS` pairs
    without a new one.
    """

    name = "sprt"
    is_listed = False

    def groups(
        self, settings: PairingSettings, played: Sequence[Outcome], *, round: int, sides: int, cooperative: bool
    ) -> list[Group]:
        _check(settings, sides)
        counts = counts_of(played)
        if settings.test.verdict(counts) or _is_stuck(played, sum(counts)):
            return []
        return [(0, 1)]

    def usual_rounds(self, settings: PairingSettings) -> int:
        return max(1, math.ceil(settings.max_games / (2 * settings.games)))

    def most_matches(self, settings: PairingSettings) -> int | None:
        return settings.max_games

    def findings(self, settings: PairingSettings, outcomes: Sequence[Outcome]) -> dict[str, Any]:
        counts, test = counts_of(outcomes), settings.test
        found = difference(counts)
        low, high = test.bounds
        return {"test": {
            **asdict(test), "verdict": test.verdict(counts), "pairs": counts, "games": 2 * sum(counts),
            "llr": float(test.ratios(np.array(counts, np.float64))), "bounds": [low, high],
            "difference": asdict(found) if found else None, "players": [one.label for one in settings.entrants],
        }}  # fmt: skip


def _is_stuck(played: Sequence[Outcome], pairs: int) -> bool:
    """Whether the last `MOST_PAIRS` pairs brought none that counts."""
    before = len(played) - 2 * MOST_PAIRS
    return before >= 0 and pairs == sum(counts_of([one for one in played if one.number < before]))


def counts_of(outcomes: Sequence[Outcome]) -> list[int]:
    """Count the pairs in which the first entrant has 0, 1/2, 1, 3/2 and 2 points."""
    counts, repeats = [0] * 5, Repeats[float]()
    for one, other in _pairs(outcomes):
        if one.ranks and other.ranks:
            digest, points = one.digest and one.digest + other.digest, one.points[0] + other.points[0]
            for new in repeats.add((one.entrants, one.opening), one.seed, digest, points):
                counts[round(2 * new)] += 1
    return counts


def _pairs(outcomes: Sequence[Outcome]) -> Iterator[tuple[Outcome, ...]]:
    """Yield both matches of each seed, which have neighbouring numbers."""
    order = sorted(outcomes, key=lambda one: one.number)
    pairs = (tuple(own) for _, own in itertools.groupby(order, key=lambda one: one.number // 2))
    return (pair for pair in pairs if len(pair) == 2)


def _check(settings: PairingSettings, sides: int) -> None:
    words = ", ".join(one.word for one in settings.entrants)
    if sides != 2:
        raise TournamentError(f"expected a game of two teams for a test, got {settings.game} with {sides}")
    if len(settings.entrants) != 2:
        raise TournamentError(f"expected two players to test, got: {words or 'none'}")
    if len(seatings((0, 1), settings.entrants)) != 2:
        raise TournamentError(f"expected players that can change sides, got: {words}; use arcade ladder run")
