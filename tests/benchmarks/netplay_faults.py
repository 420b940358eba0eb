"""How long a match takes to get over a loss: `netplay --faults`, between real processes.

``rejoin_s`` is from the start of the process that comes back until it has played all up to then; ``rejoin_play_s`` is
that without the start of Python, game and players; ``new_host_s`` from the kill of a host until its match continues,
``desync_named_s`` from the tick that differs until the difference is named; ``desync_healed``: both machines have equal
recordings then.
"""

from __future__ import annotations

import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from arcade.match.playback.reader import read_replay
from arcade.match.playback.replay import ReplayError
from tests.support.online import Arcade, check_alike

ODD_TICK = 60
RATE = 60


class Arcades:
    """Starts arcades with homes of their own, which end with the stack."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))

    def start(self, home: str, *words: object, program: str = "arcade") -> Arcade:
        (self._folder / home).mkdir(exist_ok=True)
        return self._stack.enter_context(Arcade(self._folder / home, *words, program=program))

    def host(self, *words: object) -> Arcade:
        return self.start("host", "host", "volley", "--address", "127.0.0.1", "--seed", 7, *words)


def measure_faults(seconds: float) -> dict[str, Any]:
    """All of them; `seconds` of a match before somebody is killed."""
    found: dict[str, Any] = {}
    for measure in (_rejoin, _new_host, _desync):
        with ExitStack() as stack:
            found |= measure(Arcades(stack), seconds)
    return found


def _rejoin(arcades: Arcades, seconds: float) -> dict[str, Any]:
    one = arcades.host("--seat", "left_0=scripted", "--max-ticks", int((seconds + 60) * RATE))
    words = ("join", one.code, "--seat", "right_0=scripted", "--no-rollback")
    two = arcades.start("guest", *words)
    two.wait_for("begins")
    time.sleep(seconds)
    two.kill()
    one.wait_for("absent")
    began = time.monotonic()
    again = arcades.start("guest", *words)
    again.wait_for("begins")
    joined = time.monotonic()
    one.wait_for("is back")
    before = _ticks(one)
    while _ticks(again) <= before:
        time.sleep(0.05)
    now = time.monotonic()
    return {"rejoin_s": round(now - began, 2), "rejoin_play_s": round(now - joined, 2), "rejoin_after_s": seconds}


def _ticks(arcade: Arcade) -> int:
    """The length of its newest recording so far, which is written each half second."""
    try:
        newest = max(arcade.recordings, key=lambda path: path.stat().st_mtime)
        return len(read_replay(newest).actions)
    except (ReplayError, ValueError):
        return 0


def _new_host(arcades: Arcades, seconds: float) -> dict[str, Any]:
    one = arcades.host("--max-ticks", int((seconds + 60) * RATE))
    two = arcades.start("guest", "join", one.code, "--seat", "left_0=scripted", "--name", "Ada")
    one.wait_for("Ada")
    three = arcades.start("other", "join", one.code, "--seat", "right_0=scripted", "--no-rollback")
    for each in (two, three):
        each.wait_for("begins")
    one.kill()
    began = time.monotonic()
    two.wait_for("the match continues")
    return {"new_host_s": round(time.monotonic() - began, 2)}


def _desync(arcades: Arcades, seconds: float) -> dict[str, Any]:
    one = arcades.host("--seat", "left_0=scripted", "--max-ticks", 600)
    odd = (ODD_TICK, "join", one.code, "--seat", "right_0=scripted", "--no-rollback")
    two = arcades.start("guest", *odd, program="tests.support.odd_arcade")
    two.wait_for("begins")
    began = time.monotonic()
    line = two.wait_for("differs from the host's")
    named = time.monotonic() - began - (ODD_TICK + 1) / RATE
    outcomes = [one.end(), two.end()]
    check_alike(one, two)
    healed = all(each["agreed"] for each in outcomes)
    return {"desync_named_s": round(named, 2), "desync_named": line, "desync_healed": healed}
