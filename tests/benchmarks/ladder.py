"""What the ladder's ratings are worth: ``python -m tests.benchmarks.ladder``.

``spearman`` (at least 0.95) and ``coverage`` (0.90 to 0.99): how well ratings find the known strengths of simulated
players again, at 30 matches a player: the rank correlation of the batch ratings with the truth, and how often the
rating with its margin, as people read it (``1650 ± 40``), holds it.  Each is the mean of ten ladders of 100 players,
and the worst of three kinds of match is told (duels with draws, two against two, four-way; `spearmans`, `coverages`: of
each; for the coverage the worst is the one farthest from 0.95).  The strengths are normal with a standard deviation of
500 points, as wide as a training run; `closer`: the same with 300 points, where 30 matches tell less.  `other_world`:
with 500 points, and form that varies normally from day to day instead of as the model says; its points are others, so
that the truth is stretched to the ratings first.

``coverage_deterministic`` (0.90 to 0.99): the same in simulated leagues where half of the players repeat
their matches, where pairs have advantages of their own (cycles), or both; the worst is told (`coverages_deterministic`:
of each).

``sprt_error`` (at most 1.2) and ``sprt_games`` (at most 0.6): of 2,000 simulated sequential tests of two players, the
share that wrongly finds the first one stronger, over the nominal 5%; and the median games, where either hypothesis
holds, over those of a test of fixed size with the same error probabilities.  They are checked as ``arcade ladder test``
checks, after each of its rounds.  The worst of four kinds of game is told (`sprt_errors`, `sprt_games_of`: of each).

``speedup`` (at least 8 on two cores): matches a second of a round robin of twelve volley snapshots, over those of a
plain loop that plays them one after another (`matches_per_s`, `plain_per_s`: of both).
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # the matrices are small: threads only wait for each other

import numpy as np

from tests.benchmarks import repeating_leagues, sequential_tests
from tests.benchmarks.known_strengths import KINDS, OTHER_WORLD, Kind, simulate
from tests.benchmarks.tournament import speedup

LADDERS, PLAYERS, MATCHES = 10, 100, 30
SPREAD, CLOSER = 500.0, 300.0


def recovery(kinds: Mapping[str, Kind], *, spread: float, is_unit_known: bool = True) -> dict[str, Any]:
    """Both figures of each kind of match, and the worst."""
    spearmans, coverages = {}, {}
    for name, kind in kinds.items():
        print(f"{name}, spread {spread:g} …", file=sys.stderr)
        ladders = [
            simulate(kind, players=PLAYERS, matches=MATCHES, spread=spread, seed=seed, is_unit_known=is_unit_known)
            for seed in range(LADDERS)
        ]
        assert all(ladder.fit.converged for ladder in ladders)
        spearmans[name] = round(float(np.mean([ladder.spearman for ladder in ladders])), 3)
        coverages[name] = round(float(np.mean([ladder.covered for ladder in ladders])), 3)
    return {
        "spearman": min(spearmans.values()),
        "coverage": max(coverages.values(), key=lambda value: abs(value - 0.95)),
        "spearmans": spearmans,
        "coverages": coverages,
    }


def truth() -> dict[str, Any]:
    """The keys about known strengths."""
    return {
        **recovery(KINDS, spread=SPREAD),
        "closer": recovery(KINDS, spread=CLOSER),
        "other_world": recovery(OTHER_WORLD, spread=SPREAD, is_unit_known=False),
    }


PARTS: tuple[Callable[[], dict[str, Any]], ...] = (truth, repeating_leagues.figures, sequential_tests.figures, speedup)
"""Each gives keys of its own."""


def main() -> None:
    print(json.dumps({key: value for part in PARTS for key, value in part().items()}))


if __name__ == "__main__":
    main()
