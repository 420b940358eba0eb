"""NumberMap: many Discrete actions, stepped through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from agents.seats.controller import Action, ActionMask
from arcade.controls.action_maps.base import ActionMap
from arcade.games.controls import SeatControls
from arcade.games.naming import LEAP, LEAP_BACK, NEXT, PREVIOUS

_STEPS = {NEXT: 1, PREVIOUS: -1, LEAP: 10, LEAP_BACK: -10}


class NumberMap(ActionMap):
    """The action that was reached is sent, again and again; the nearest legal one where it is not legal."""

    def __init__(self, controls: SeatControls, count: int, *, names: Sequence[str] = (), start: int = 0) -> None:
        super().__init__(controls)
        self._count, self._start, self._names = count, start, names
        self.cursor = 0

    @property
    def words(self) -> str:
        if self.cursor < len(self._names):
            return self._names[self.cursor]
        return f"action {self._start + self.cursor}"

    def _step(self, action: str) -> None:
        self.cursor = (self.cursor + _STEPS.get(action, 0)) % self._count

    def action(self, controls: Sequence[str], axes: Mapping[str, float], mask: ActionMask | None) -> Action:
        legal = np.flatnonzero(mask) if mask is not None and np.any(mask) else np.arange(self._count)
        nearest = int(legal[np.argmin(np.abs(legal - self.cursor))])
        return self._start + nearest
