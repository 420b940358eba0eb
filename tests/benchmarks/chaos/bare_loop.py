"""A loop that does nothing sixty times a second: what it misses, the machine took, and no program of ours."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

from agents.platform.children import end_with_parent
from tests.benchmarks.chaos.arcade import FRAME

PERIOD = 1 / 60


def main(path: str) -> None:
    """Note the time of each turn, until the process is ended."""
    due = time.monotonic()
    with open(Path(path), "wb") as turns:
        while True:
            due = max(due + PERIOD, time.monotonic())
            time.sleep(max(0.0, due - time.monotonic()))
            turns.write(FRAME.pack(time.monotonic(), True))


if __name__ == "__main__":
    end_with_parent()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # with what it has noted
    main(*sys.argv[1:])
