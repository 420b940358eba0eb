"""Seats of a match that is played alone: what an entrant does wrong is noted as its own."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

from agents.seats.controller import Action, Controller, ControllerError, SeatSpec, Turn
from agents.spaces import conform

T = TypeVar("T")

NOBODY = -1


class Clock:
    """Which seat is being asked, and how long each has thought, where another process can read it.

    `cells` is shared memory of 2 + seats doubles: the seat (or -1), when it was asked (monotonic seconds), and the
    seconds that each has taken so far.
    """

    def __init__(self, cells: Any) -> None:
        self._cells = cells

    def begin(self) -> None:
        """A match begins: nobody has thought."""
        self._cells[:] = [NOBODY, time.monotonic(), *([0.0] * (len(self._cells) - 2))]

    def timed(self, seat: int, call: Callable[[], T]) -> T:
        """Do what a seat's controller does."""
        began = time.monotonic()
        self._cells[1] = began
        self._cells[0] = seat
        try:
            return call()
        finally:
            self._cells[0] = NOBODY
            self.add(seat, time.monotonic() - began)

    def add(self, seat: int, seconds: float) -> None:
        """A seat has thought so long."""
        self._cells[2 + seat] += seconds

    @property
    def asked(self) -> tuple[int, float]:
        """The seat that is being asked, NOBODY where none is, and since when."""
        return int(self._cells[0]), float(self._cells[1])

    @property
    def slowest(self) -> tuple[int, float]:
        """The seat that has thought longest, and how long."""
        thought = list(self._cells[2:])
        return thought.index(max(thought)), max(thought)


class WatchedController(Controller):
    """Another controller; whatever it raises, and an answer that is late or not legal, is a ControllerError that
    stands in `wrong` too."""

    def __init__(self, inner: Controller, number: int, clock: Clock, *, move_seconds: float) -> None:
        self.inner, self.kind, self.label = inner, inner.kind, inner.label
        self.wrong = ""  # what it did wrong first, "" for nothing
        self._number, self._clock, self._move_seconds = number, clock, move_seconds
        self._turn: Turn | None = None
        self._seat: SeatSpec | None = None
        self._asked_at = 0.0
        self._waited_from = 0.0  # when it last had no answer, 0 for never: it thinks in a thread, or elsewhere

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        self._seat, self._turn, self.wrong, self._waited_from = seat, None, "", 0.0
        self._guarded(lambda: self.inner.reset(seat, seed=seed))

    def observe(self, turn: Turn) -> None:
        self._turn, self._asked_at = turn, time.monotonic()
        self._guarded(lambda: self.inner.observe(turn))

    def act(self) -> Action | None:
        if self._waited_from:
            self._clock.add(self._number, time.monotonic() - self._waited_from)
            self._waited_from = 0.0
        action = self._guarded(self.inner.act)
        self.label, self.rated = self.inner.label, self.inner.rated
        if action is not None:
            return self._guarded(lambda: self._legal(action))
        if time.monotonic() - self._asked_at > self._move_seconds:
            why = self.inner.report().get("last_error", "nothing")  # a server's word of why there is no answer
            raise self._failed(f"expected an answer within {self._move_seconds:g} s, got {why}")
        self._waited_from = time.monotonic()
        return None

    def finish(self, reward: float, *, terminated: bool) -> None:
        self._guarded(lambda: self.inner.finish(reward, terminated=terminated))

    def report(self) -> dict[str, Any]:
        return self.inner.report()

    def close(self) -> None:
        self.inner.close()

    def _legal(self, action: Action) -> Action:
        assert self._seat is not None
        assert self._turn is not None
        return conform(action, self._seat.action_space, self._turn.action_mask)

    def _guarded(self, call: Callable[[], T]) -> T:
        if self.wrong:
            raise ControllerError(self.wrong)
        try:
            return self._clock.timed(self._number, call)
        except Exception as error:
            raise self._failed(first_line(error, known=(ControllerError, ValueError))) from error

    def _failed(self, why: str) -> ControllerError:
        self.wrong = self.wrong or why
        return ControllerError(self.wrong)


def first_line(error: BaseException, *, known: tuple[type[Exception], ...]) -> str:
    """What an error says, behind its kind where that is not among `known`; the kind alone where it says nothing."""
    text = str(error).strip().partition("\n")[0]
    kind = "" if text and isinstance(error, known) else type(error).__name__
    return ": ".join(filter(None, (kind, text)))
