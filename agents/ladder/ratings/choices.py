"""Matches as choices: at each stage of a match those of the best place are chosen out of the teams still left.

The model is Davidson and Luce's (Firth, Kosmidis and Turner, "Davidson-Luce model for multi-item choice with ties",
arXiv:1909.07123): of the teams left the set T is chosen with a weight of d(|T|) times the geometric mean of the
strengths in T, d(1) = 1.  Between two teams that is Davidson's model of draws (Journal of the American Statistical
Association 65, 1970); without ties it is Bradley and Terry's between two and Plackett and Luce's among more.  A team is
as strong as the product of its members, their log strengths added up (Huang, Lin and Weng, "Ranking Individuals by
Group Comparisons", Journal of Machine Learning Research 9, 2008): the sum, not the mean, as OpenSkill has it too, and
whatever a larger team gains by its size alone comes out as everyone's common strength.
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
"""Up to so many teams left, all sets of tied teams are weighed (63 of six).  Among more, each of the tied is chosen
for itself out of all that are left: Breslow's way with ties ("Covariance Analysis of Censored Survival Data",
Biometrics 30, 1974), for Plackett and Luce's is Cox's partial likelihood."""

_ROWS = 1 << 15  # stages in one piece, so that memory stays small


@dataclass(frozen=True, slots=True)
class Shape:
    """What stages must share to be worked out together."""

    sizes: tuple[int, ...]  # members of each team left
    is_first_left: bool  # then the first seat is the first team's
    ties: tuple[int, ...]  # sizes of the ties that are weighed, all >= 2


@dataclass(frozen=True, slots=True)
class Choices:
    """Stages of one shape: alternative a of stage r has the log weight features[a] @ values[params[r]]."""

    features: Floats  # (alternatives, slots)
    params: Ints  # (stages, slots): which parameter stands in that slot
    chosen: Ints  # (stages,): the alternative that came out
    counts: Floats  # (stages,): how many stages were just so


@dataclass(frozen=True, slots=True)
class ChoiceLayout:
    """Which parameter stands where: the players, then the first seat's advantage, then the ties."""

    players: Mapping[str, int]  # name to place, 0 to len - 1
    ties: tuple[int, ...]  # sizes of tie that have happened where they are weighed

    @property
    def first(self) -> int:
        return len(self.players)

    @property
    def size(self) -> int:
        return len(self.players) + 1 + len(self.ties)

    def tie(self, size: int) -> int:
        return self.first + 1 + self.ties.index(size)


def layout_of(matches: Sequence[Rated]) -> ChoiceLayout:
    """The parameters that these matches speak of."""
    names = sorted({name for match in matches for team in match.teams for name in team})
    ties = {len(best) for match in matches for left, best in _stages(match.ranks) if len(left) <= EXACT_TEAMS}
    return ChoiceLayout({name: place for place, name in enumerate(names)}, tuple(sorted(ties - {1})))


def choices_of(matches: Sequence[Rated], layout: ChoiceLayout, *, first_seat: bool) -> list[Choices]:
    """All stages of all matches, equal ones counted together."""
    counted: dict[Shape, Counter[tuple[tuple[int, ...], tuple[int, ...]]]] = {}
    for match in matches:
        teams = [tuple(sorted(layout.players[name] for name in team)) for team in match.teams]
        first = match.first if first_seat else None
        for left, best in _stages(match.ranks):
            shape, members, chosen = _canonical(teams, left, best, first, layout.ties)
            counted.setdefault(shape, Counter())[members, chosen] += 1
    return [piece for shape, stages in counted.items() for piece in _choices(shape, stages, layout)]


def _stages(ranks: Sequence[float]) -> Iterator[tuple[list[int], list[int]]]:
    """Teams left and those chosen of them, place by place, down to the last but one."""
    left = sorted(range(len(ranks)), key=ranks.__getitem__)
    while len(left) > 1:
        tied = sum(ranks[team] == ranks[left[0]] for team in left)
        best = left[:tied]
        yield from [(left, best)] if len(left) <= EXACT_TEAMS else [(left, [team]) for team in best]
        left = left[tied:]


def _canonical(
    teams: Sequence[tuple[int, ...]], left: list[int], best: list[int], first: int | None, ties: tuple[int, ...]
) -> tuple[Shape, tuple[int, ...], tuple[int, ...]]:
    """The stage with its teams in an order of their own, the first seat's in front: shape, members, places chosen."""
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
