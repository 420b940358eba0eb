"""Matches that are played alone, one at a time, in a process of their own under the eye of this one."""

from __future__ import annotations

import multiprocessing
import signal
import time
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Self

from arcade.tournaments.plan import Fixture
from arcade.tournaments.rows import Row, failed_row, forfeit_row
from arcade.tournaments.table import Table
from trainer.tournament.child import serve
from trainer.tournament.watched import NOBODY, Clock

START_SECONDS = 120.0
"""For the process to be ready; a busy machine takes its time."""

_LOOK_SECONDS = 0.05


class AloneTable:
    """Plays one fixture after another.  Where an entrant takes the process down, or holds it up for longer than the
    plan lets it, it forfeits that match, and a fresh process plays the next one."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._process: BaseProcess | None = None
        context = multiprocessing.get_context("spawn")  # a fork would share locks and sockets with this process
        self._context, self._cells = context, context.RawArray("d", 2 + len(table.spec.agents))
        self._clock = Clock(self._cells)
        self._pipe: Connection

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def play(self, fixture: Fixture) -> Row:
        """Its row, whatever happens."""
        if not self._begin():
            return self._ended(fixture, "expected the game to be made, got an end of its process")
        self._clock.begin()
        try:
            self._pipe.send(fixture)
        except OSError:
            return self._ended(fixture, "")
        began = time.monotonic()
        while not self._pipe.poll(_LOOK_SECONDS):
            row = self._held_up(fixture, time.monotonic() - began)
            if row is not None:
                return row
        try:
            told: Row = self._pipe.recv()
        except (EOFError, OSError):
            return self._ended(fixture, "")
        return told

    def close(self) -> None:
        """End the process; twice does no harm."""
        process, self._process = self._process, None
        if process is not None:
            self._pipe.close()
            process.kill()  # a stalled entrant hears nothing less; its programs' input closes
            process.join()

    def _begin(self) -> bool:
        if self._process is not None and self._process.is_alive():
            return True
        self.close()  # one that came to its end behind its last match
        self._clock.begin()
        self._pipe, theirs = self._context.Pipe()
        self._process = self._context.Process(target=serve, args=(theirs, self._table, self._cells), daemon=True)
        self._process.start()
        theirs.close()  # so that its end is heard here
        try:
            return self._pipe.poll(START_SECONDS) and self._pipe.recv() == "ready"
        except (EOFError, OSError):
            return False

    def _held_up(self, fixture: Fixture, seconds: float) -> Row | None:
        """The row of a forfeit where somebody takes too long."""
        plan, (seat, since) = self._table.plan, self._clock.asked
        if seat != NOBODY and time.monotonic() - since > plan.move_seconds:
            self.close()
            return self._forfeit(fixture, seat, f"expected an answer within {plan.move_seconds:g} s, got nothing")
        if seconds > plan.match_seconds:
            slowest, thought = self._clock.slowest
            self.close()
            why = f"expected the match to end within {plan.match_seconds:g} s, got no end"
            if thought < seconds / (1 + len(self._table.spec.agents)):
                return failed_row(self._table, fixture, f"{why}; the game itself took the time")
            return self._forfeit(fixture, slowest, f"{why}; this one thought for {thought:.3g} s")
        return None

    def _ended(self, fixture: Fixture, why: str) -> Row:
        """The process is gone: by the doing of whoever was asked then, else by the game's."""
        assert self._process is not None
        self._process.join(START_SECONDS)
        code = self._process.exitcode
        how = signal.Signals(-code).name if code is not None and code < 0 else f"exit code {code}"
        seat, _ = self._clock.asked
        self.close()
        if seat == NOBODY:
            return failed_row(self._table, fixture, why or f"the game ended its process: {how}")
        return self._forfeit(fixture, seat, f"expected its process to live on, got its end: {how}")

    def _forfeit(self, fixture: Fixture, seat: int, why: str) -> Row:
        return forfeit_row(self._table, fixture, self._table.spec.agents[seat], why, ticks=0)
