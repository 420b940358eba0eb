"""What one player's hands do: which controls count for the next tick."""

from __future__ import annotations

from collections.abc import Sequence

from arcade.engine.bindings import OPPOSITE


class Hands:
    """Held controls, taps that no tick has seen yet, and sticks.

    A control that went down counts until a tick has played it, even when it came up before; after that it counts
    while it is held.  Of two opposite directions the one pressed last counts; when it is let go, the other again.
    """

    def __init__(self) -> None:
        self._pressed_at: dict[str, int] = {}  # control → when it went down, counted in presses
        self._held: set[str] = set()
        self._unplayed: set[str] = set()  # went down and was not yet in an answer that a tick played
        self._answered: set[str] = set()  # those of them that the newest answer held
        self._presses = 0
        self.axes: dict[str, float] = {}

    def press(self, control: str) -> None:
        """It goes down."""
        self._presses += 1
        self._pressed_at[control] = self._presses
        self._held.add(control)
        self._unplayed.add(control)

    def release(self, control: str) -> None:
        """It comes up; no harm when it was not down."""
        self._held.discard(control)

    def clear(self) -> None:
        """Nothing is held, nothing waits, the sticks are in the middle."""
        self._held.clear()
        self._unplayed.clear()
        self._answered.clear()
        self.axes.clear()

    def controls(self) -> Sequence[str]:
        """What counts now, oldest press first."""
        self._answered = set(self._unplayed)
        counting = sorted(self._held | self._unplayed, key=self._pressed_at.__getitem__)
        return [control for control in counting if not self._overruled(control, counting)]

    def turn(self) -> None:
        """The last answer was played: its taps are done with."""
        self._unplayed -= self._answered
        self._answered.clear()

    def _overruled(self, control: str, counting: Sequence[str]) -> bool:
        other = OPPOSITE.get(control)
        return other is not None and other in counting and self._pressed_at[other] > self._pressed_at[control]
