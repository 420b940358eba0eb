"""Chaos: starts the actors, strikes for a while, ends all, and reads the books."""

from __future__ import annotations

import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Self

from tests.benchmarks.chaos.actors import MARK, Actor, Arcade, BareLoop, Recording, Server, Tournament, Training
from tests.benchmarks.chaos.books import ladder_figures, recording_figures
from tests.benchmarks.chaos.disks import Disk
from tests.benchmarks.chaos.process_table import command, with_environment
from tests.benchmarks.chaos.strikes import Scene, Strike, choose
from tests.benchmarks.chaos.watching import Orphans, Struck, frame_figures, growth_figures

WINDOW = 1.0
"""Seconds of frames that count for a strike."""

PAUSE = (0.05, 0.35)
"""Seconds between the end of that and the next strike."""

QUIET_EVERY, QUIET_SECONDS = 12, 4.0
"""After so many strikes nothing happens for so long."""

START_SECONDS = 240.0
TURN = 0.02


class Chaos:
    """One benchmark, as a context manager that ends whatever it started."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.disk = Disk()
        self._notes = tempfile.TemporaryDirectory(prefix="arcade-chaos-notes-")
        notes = Path(self._notes.name)
        log = notes / "log.txt"
        self.server = Server(self.disk, log)
        self.arcade = Arcade(self.disk, log, self.server)
        self.recorder, self.tournament = Recording(self.disk, log), Tournament(self.disk, log)
        self.bare_loop = BareLoop(self.disk, log)
        training = Training(self.disk, log)
        actors = (self.server, self.arcade, self.recorder, training, self.tournament, self.bare_loop)
        self.actors: dict[str, Actor] = {actor.name: actor for actor in actors}
        self.scene, self.orphans = Scene(self.disk, self.actors), Orphans()
        self.struck: list[Struck] = []
        self.counts = Counter[str]()
        self.log = log
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, minutes: float) -> dict[str, object]:
        """Strike for so long; returns all figures."""
        self._until(lambda: self.arcade.is_warm and self.recorder.is_warm, START_SECONDS)
        end = time.monotonic() + 60 * minutes
        while time.monotonic() < end:
            self._strike(choose(self.scene, self.chance))
            is_quiet = len(self.struck) % QUIET_EVERY == 0
            self._turn(QUIET_SECONDS if is_quiet else self.chance.uniform(*PAUSE))
        self._end_all()
        return self._figures()

    def close(self) -> None:
        """End all processes, and remove all files; can be called twice."""
        if not self._closed:
            self._closed = True
            self._end_all()
            self.disk.close()
            self._notes.cleanup()

    def _strike(self, strike: Strike) -> None:
        began = time.monotonic()
        strike.begin(began)
        try:
            self._turn(self.chance.uniform(*strike.seconds))
        finally:
            strike.end()
        ended = time.monotonic()
        self._turn(max(0.0, began + WINDOW - ended))
        self.counts[strike.counted] += 1
        self.struck.append(Struck(strike.name, began, ended))

    def _turn(self, seconds: float) -> None:
        """Pass time; start again what has ended."""
        end = time.monotonic() + seconds
        while True:
            now = time.monotonic()
            for actor in self.actors.values():
                actor.update()
            self.orphans.check(self.scene, now)
            if now >= end:
                return
            time.sleep(min(TURN, end - now))

    def _until(self, is_so: Callable[[], bool], seconds: float) -> None:
        end = time.monotonic() + seconds
        while not is_so():
            self._turn(0.5)
            if time.monotonic() > end:
                raise TimeoutError(
                    f"expected all programs to run within {seconds:g} s; their log:\n{self.last_lines()}"
                )

    def last_lines(self) -> str:
        """The end of what the programs printed."""
        with suppress(OSError):
            return self.log.read_text(errors="replace")[-4000:]
        return ""

    def _end_all(self) -> None:
        """End the programs, then what is left of them, each by its process id."""
        for actor in self.actors.values():
            actor.ask_to_end()
        self.stuck = [actor.name for actor in self.actors.values() if not actor.end()]
        end = time.monotonic() + 30
        while (left := with_environment(MARK, str(os.getpid()))) and time.monotonic() < end:
            time.sleep(0.2)
        for pid in left:
            self.orphans.found.append(command(pid))
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def _figures(self) -> dict[str, object]:
        counted = {name: self.counts[name] for name in ("kills", "stops", "full_disks", "slow_disks", "losses")}
        return {
            **counted,
            **frame_figures(self.arcade.frames, self.bare_loop.turns, self.struck),
            **ladder_figures(self.disk.home, self.arcade, self.tournament),
            **recording_figures(self.disk.home, self.recorder),
            "orphans": len(self.orphans.found),
            "orphan_commands": self.orphans.found[:5],
            **growth_figures(self.arcade.rests),
            "starts": {actor.name: actor.starts for actor in self.actors.values()},
            "arcade_ends": dict(self.arcade.ends),
            "stuck_at_the_end": self.stuck,
        }


def run(minutes: float, seed: int) -> dict[str, object]:
    """All figures; Ctrl-C and SIGTERM end and clean up."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    with Chaos(seed) as chaos:
        try:
            return chaos.run(minutes)
        finally:
            if keep := os.environ.get("CHAOS_LOG"):
                Path(keep).write_text(chaos.log.read_text(errors="replace"))
