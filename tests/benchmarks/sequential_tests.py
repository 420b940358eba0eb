"""Simulated sequential tests: how often they are wrong, and how many games they save.

Outcomes of games are drawn by Davidson's model of draws with an advantage of the first side, so that the two games of a
pair differ; strengths and the seed's own luck are known here, and the test sees the pairs alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from agents.ladder.ratings.sequential import SCORES, SequentialTest, expected_score

TESTS = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """A sort of game, and the hypotheses of its tests."""

    draw: float  # Davidson's weight of draws
    side: float  # log strength that the first side is worth
    elo1: float = 20.0


WORLDS = {
    "decisive": World(draw=0.0, side=0.0),
    "first side": World(draw=0.3, side=1.5),
    "drawish": World(draw=6.0, side=0.3),
    "wide": World(draw=0.7, side=0.3, elo1=80.0),
}


def pair_shares(world: World, strength: float) -> np.ndarray:
    """The probabilities, (5,), of the scores of a pair for a player whose log strength is `strength` above."""
    games = []
    for side in (world.side, -world.side):
        weights = np.exp([-(strength + side) / 2, 0.0, (strength + side) / 2]) * [1, world.draw, 1]
        games.append(weights / weights.sum())
    return np.convolve(*games)


def shares_of(world: World, elo: float) -> np.ndarray:
    """The same for a player whose mean score is that of `elo` points, found by bisection."""
    low, high = -20.0, 20.0
    for _ in range(80):
        middle = (low + high) / 2
        is_low = pair_shares(world, middle) @ SCORES < expected_score(elo)
        low, high = (middle, high) if is_low else (low, middle)
    return pair_shares(world, low)


def fixed_pairs(test: SequentialTest, world: World) -> float:
    """The pairs of a test of fixed size with the same error probabilities."""
    deviations = []
    for elo in (test.elo0, test.elo1):
        shares = shares_of(world, elo)
        deviations.append(np.sqrt(shares @ (SCORES - shares @ SCORES) ** 2))
    normal = NormalDist()
    width = normal.inv_cdf(1 - test.alpha) * deviations[0] + normal.inv_cdf(1 - test.beta) * deviations[1]
    return float((width / (expected_score(test.elo1) - expected_score(test.elo0))) ** 2)


def run(test: SequentialTest, shares: np.ndarray, *, tests: int, most: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """So many tests, checked after each round of ``arcade ladder test``: whether each accepts H1, and its pairs."""
    rng, (low, high) = np.random.default_rng(seed), test.bounds
    counts, alive = np.zeros((tests, 5)), np.arange(tests)
    accepts, lengths = np.zeros(tests, bool), np.full(tests, most)
    for pair in range(test.round_pairs, most + 1, test.round_pairs):
        counts[alive] += rng.multinomial(test.round_pairs, shares, size=len(alive))
        ratios = test.ratios(counts[alive])
        ends = (ratios <= low) | (ratios >= high)
        accepts[alive[ends]], lengths[alive[ends]] = ratios[ends] >= high, pair
        alive = alive[~ends]
        if not len(alive):
            break
    return accepts, lengths


def figures(*, tests: int = TESTS) -> dict[str, object]:
    """``sprt_error`` and ``sprt_games``, of the worst world, and both of each."""
    errors, savings = {}, {}
    for number, (name, world) in enumerate(WORLDS.items()):
        test = SequentialTest(elo0=0.0, elo1=world.elo1)
        fixed = fixed_pairs(test, world)
        runs = [
            run(test, shares_of(world, elo), tests=tests, most=int(8 * fixed), seed=2 * number + place)
            for place, elo in enumerate((test.elo0, test.elo1))
        ]
        errors[name] = round(float(runs[0][0].mean()) / test.alpha, 3)
        savings[name] = round(float(np.median(np.concatenate([lengths for _, lengths in runs]))) / fixed, 3)
    return {
        "sprt_error": max(errors.values()), "sprt_games": max(savings.values()),
        "sprt_errors": errors, "sprt_games_of": savings,
    }  # fmt: skip
