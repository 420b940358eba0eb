"""Process start to the first drawn title frame, beside a bare script that opens a window and flips it once.

Prints ``ratio`` (at most 2.0), medians of alternating runs, both on the same display, the arcade started as a user
starts it: ``arcade play``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from statistics import median

from tests.benchmarks.screens import display

RUNS = 11

BARE = """
import time, pygame
pygame.display.init()
pygame.display.set_mode((1280, 720))
pygame.display.flip()
print(time.monotonic(), flush=True)
"""

ARCADE = """
import os, sys, time
from arcade.engine.window.video import Display
present = Display.present
def first(self):
    present(self)
    print(time.monotonic(), flush=True)
    os._exit(0)
Display.present = first
from pettingzoo_arcade import main
sys.argv = ["arcade", "play"]
main()
"""


def seconds_to_first_frame(program: str, environment: dict[str, str]) -> float:
    """Wall clock from just before the process starts to its first flip."""
    began = time.monotonic()
    run = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=120, check=True
    )
    return float(run.stdout.split()[-1]) - began


def measure() -> dict[str, float]:
    """Alternate both, one unmeasured round first."""
    times: dict[str, list[float]] = {BARE: [], ARCADE: []}
    with display() as screen, tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, **screen, "ARCADE_HOME": home, "PYTHONPATH": os.getcwd()}
        # A user's second start finds bytecode, wherever the benchmark itself is told to write none.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for _ in range(RUNS + 1):
            for program, taken in times.items():
                taken.append(seconds_to_first_frame(program, environment))
    bare, arcade = (median(taken[1:]) for taken in times.values())
    return {"ratio": arcade / bare, "arcade_s": arcade, "bare_s": bare}


if __name__ == "__main__":
    print(json.dumps({name: round(value, 3) for name, value in measure().items()}))
