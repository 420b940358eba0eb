"""What is remembered of a match keeps to its budget, as the operating system counts it."""

from __future__ import annotations

import subprocess
import sys

BUDGET = 16 << 20

WATCH = """
import resource, sys
import numpy as np
from arcade.match.playback.playback import Moments
from arcade.match.stage.tick import Tick

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

moments, before = Moments(int(sys.argv[1])), peak()
for index in range(2000):
    screen = np.zeros((210, 160, 3), np.uint8)
    screen[index % 200 :][:9] = index % 250
    moments.keep(Tick(index, ("a",), observations={"a": screen, "b": screen.copy()}, frame=screen.copy()))
assert (moments.at(1999).frame == screen).all() and (moments.at(1999).observations["b"] == screen).all()
print(peak() - before)
"""


def test_thousands_of_screens_take_no_more_memory_than_the_budget() -> None:
    grown = subprocess.run([sys.executable, "-c", WATCH, str(BUDGET)], check=True, capture_output=True, text=True)
    assert int(grown.stdout) < BUDGET
