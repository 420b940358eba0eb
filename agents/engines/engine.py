"""Programs that play, chess over UCI and go over GTP, as controllers; each thinks in a process of its own.

A program sees what the seat sees, and does not outlive the seat: it is ended with it, and its input closes however the
arcade ends.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from agents.errors import UserError
from agents.seats.controller import Action, Controller, ControllerError, SeatSpec, Turn

STALL = 25.0
"""Seconds for one answer, the program's start included, after which it is ended; a match waits 30."""

APART: Mapping[str, Any] = (
    {"process_group": 0} if os.name == "posix" else {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}  # type: ignore[attr-defined]
)
"""How a program is started: Ctrl-C reaches the arcade alone, which sees to the end of a match."""


def end_group(program: int) -> None:
    """End a program that was started `APART` and has not been waited for, by its process id, and what it has started
    itself: it may be a script around another one.  One that is gone is no error."""
    with suppress(ProcessLookupError):
        if os.name == "posix":
            os.killpg(program, signal.SIGKILL)
        else:
            os.kill(program, signal.SIGTERM)


class EngineError(UserError):
    """A program that ended, made no sense or played what is not legal."""


class EngineProcess(ABC):
    """A program, made without waiting for it.  All calls come from one thread, `kill` from any."""

    @abstractmethod
    def begin(self, *, seed: int) -> None:
        """A new game; the first one starts it.  Raises EngineError."""

    @abstractmethod
    def choose(self, turn: Turn) -> int:
        """Its action; raises EngineError where it has none, or `kill` ended it."""

    @abstractmethod
    def kill(self) -> None:
        """End the process without waiting: `begin` and `choose` raise then."""

    @abstractmethod
    def close(self) -> None:
        """End the process and wait for its end; twice does no harm."""


@dataclass(frozen=True, slots=True)
class _Begin:
    """An episode begins."""

    seed: int


class EngineController(Controller):
    """A seat whose moves a program chooses, in a thread that starts it, asks it and ends it.

    `make` starts the program; `label` names it.  Where it ends, answers what is not legal or says nothing for `STALL`
    seconds, `act` raises ControllerError; the next episode starts it afresh.
    """

    patience = STALL

    def __init__(
        self, make: Callable[[], EngineProcess], *, label: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.label = label
        self._make, self._clock = make, clock
        self._engine: EngineProcess | None = None
        self._jobs: queue.SimpleQueue[_Begin | Turn | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._turn: Turn | None = None
        self._asked_at = 0.0
        self._answer: tuple[Turn, Action | EngineError] | None = None  # the worker's, to the turn beside it
        self._closed = False

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        """Starts the program where it does not run."""
        self._turn = None
        if self._thread is None or not self._thread.is_alive():
            # A daemon, so that a seat that nobody closes keeps no process alive; the program's input closes with it.
            self._thread = threading.Thread(target=self._work, name=self.label, daemon=True)
            self._thread.start()
        self._jobs.put(_Begin(seed))

    def observe(self, turn: Turn) -> None:
        self._turn, self._asked_at = turn, self._clock()
        self._jobs.put(turn)

    def act(self) -> Action | None:
        if self._turn is None:
            return None
        answer = self._answer
        if answer is None or answer[0] is not self._turn:
            self._watch()
            return None
        if isinstance(answer[1], EngineError):
            raise ControllerError(f"expected a move from {self.label}, got: {answer[1]}")
        return answer[1]

    def _watch(self) -> None:
        """It thinks: not for ever."""
        if self._clock() - self._asked_at > STALL:
            self._kill()
            raise ControllerError(f"expected a move from {self.label} within {STALL:g} s, got nothing")

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._jobs.put(None)
        self._kill()
        if self._thread is not None:
            self._thread.join(STALL)

    def _kill(self) -> None:
        engine = self._engine
        if engine is not None:
            engine.kill()

    # In the thread

    def _work(self) -> None:
        trouble: EngineError | None = None  # of the episode's beginning
        try:
            while (job := self._jobs.get()) is not None and not self._closed:
                if isinstance(job, _Begin):
                    trouble = self._begin(job)
                elif job is self._turn:  # else another one waits already
                    self._answer = job, trouble or self._think(job)
        finally:
            self._end()

    def _begin(self, job: _Begin) -> EngineError | None:
        try:
            if self._engine is None:
                self._engine = self._make()
            if not self._closed:
                self._engine.begin(seed=job.seed)
        except EngineError as error:
            self._end()
            return error
        return None

    def _think(self, turn: Turn) -> Action | EngineError:
        if self._engine is None:
            return EngineError("nothing: it had to be ended")
        try:
            action = self._engine.choose(turn)
        except EngineError as error:
            self._end()
            return error
        return action

    def _end(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()


def expect_legal(action: int, turn: Turn, said: str) -> int:
    """`action`; raises EngineError, quoting what the program `said`, where the turn's mask forbids it."""
    if turn.action_mask is not None and not turn.action_mask[action]:
        raise EngineError(f"{said!r}, which is not legal there")
    return action


def shape_of(seat: SeatSpec) -> tuple[Sequence[int], int]:
    """The shape of the seat's observations and the number of its actions, () and 0 where it has no such thing."""
    return getattr(seat.observation_space, "shape", None) or (), int(getattr(seat.action_space, "n", 0))
