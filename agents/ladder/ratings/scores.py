"""Scores of cooperative games: of each label alone, and together with others.

The score of a match is the mean of its seats' returns.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

import numpy as np

from agents.ladder.ratings.pairs import PairTable
from agents.ladder.ratings.rows import Row, condition, counts, scored_as
from agents.statistics import Mean, mean_of


@dataclass(frozen=True, slots=True)
class Score:
    """The scores of one label in one role under one condition; None for scores that it lacks."""

    label: str
    alone: Mean | None  # in matches with the label in every seat
    mixed: Mean | None  # in matches together with other labels
    role: str = ""  # with the condition, if it is not the game's own


def scores(rows: Iterable[Row], roles: Mapping[str, str] | None = None) -> list[Score]:
    """Return all scores, the best first: by the mean alone, or with others for a label that never played alone.

    Each label has a score for each of its `roles` (as in `GameFacts`) and for each condition (`rows.condition`), since
    longer matches have other scores.  Matches that do not count (`rows.counts`) or have no returns are left out.
    """
    alone: dict[tuple[str, str], list[float]] = {}
    mixed: dict[tuple[str, str], list[float]] = {}
    for row, score in _scored(rows):
        lineup = row["lineup"]
        found = alone if len(set(lineup.values())) == 1 else mixed
        for player in {(label, scored_as(row, (roles or {}).get(agent, ""))) for agent, label in lineup.items()}:
            found.setdefault(player, []).append(score)
    best = sorted({*alone, *mixed}, key=lambda player: (-fmean(alone.get(player) or mixed[player]), player))
    return [Score(one[0], mean_of(alone.get(one, [])), mean_of(mixed.get(one, [])), one[1]) for one in best]


def cross_play(rows: Iterable[Row]) -> PairTable:
    """Compute the cross-play table (Hu, Lerer, Peysakhovich and Foerster, "Other-Play", 2020), which is symmetric.

    A match of more than two labels counts for each pair among them, in any seats.  Leaves out the same matches as
    `scores`, and those under other conditions than most.
    """
    cells: dict[tuple[str, str], list[float]] = {}
    scored = [*_scored(rows)]
    usual = Counter(condition(row) for row, _ in scored).most_common(1)
    for row, score in scored:
        if condition(row) != usual[0][0]:
            continue
        labels = sorted(set(row["lineup"].values()))
        for pair in combinations(labels, 2) if len(labels) > 1 else [(labels[0], labels[0])]:
            cells.setdefault(pair, []).append(score)
    names = sorted({label for pair in cells for label in pair})
    figures = np.full((4, len(names), len(names)), math.nan)  # means, lower ends, upper ends, counts
    figures[3] = 0
    for pair, found in cells.items():
        own, its = (names.index(name) for name in pair)
        mean = mean_of(found)
        assert mean is not None
        figures[:, own, its] = figures[:, its, own] = mean.mean, mean.low, mean.high, mean.count
    values, low, high, games = figures
    return PairTable(tuple(names), values, low, high, games.astype(np.int64))


def _scored(rows: Iterable[Row]) -> Iterable[tuple[Row, float]]:
    """Yield the matches with a score."""
    for row in rows:
        if counts(row) and row["returns"]:
            values = row["returns"].values()
            yield row, math.fsum(values) / len(values)
