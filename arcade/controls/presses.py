"""Presses: which controls of a device count for the next tick."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from arcade.engine.input.default_bindings import OPPOSITE

REMEMBERED = 10_000  # presses whose delay is remembered; the newest


class Presses:
    """Held controls, taps that no tick has played yet, and sticks.

    A control that went down counts until a tick has played it, even when it came up before; after that it counts
    while it is held.  What cannot count at once, a second tap of one control or a tap of its opposite after it came
    up, waits for the tick after; no longer, a newer one takes its place.

    Of two opposite directions held at once the one pressed last counts ("newest"), the one pressed first ("first"),
    or none ("neutral"); when one is let go, the other counts again.
    """

    def __init__(self) -> None:
        self._pressed_at: dict[str, int] = {}  # control → when it went down, counted in presses
        self._held: set[str] = set()
        self._unplayed: list[dict[str, float]] = [{}]  # for the next tick and the one after: control → when, seconds
        self._answered: dict[str, float] = {}  # of the next tick's: those that the newest answer held
        self._answered_at = 0.0
        self._presses = 0
        self.delays: deque[float] = deque(maxlen=REMEMBERED)  # seconds from presses to the answers that tell of them
        self.axes: dict[str, float] = {}

    def press(self, control: str, now: float = 0.0) -> None:
        """A control goes down."""
        self._presses += 1
        self._pressed_at[control] = self._presses
        if not all(self._fits(control, group) for group in self._unplayed):
            self._unplayed[1:] = [{control: now}]
        else:
            self._unplayed[0][control] = now
        self._held.add(control)

    def release(self, control: str) -> None:
        """A control comes up; ignored when it was not down."""
        self._held.discard(control)

    def clear(self) -> None:
        """Nothing is held, nothing waits, the sticks are in the middle."""
        self._held.clear()
        self._unplayed = [{}]
        self._answered.clear()
        self.axes.clear()

    def controls(self, now: float = 0.0, *, opposites: str = "newest") -> Sequence[str]:
        """The controls that count at `now`, oldest press first."""
        self._answered, self._answered_at = dict(self._unplayed[0]), now
        waiting = {control for group in self._unplayed[1:] for control in group}
        counting = sorted((self._held - waiting) | self._unplayed[0].keys(), key=self._pressed_at.__getitem__)
        return [control for control in counting if not self._overruled(control, counting, opposites)]

    def turn(self) -> None:
        """The last answer was played: its taps are done with."""
        for control, since in self._answered.items():
            if self._unplayed[0].pop(control, None) is not None:
                self.delays.append(self._answered_at - since)
        self._answered.clear()
        if not self._unplayed[0] and len(self._unplayed) > 1:
            del self._unplayed[0]

    def _fits(self, control: str, group: dict[str, float]) -> bool:
        """Whether one tick can play `control` with the others."""
        other = OPPOSITE.get(control)
        return control not in group and (other not in group or other in self._held)

    def _overruled(self, control: str, counting: Sequence[str], opposites: str) -> bool:
        other = OPPOSITE.get(control)
        if other is None or other not in counting:
            return False
        newer = self._pressed_at[control] > self._pressed_at[other]
        return {"newest": not newer, "first": newer}.get(opposites, True)
