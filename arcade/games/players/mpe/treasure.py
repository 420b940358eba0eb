"""A player of Collect Treasure: collectors share out the treasures by distance, and depots meet their carriers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.seats.controller import SeatSpec
from arcade.games.players.mpe.motion import FORESIGHT, Body, Vector, best_action, distances, inside, moved
from arcade.games.players.reactions import Reactions

_COLLECTOR, _DEPOT = Body(0.15, 1.0), Body(0.15 / 2.25, 1.0)
_OTHERS, _TREASURES, _TYPES = 7, 6, 2
_CROWD = 0.16  # from another collector, where they nearly touch
_POLITE = ("hard", "expert")  # levels that leave a treasure to a collector that is nearer


@dataclass(frozen=True, slots=True)
class Other:
    """Another particle, seen from the own one."""

    place: Vector
    velocity: Vector
    takes: int  # the treasures that a depot takes; -1 for a collector
    holds: int  # of a collector; -1 for none


class Player:
    """Plays a collector, which sees (86,), or a depot, which sees (84,)."""

    def __init__(self, seat: SeatSpec, rng: np.random.Generator, *, level: str = "expert") -> None:
        name, _, number = str(seat.agent).partition("_")
        self._type = int(number) if name == "deposit" else -1
        self._foresight, self._is_polite = FORESIGHT[level], level in _POLITE
        self._ticks = self._foresight.actions * self._foresight.ticks

        def slip() -> int:
            return int(rng.integers(5))

        self._react = Reactions(seat, rng, level, idle=0, slip=slip)

    def __call__(self, observation: Any, action_mask: Any) -> int:
        seen = np.asarray(observation, float)
        place, velocity, is_depot = seen[:2], seen[2:4], self._type >= 0
        start = 4 if is_depot else 4 + _TYPES
        split = start + _OTHERS * 8
        others = [_other(row, place) for row in seen[start:split].reshape(_OTHERS, 8)]
        if is_depot:
            goal = self._meet(place, others)
        elif (held := _kind(seen[4:start])) >= 0:
            goal = next(other.place for other in others if other.takes == held)
        else:
            goal = self._treasure(place, seen[split:].reshape(_TREASURES, 4), others)
        crowd = [] if is_depot else [other for other in others if other.takes < 0]

        def cost(ways: NDArray[np.float64]) -> NDArray[np.float64]:
            total = distances(ways, goal).sum(axis=1)
            for other in crowd:
                total += 4 * inside(ways, moved(other.place, other.velocity, self._ticks), _CROWD).sum(axis=1)
            return np.asarray(total)

        body = _DEPOT if is_depot else _COLLECTOR
        return self._react(best_action(place, velocity, body, self._foresight, cost))

    def _meet(self, place: Vector, others: Sequence[Other]) -> Vector:
        carriers = [other.place for other in others if other.holds == self._type]
        if carriers:
            return min(carriers, key=lambda one: float(np.linalg.norm(one - place)))
        return np.asarray(np.mean([other.place for other in others if other.takes < 0], axis=0))

    def _treasure(self, place: Vector, rows: NDArray[np.float64], others: Sequence[Other]) -> Vector:
        """The nearest treasure that no free collector is nearer to; the nearest one where there is none."""
        places: list[Vector] = [place + row[:2] for row in rows if row[2:].any()]
        if not places:
            return place
        places.sort(key=lambda one: float(np.linalg.norm(one - place)))
        free = [other.place for other in others if other.takes < 0 and other.holds < 0]
        for one in places if self._is_polite else ():
            if all(np.linalg.norm(one - other) >= np.linalg.norm(one - place) for other in free):
                return one
        return places[0]


def _other(row: NDArray[np.float64], place: Vector) -> Other:
    return Other(place + row[:2], row[2:4], _kind(row[4:6]), _kind(row[6:8]))


def _kind(code: NDArray[np.float64]) -> int:
    """The type of a one-hot code, -1 for zeros."""
    return int(code.argmax()) if code.any() else -1
