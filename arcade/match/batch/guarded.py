"""Matches with time limits per call, which report a player's failure or timeout with its seat."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from agents.errors import UserError
from agents.seats.controller import Action, AgentID, Controller, ControllerError, SeatSpec, Turn
from agents.spaces import conform
from arcade.match.batch.in_process import LocalMatches
from arcade.match.batch.plan import Fixture, MatchPlan, Played
from arcade.match.stage.local import LocalStage

T = TypeVar("T")

NO_SEAT = -1


class Clock:
    """The seat that is being asked and the seconds that each seat has thought, readable from another process.

    `cells` is shared memory of 3 + seats doubles: the seat (or -1), when it was asked and when the match began
    (monotonic seconds), and the seconds of each seat so far.
    """

    def __init__(self, cells: Any) -> None:
        self._cells = cells

    def begin(self, *, after: float = 0.0) -> None:
        """Begin a match now, or `after` so many seconds."""
        now = time.monotonic()
        self._cells[:] = [NO_SEAT, now, now + after, *([0.0] * (len(self._cells) - 3))]

    def timed(self, seat: int, call: Callable[[], T]) -> T:
        """Call something of a seat's controller, and count its seconds."""
        began = time.monotonic()
        self._cells[1] = began
        self._cells[0] = seat
        try:
            return call()
        finally:
            self._cells[0] = NO_SEAT
            self.add(seat, time.monotonic() - began)

    def add(self, seat: int, seconds: float) -> None:
        """Count seconds that a seat has thought."""
        self._cells[3 + seat] += seconds

    @property
    def asked(self) -> tuple[int, float]:
        """The seat that is being asked, or NO_SEAT, and the seconds since."""
        return int(self._cells[0]), time.monotonic() - float(self._cells[1])

    @property
    def elapsed(self) -> float:
        """Seconds since the match began."""
        return time.monotonic() - float(self._cells[2])

    @property
    def slowest(self) -> tuple[int, float]:
        """The seat that has thought longest, and its seconds."""
        thought = list(self._cells[3:])
        return thought.index(max(thought)), max(thought)


class GuardedMatches(LocalMatches):
    """Matches with controllers of their own, each checked at every call; a failure names the seat as the culprit."""

    def __init__(self, plan: MatchPlan, clock: Clock) -> None:
        super().__init__(plan)
        assert plan.limits is not None
        self._clock, self._move_seconds = clock, plan.limits.move_seconds
        self._wrong: list[tuple[AgentID, str]] = []  # in this match, the first one first

    def play(self, fixture: Fixture) -> Played:
        self._wrong.clear()
        self._clock.begin()
        try:
            played = super().play(fixture)
        finally:
            self.free_controllers()
        if not self._wrong:
            return played
        ticks = played.result.ticks if played.result else played.ticks
        agent, error = self._wrong[0]
        return replace(played, result=None, error=error, culprit=agent, ticks=ticks)

    def make(self, player: int, agent: AgentID, stage: LocalStage) -> Controller:
        number = stage.agents.index(agent)
        try:
            inner = self._clock.timed(number, lambda: super(GuardedMatches, self).make(player, agent, stage))
        except Exception as error:  # a player's module may do anything when it is imported
            self._wrong.append((agent, first_line(error, known=(UserError,))))
            raise ControllerError(self._wrong[-1][1]) from error
        return GuardedController(
            inner, number, self._clock, move_seconds=self._move_seconds,
            on_error=lambda error: self._wrong.append((agent, error)),
        )  # fmt: skip


class GuardedController(Controller):
    """Another controller; any error of it, and a late or illegal action, is raised as a ControllerError.

    `on_error` is called with the first one; all later calls raise it again.
    """

    def __init__(
        self, inner: Controller, number: int, clock: Clock, *, move_seconds: float,
        on_error: Callable[[str], None] = lambda error: None,
    ) -> None:  # fmt: skip
        self.inner, self.kind, self.label = inner, inner.kind, inner.label
        self.obs_type, self.other_types = inner.obs_type, inner.other_types
        self._error = ""
        self._number, self._clock, self._move_seconds, self._on_error = number, clock, move_seconds, on_error
        self._turn: Turn | None = None
        self._seat: SeatSpec | None = None
        self._asked_at = 0.0
        self._waited_from = 0.0  # when it last had no action yet, 0 for never: it thinks in a thread or elsewhere

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        self._seat, self._turn, self._error, self._waited_from = seat, None, "", 0.0
        self._guarded(lambda: self.inner.reset(seat, seed=seed))
        self.obs_type, self.other_types = self.inner.obs_type, self.inner.other_types

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
            why = self.inner.report().get("last_error", "nothing")  # why a server gave no answer
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
        if self._error:
            raise ControllerError(self._error)
        try:
            return self._clock.timed(self._number, call)
        except Exception as error:
            raise self._failed(first_line(error, known=(ControllerError, ValueError))) from error

    def _failed(self, why: str) -> ControllerError:
        if not self._error:
            self._error = why
            self._on_error(why)
        return ControllerError(self._error)


def first_line(error: BaseException, *, known: tuple[type[Exception], ...]) -> str:
    """The first line of an error, after its class where that is not `known`; the class alone where it is empty."""
    text = str(error).strip().partition("\n")[0]
    kind = "" if text and isinstance(error, known) else type(error).__name__
    return ": ".join(filter(None, (kind, text)))
