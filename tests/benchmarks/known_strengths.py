"""Ladders whose truth is known: simulated players of given strengths, and how well the batch ratings find them again.

Strengths are drawn from a normal distribution.  Every player plays as many matches as every other, against opponents
drawn anew in each round.  The outcomes are drawn here, from the published formulas, and not by the code under test.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from agents.ladder.ratings.batch import BatchFit, fit
from agents.ladder.ratings.margins import with_margins
from agents.ladder.ratings.online import OnlineRatings
from agents.ladder.ratings.rows import Rated

UNIT = 400 / math.log(10)  # points of Elo to one of log strength
DRAW, FIRST = 0.7, 40 / UNIT
"""The weight of a draw between equals (26% of the matches of two) and what the first seat is worth (40 points)."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What sort of match is played."""

    teams: int
    members: int
    ranks: Callable[[Sequence[float], np.random.Generator], list[int]]  # of teams, by their log strengths


@dataclass(frozen=True, slots=True)
class Found:
    """One simulated ladder, rated."""

    fit: BatchFit
    spearman: float  # of the estimates with the truth
    covered: np.ndarray  # bool, (players,): the interval that people read holds the truth, see `are_covered`


def ranks_of(strengths: Sequence[float], rng: np.random.Generator) -> list[int]:
    """By Davidson and Luce, in any company: set after set is chosen out of those left, ties of two at most."""
    ranks, left, place = [0] * len(strengths), list(range(len(strengths))), 1
    while left:
        sets = [s for size in (1, 2) for s in itertools.combinations(left, size)]
        weights = np.array(
            [math.exp(sum(strengths[i] for i in s) / len(s)) * (DRAW if len(s) > 1 else 1) for s in sets]
        )
        best = sets[rng.choice(len(sets), p=weights / weights.sum())]
        for team in best:
            ranks[team] = place
        left, place = [team for team in left if team not in best], place + len(best)
    return ranks


def played_ranks(strengths: Sequence[float], rng: np.random.Generator) -> list[int]:
    """Another world than the ratings' model: each team plays as well as it does that day, a normal deviation from its
    strength as large as the model's, and performances within a margin of the best of a place tie (Thurstone, Glenn and
    David).
    """
    shown = np.array(strengths) + rng.normal(0, 1.7 / math.sqrt(2), len(strengths))
    ranks, place = [0] * len(strengths), 1
    left = list(np.argsort(-shown))
    while left:
        best = [team for team in left if shown[left[0]] - shown[team] < 0.55]
        for team in best:
            ranks[team] = place
        left, place = left[len(best) :], place + len(best)
    return ranks


KINDS = {"duels": Kind(2, 1, ranks_of), "two against two": Kind(2, 2, ranks_of), "four-way": Kind(4, 1, ranks_of)}
OTHER_WORLD = {name: Kind(kind.teams, kind.members, played_ranks) for name, kind in KINDS.items()}


def play(kind: Kind, truth: Sequence[float], matches: int, rng: np.random.Generator) -> list[Rated]:
    """So many matches for each player; `truth` holds log strengths, their number a multiple of a match's players."""
    played = []
    for _ in range(matches):
        drawn = rng.permutation(len(truth)).reshape(-1, kind.teams, kind.members)
        for teams in drawn:
            strengths = [
                sum(truth[player] for player in team) + FIRST * (not place) for place, team in enumerate(teams)
            ]
            played.append(Rated([[name_of(player) for player in team] for team in teams], kind.ranks(strengths, rng)))
    return played


def name_of(player: int) -> str:
    return f"player {player:03d}"


def are_covered(
    matches: Sequence[Rated], fit: BatchFit, truth: np.ndarray, *, is_unit_known: bool = True
) -> np.ndarray:
    """Whether each player's rating with its margin, as tables show it, holds the truth: bool, (players,).

    Both are distances to the mean of all by shares; unless `is_unit_known` the truth, log strengths of players who do
    not learn, is stretched to the ratings first.
    """
    names = [name_of(player) for player in range(len(truth))]
    shares, steady, ratings = np.array([fit.shares[name] for name in names]), frozenset(names), OnlineRatings()
    for match in matches:
        ratings.add(replace(match, steady=steady))
    shown = with_margins([ratings[name] for name in names], fit, steady=steady)
    found, points = np.array([one.points for one in shown]), UNIT * (truth - shares @ truth)
    found -= shares @ found
    if not is_unit_known:
        points *= (found @ points) / (points @ points)
    return np.abs(found - points) <= [one.margin for one in shown]


def simulate(kind: Kind, *, players: int, matches: int, spread: float, seed: int, is_unit_known: bool = True) -> Found:
    """A ladder of so many players with strengths of so many points' standard deviation, rated.

    Unless `is_unit_known` the truth is stretched to the estimates first, as where it is told in another unit.
    """
    rng = np.random.default_rng(seed)
    truth = rng.normal(0, spread / UNIT, players)
    played = play(kind, truth, matches, rng)
    found = fit(played)
    elo = np.array([found.players[name_of(player)].elo for player in range(players)])
    covered = are_covered(played, found, truth, is_unit_known=is_unit_known)
    return Found(found, spearman(elo, truth), covered)


def spearman(one: np.ndarray, two: np.ndarray) -> float:
    """Correlation of the ranks, of values without ties."""
    return float(np.corrcoef(one.argsort().argsort(), two.argsort().argsort())[0, 1])
