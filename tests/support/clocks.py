"""A clock for whole matches."""

from __future__ import annotations

import time

from tests.support.open_arcade import DEADLINE


class FairClock:
    """Moves on as the loop sleeps, but stands while a tick or an answer is on its way, on however slow a machine."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.match = None
        self._naps = 0

    def read(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        time.sleep(0.001)
        if self.match is not None and self.match.stepping:
            self._naps += 1
            assert self._naps < 20_000, "expected the tick to be taken between two frames"
            return
        self._naps = 0
        if self.match is not None:
            self._wait_for_answers()
        self.now += seconds

    def _wait_for_answers(self) -> None:
        deadline = time.monotonic() + DEADLINE
        for controller in self.match.mapping.values():
            while controller.act() is None:
                assert time.monotonic() < deadline, "expected an answer to the newest turn before the next frame"
                time.sleep(0.001)
