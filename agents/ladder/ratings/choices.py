"""Matches as sequences of choices: each stage chooses the best-placed teams of those still left.

The model is Davidson and Luce's (Firth, Kosmidis and Turner, "Davidson-Luce model for multi-item choice with ties",
arXiv:1909.07123): of the teams left the set T is chosen with a weight of d(|T|) times the geometric mean of the
strengths in T, d(1) = 1.  Between two teams that is Davidson's model of draws (Journal of the American Statistical
Association 65, 1970); without ties it is Bradley and Terry's for two and Plackett and Luce's for more.  A team's log
strength is the sum of its members' (Huang, Lin and Weng, "Ranking Individuals by Group Comparisons", Journal of Machine
Learning Research 9, 2008), as in OpenSkill; the advantage of a larger team appears as a common strength of all.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.ladder.ratings.rows import Rated

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

EXACT_TEAMS = 6
"""The most teams left for which all sets of tied teams are weighed (63 of six).  Among more, each tied team is chosen
out of all that are left: Breslow's method for ties in Cox's partial likelihood ("Covariance Analysis of Censored
Survival Data", Biometrics 30, 1974), which has the form of Plackett and Luce's."""

_ROWS = 1 << 15  # most stages in one piece, to save memory


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of stages that are computed together."""

    sizes: tuple[int, ...]  # members of each team left
    is_first_left: bool  # whether the first team has the first seat
    ties: tuple[int, ...]  # sizes of weighed ties, all >= 2


@dataclass(frozen=True, slots=True)
class Choices:
    """Stages of one shape: alternative a of stage r has the log weight features[a] @ values[params[r]]."""

    features: Floats  # (alternatives, slots)
    params: Ints  # (stages, slots): the parameter in each slot
    chosen: Ints  # (stages,): the alternative that happened
    counts: Floats  # (stages,): how often the stage occurred


@dataclass(frozen=True, slots=True)
class ChoiceLayout:
    """The order of the parameters: players, first seat's advantage, ties."""

    players: Mapping[str, int]  # name to place, 0 to len - 1
    ties: tuple[int, ...]  # sizes of weighed ties that occurred

    @property
    def first(self) -> int:
        return len(self.players)

    @property
    def size(self) -> int:
        return len(self.players) + 1 + len(self.ties)

    def tie(self, size: int) -> int:
        return self.first + 1 + self.ties.index(size)


def layout_of(matches: Sequence[Rated]) -> ChoiceLayout:
    """Return the parameters of these matches."""
    names = sorted({name for match in matches for team in match.teams for name in team})
    ties = {len(best) for match in matches for left, best in _stages(match.ranks) if len(left) <= EXACT_TEAMS}
    return ChoiceLayout({name: place for place, name in enumerate(names)}, tuple(sorted(ties - {1})))


def choices_of(matches: Sequence[Rated], layout: ChoiceLayout, *, first_seat: bool) -> list[Choices]:
    """Return all stages of all matches, equal ones counted together."""
    counted: dict[Shape, Counter[tuple[tuple[int, ...], tuple[int, ...]]]] = {}
    for match in matches:
        teams = [tuple(sorted(layout.players[name] for name in team)) for team in match.teams]
        first = match.first if first_seat else None
        for left, best in _stages(match.ranks):
            shape, members, chosen = _canonical(teams, left, best, first, layout.ties)
            counted.setdefault(shape, Counter())[members, chosen] += 1
    return [piece for shape, stages in counted.items() for piece in _choices(shape, stages, layout)]


def _stages(ranks: Sequence[float]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the teams left and those chosen of them, place by place."""
    left = sorted(range(len(ranks)), key=ranks.__getitem__)
    while len(left) > 1:
        tied = sum(ranks[team] == ranks[left[0]] for team in left)
        best = left[:tied]
        yield from [(left, best)] if len(left) <= EXACT_TEAMS else [(left, [team]) for team in best]
        left = left[tied:]


def _canonical(
    teams: Sequence[tuple[int, ...]], left: list[int], best: list[int], first: int | None, ties: tuple[int, ...]
) -> tuple[Shape, tuple[int, ...], tuple[int, ...]]:
    """Return the stage in a canonical order, the first seat's team in front: shape, members, places chosen."""
    order = sorted(left, key=lambda team: (team != first, len(teams[team]), teams[team], team not in best))
    weighed = tuple(size for size in ties if size <= len(left)) if len(left) <= EXACT_TEAMS else ()
    shape = Shape(tuple(len(teams[team]) for team in order), order[0] == first, weighed)
    members = tuple(member for team in order for member in teams[team])
    return shape, members, tuple(place for place, team in enumerate(order) if team in best)


def _choices(shape: Shape, stages: Mapping[Any, int], layout: ChoiceLayout) -> Iterator[Choices]:
    alternatives = [
        chosen for size in (1, *shape.ties) for chosen in itertools.combinations(range(len(shape.sizes)), size)
    ]
    place = {chosen: number for number, chosen in enumerate(alternatives)}
    features = np.array([_features(shape, chosen) for chosen in alternatives])
    shared = [layout.first] * shape.is_first_left + [layout.tie(size) for size in shape.ties]
    params = np.array([[*members, *shared] for members, _ in stages], dtype=np.int64)
    chosen = np.array([place[best] for _, best in stages], dtype=np.int64)
    counts = np.array(list(stages.values()), dtype=np.float64)
    for start in range(0, len(counts), _ROWS):
        rows = slice(start, start + _ROWS)
        yield Choices(features, params[rows], chosen[rows], counts[rows])


def _features(shape: Shape, chosen: tuple[int, ...]) -> list[float]:
    share = 1 / len(chosen)
    members = [share * (team in chosen) for team, size in enumerate(shape.sizes) for _ in range(size)]
    first = [share * (0 in chosen)] * shape.is_first_left
    return [*members, *first, *(float(len(chosen) == size) for size in shape.ties)]
