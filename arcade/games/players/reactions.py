"""The pace of a person's hands for scripted players of real-time games, by level.

Decisions are delayed, held for a while and sometimes wrong, by the limits that snapshots have at the same level, those
of `agents.seats.limits`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

import numpy as np

from agents.seats.controller import SeatSpec
from agents.seats.limits import Limits, limits_of

T = TypeVar("T")


class Reactions(Generic[T]):
    """Turns what a player would do at once into what it does; `slip` makes a wrong action.

    `limits` are a game's own in place of those of the level.
    """

    def __init__(
        self, seat: SeatSpec, rng: np.random.Generator, level: str, *, idle: T, slip: Callable[[], T],
        limits: Limits | None = None,
    ) -> None:  # fmt: skip
        limits = limits or limits_of(level, turn_based=False)
        self._rng, self._slip, self._noise = rng, slip, limits.noise
        self._delay = round(limits.reaction_ms * seat.fps / 1000)  # ticks
        self._period = max(1, round(seat.fps / limits.actions_per_second)) if limits.actions_per_second else 1
        self._decided: deque[T] = deque([idle] * self._delay)
        self._held, self._tick = idle, 0

    def __call__(self, decision: T) -> T:
        """The action of this tick."""
        self._decided.append(decision)
        due = self._decided.popleft()
        if self._tick % self._period == 0:
            self._held = self._slip() if self._rng.random() < self._noise else due
        self._tick += 1
        return self._held
