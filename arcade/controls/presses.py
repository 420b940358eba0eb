"""Presses: the controls of a device that count for the next tick."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

from arcade.engine.input.default_bindings import OPPOSITE

REMEMBERED = 10_000  # newest presses with their delays


class Presses:
    """Held controls, taps that no tick has played yet, and sticks.

    A control counts from its press until a tick has played it, even if released before, and while it is held.  A second
    tap in one tick, and a tap of the opposite after a release, wait for the next tick; newer ones replace them.

    Of two opposite directions the one pressed last counts ("newest"), the one pressed first ("first"), or none
    ("neutral").
    """

    def __init__(self) -> None:
        self._pressed_at: dict[str, int] = {}  # control → its press, counted
        self._held: set[str] = set()
        self._unplayed: list[dict[str, float]] = [{}]  # for the next tick and the one after: control → when, seconds
        self._answered: dict[str, float] = {}  # the taps in the newest answer
        self._answered_at = 0.0
        self._presses = 0
        self.delays: deque[float] = deque(maxlen=REMEMBERED)  # seconds from presses to their answers
        self.sticks: Mapping[str, float] = {}  # halves of axes → how far they are pushed, 0 … 1

    def press(self, control: str, now: float = 0.0) -> None:
        """Note that a control went down."""
        self._presses += 1
        self._pressed_at[control] = self._presses
        if not all(self._fits(control, group) for group in self._unplayed):
            self._unplayed[1:] = [{control: now}]
        else:
            self._unplayed[0][control] = now
        self._held.add(control)

    def release(self, control: str) -> None:
        """Note that a control came up."""
        self._held.discard(control)

    def clear(self) -> None:
        """Release everything, drop all taps and centre the sticks."""
        self._held.clear()
        self._unplayed = [{}]
        self._answered.clear()
        self.sticks = {}

    def controls(self, now: float = 0.0, *, opposites: str = "newest") -> Sequence[str]:
        """Return the controls that count at `now`, oldest press first."""
        self._answered, self._answered_at = dict(self._unplayed[0]), now
        waiting = {control for group in self._unplayed[1:] for control in group}
        counting = sorted((self._held - waiting) | self._unplayed[0].keys(), key=self._pressed_at.__getitem__)
        return [control for control in counting if not self._overruled(control, counting, opposites)]

    def turn(self) -> None:
        """Drop the taps of the last answer, which was played."""
        for control, since in self._answered.items():
            if self._unplayed[0].pop(control, None) is not None:
                self.delays.append(self._answered_at - since)
        self._answered.clear()
        if not self._unplayed[0] and len(self._unplayed) > 1:
            del self._unplayed[0]

    def _fits(self, control: str, group: dict[str, float]) -> bool:
        """Return whether one tick can play `control` with the others."""
        other = OPPOSITE.get(control)
        return control not in group and (other not in group or other in self._held)

    def _overruled(self, control: str, counting: Sequence[str], opposites: str) -> bool:
        other = OPPOSITE.get(control)
        if other is None or other not in counting:
            return False
        newer = self._pressed_at[control] > self._pressed_at[other]
        return {"newest": not newer, "first": newer}.get(opposites, True)
