"""How many matches place a new snapshot on a ladder that knows twelve others, whose strengths are known here.

``python -m tests.benchmarks.placement`` simulates 400 newcomers and prints {error, sigma, covered, matches}: after so
many matches the root mean squared distance of mu from the truth, the rating's own sigma, and how often the 95%
interval holds the truth; each for the opponents that placement chooses (told) and for the first, the middle and the
last of the pool in turn (spread).  `matches` is after how many the chosen ones do as well as 24 of the spread ones.
"""

from __future__ import annotations

import json
import math
from collections import Counter

import numpy as np

from agents.ladder.ratings.online import SCALE, UNKNOWN, OnlineRatings, Rating
from agents.ladder.ratings.rows import Rated
from arcade.match.batch.placement import ROUND, most_informative

POOL, WIDTH = 12, 40.0  # snapshots that the ladder knows, and how far the last is above the first: 97% to win
MATCHES, MARKS = 32, (4, 8, 12, 16, 20, 24, 28, 32)
SIMULATED = 400


def main() -> None:
    rng = np.random.default_rng(0)
    played = {way: [place(way, rng) for _ in range(SIMULATED)] for way in ("told", "spread")}
    figures = {way: summarise(runs) for way, runs in played.items()}
    aim = figures["spread"]["error"][24]
    enough = next((mark for mark in MARKS if figures["told"]["error"][mark] <= aim), None)
    print(json.dumps({**figures, "matches": enough}))


def place(way: str, rng: np.random.Generator) -> dict[int, tuple[float, Rating]]:
    """One newcomer: its true strength and rating after so many matches."""
    truth = {f"s{i}": 25 + WIDTH * (i / (POOL - 1) - 0.5) for i in range(POOL)}
    names, ratings, met = list(truth), OnlineRatings(), Counter[str]()
    for _ in range(POOL * 12):
        one, other = rng.choice(names, 2, replace=False).tolist()
        play(ratings, truth, one, other, rng)
    truth["new"], after = 25 + 1.2 * WIDTH * (rng.random() - 0.5), {}
    for number in range(MATCHES // ROUND):
        table = {rating.name: rating for rating in ratings.table()}
        if way == "told":
            known = [table[name] for name in names]
            opponent = most_informative(names, known, table.get("new", UNKNOWN), met)
        else:
            opponent = names[(0, POOL // 2, POOL - 1)[number % 3]]
        met[opponent] += 1
        for _ in range(ROUND):
            (new,) = (one for one in play(ratings, truth, "new", opponent, rng) if one.name == "new")
        after[ROUND * (number + 1)] = truth["new"], Rating("new", new.mu, new.sigma)
    return after


def play(
    ratings: OnlineRatings, truth: dict[str, float], one: str, other: str, rng: np.random.Generator
) -> list[Rating]:  # fmt: skip
    wins = rng.random() < 1 / (1 + math.exp((truth[other] - truth[one]) / SCALE))
    return ratings.add(Rated([[one], [other]], [1, 2] if wins else [2, 1]))


def summarise(runs: list[dict[int, tuple[float, Rating]]]) -> dict[str, dict[int, float]]:
    """The three figures by the number of matches."""
    figures: dict[str, dict[int, float]] = {"error": {}, "sigma": {}, "covered": {}}
    for mark in MARKS:
        found = [run[mark] for run in runs]
        figures["error"][mark] = round(math.sqrt(np.mean([(new.mu - true) ** 2 for true, new in found])), 2)
        figures["sigma"][mark] = round(float(np.mean([new.sigma for _, new in found])), 2)
        figures["covered"][mark] = round(float(np.mean([new.low < true < new.high for true, new in found])), 3)
    return figures


if __name__ == "__main__":
    main()
