"""Simulated leagues of players whose matches are not independent, and how often the intervals hold the truth.

Deterministic players repeat the same match on the same side for ever, which counts once; cyclic players beat some and
lose to others of equal strength by an advantage that belongs to the pair.  The strengths are known.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from agents.ladder.ratings.batch import fit
from agents.ladder.ratings.repeats import Repeats
from agents.ladder.ratings.rows import Rated
from tests.benchmarks.known_strengths import UNIT, are_covered, name_of

LEAGUES, PLAYERS, MATCHES, SPREAD, CYCLIC = 20, 24, 10, 200.0, 150.0


def league(*, is_deterministic: bool, cyclic: float, rng: np.random.Generator) -> tuple[np.ndarray, list[Rated]]:
    """Log strengths and the matches that count of a round robin, each pair on both sides.

    All matches of a side repeat where both players are deterministic.

    `cyclic`: the standard deviation of a pair's own advantage, in points.
    """
    truth, matches, repeats = rng.normal(0, SPREAD / UNIT, PLAYERS), list[Rated](), Repeats[Rated]()
    for pair in itertools.combinations(range(PLAYERS), 2):
        extra = rng.normal(0, cyclic / UNIT)
        for seating in (pair, pair[::-1]):
            sign = 1 if seating == pair else -1
            chance = 1 / (1 + math.exp(-(truth[seating[0]] - truth[seating[1]] + sign * extra)))
            is_same = is_deterministic and max(pair) < PLAYERS // 2
            won = np.full(MATCHES, rng.random() < chance) if is_same else rng.random(MATCHES) < chance
            names = [[name_of(player)] for player in seating]
            for seed, one in enumerate(won):
                digest = "same" if is_same else f"match {seed}"
                matches += repeats.add(seating, str(seed), digest, Rated(names, (1, 2) if one else (2, 1)))
    return truth, matches


def coverage(*, leagues: int = LEAGUES, is_deterministic: bool, cyclic: float) -> float:
    """The share of all intervals that hold the truth, as tables show them."""
    held = []
    for seed in range(leagues):
        truth, matches = league(is_deterministic=is_deterministic, cyclic=cyclic, rng=np.random.default_rng(seed))
        held.append(float(np.mean(are_covered(matches, fit(matches), truth))))
    return float(np.mean(held))


KINDS = {"deterministic": (True, 0.0), "cyclic": (False, CYCLIC), "both": (True, CYCLIC)}


def figures() -> dict[str, object]:
    """``coverage_deterministic``, of the kind farthest from 0.95, and that of each."""
    found = {
        name: round(coverage(is_deterministic=repeats, cyclic=cyclic), 3)
        for name, (repeats, cyclic) in KINDS.items()
    }  # fmt: skip
    worst = max(found.values(), key=lambda value: abs(value - 0.95))
    return {"coverage_deterministic": worst, "coverages_deterministic": found}
