"""TimeControl and SideClocks: the thinking time of each side of a board game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agents.errors import UserError
from agents.seats.controller import TurnClock
from arcade.games.spec import GameSpec


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time of each side for the whole match, and what each of its moves adds.

    >>> TimeControl(3, 2).text
    '3+2'
    """

    minutes: float
    increment: float = 0.0  # seconds

    def __post_init__(self) -> None:
        if not (self.minutes > 0 and self.increment >= 0):
            raise ValueError(f"expected minutes > 0 and an increment >= 0, got: {self.minutes} and {self.increment}")

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Read minutes and seconds, as in ``3+2`` or ``5``; raises UserError."""
        minutes, _, increment = text.partition("+")
        try:
            return cls(float(minutes), float(increment or 0))
        except ValueError as error:
            raise UserError(f"expected a clock of minutes and seconds a move, as in 3+2, got: {text!r}") from error

    @property
    def text(self) -> str:
        """Minutes and seconds as players write them."""
        return f"{self.minutes:g}+{self.increment:g}"


TIME_CONTROLS = (TimeControl(3, 2), TimeControl(5), TimeControl(10, 5))
"""The time controls that players are offered, the shortest first."""


class SideClocks:
    """A clock for each side, of which at most one runs; every call gets the present time in seconds.

    >>> clocks = SideClocks(TimeControl(1, 5), sides=2)
    >>> clocks.begin(0, now=100)
    >>> clocks.count(now=110)
    >>> clocks.moved(now=120)
    >>> clocks.left
    [45.0, 60.0]
    """

    def __init__(self, control: TimeControl, *, sides: int) -> None:
        self.control = control
        self.left = [60.0 * control.minutes] * sides  # seconds of each side
        self.running: int | None = None  # the side whose turn it is
        self._counted_at: float | None = None

    @property
    def out_of_time(self) -> int | None:
        """The side without any time left; None while both have some."""
        return next((side for side, left in enumerate(self.left) if left <= 0), None)

    def begin(self, side: int, now: float) -> None:
        """Run the clock of this side, whose turn it is."""
        self.running, self._counted_at = side, now

    def count(self, now: float) -> None:
        """Take the time since the last call off the clock that runs."""
        if self.running is not None and self._counted_at is not None:
            self.left[self.running] = max(0.0, self.left[self.running] - max(0.0, now - self._counted_at))
        self._counted_at = now

    def of(self, side: int) -> TurnClock:
        """Return the clock as a player of two sides sees it."""
        return TurnClock(self.left[side], self.left[1 - side], self.control.increment)

    def moved(self, now: float) -> None:
        """Stop the clock that runs, and add the increment."""
        self.count(now)
        if self.running is not None:
            self.left[self.running] += self.control.increment
        self.running = None

    def skip(self) -> None:
        """Count no time from the last call to the next one, such as a pause."""
        self._counted_at = None

    def restore(self, left: Sequence[float]) -> None:
        """Go back to an earlier moment, at which no clock runs."""
        self.left, self.running = list(left), None


def make_clocks(spec: GameSpec, control: TimeControl | None) -> SideClocks | None:
    """Make the clocks of a match; None without a time control.  Raises UserError in a game without turns."""
    if control is None:
        return None
    if not spec.is_board_game:
        raise UserError(f"expected no clocks in {spec.id}, which is no board game; leave out the time control")
    return SideClocks(control, sides=len(spec.teams))
