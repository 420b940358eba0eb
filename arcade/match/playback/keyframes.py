"""Keyframes: saved states of a stage along a recorded match, so that any tick is reached from one close before it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from contextlib import suppress

from arcade.match.stage.stage import Stage
from arcade.match.stage.state import StageState
from arcade.match.states.errors import StateError

BUDGET = 96 << 20
"""Bytes of all keyframes, in the process of the stage."""


class Keyframes:
    """None at all for a game whose states are not known to be exact."""

    def __init__(self, stage: Stage, budget: int = BUDGET) -> None:
        self._stage, self._budget = stage, budget
        self._indices: list[int] = []
        self._states: dict[int, StageState] = {}
        self._least = 1  # ticks from one to the next, as the budget allows

    def pass_by(self, index: int, apart: int) -> None:
        """The stage is at that tick: save it, where the one before is at least `apart` ticks before."""
        at = bisect_right(self._indices, index)
        if not self._stage.saves or (at and index - self._indices[at - 1] < max(apart, self._least)):
            return
        with suppress(StateError):
            self._states[index] = self._stage.save(whole=index == 0)  # the others are followed by moves
            self._indices.insert(at, index)
        if self._stage.states_size > self._budget:
            self._thin()

    def before(self, index: int) -> StageState | None:
        """The last one before that tick, and for the reset its own; None where there is none."""
        if not self._stage.saves:
            return None
        at = bisect_left(self._indices, index)
        return self._states[self._indices[at - 1]] if at else self._states.get(index)

    def clear(self) -> None:
        """The episode of the stage, and with it every state, is over."""
        self._indices.clear()
        self._states.clear()

    def _thin(self) -> None:
        """Forget every second one."""
        self._least = max(2 * self._least, 2 * self._indices[-1] // len(self._indices))
        for index in self._indices[1::2]:
            del self._states[index]
        del self._indices[1::2]
