"""The watched arcade: ``python -m tests.benchmarks.chaos.arcade ENDPOINT FRAMES RESULTS RESTS``.

Plays recorded volley doubles in a window, one match after another: a keyboard, two remote seats, a script.  FRAMES
gets the time of each frame, RESULTS a line for each rated match that was put on the ladder, RESTS one for each rest on
the title between two matches: memory, descriptors and threads.
"""

from __future__ import annotations

import json
import os
import struct
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import IO, TYPE_CHECKING

from agents.platform.children import end_with_parent
from tests.benchmarks.chaos.process_table import descriptors, own_sample

if TYPE_CHECKING:
    from arcade.engine.window.engine import Engine
    from arcade.match.play.result import MatchResult
    from arcade.scenes.match.match_scene import MatchScene
    from arcade.session.services import Services

LOOK_SECONDS = 0.5
"""Between two looks whether the match continues."""

REST_LOOKS = 3
"""Looks on the title, at least, before its memory is measured and the next match begins: the last two see the same
descriptors, since a stage that is being closed, or a spare one that is being started, is no leak."""

FRAME = struct.Struct("<d?")
"""Time of a frame on the machine's monotonic clock, and whether a match was on show."""


class Watched:
    """One window and its present match."""

    def __init__(self, engine: Engine, services: Services, endpoint: str, rests: IO[str]) -> None:
        from arcade.scenes import routes

        self.engine, self.services, self.endpoint, self._rests = engine, services, endpoint, rests
        self._looks = 0  # on the title
        self._open: dict[str, int] = {}  # descriptors at the last of them
        self.scene: MatchScene | None = None
        engine.push(routes.Title())

    @property
    def plays(self) -> bool:
        """Whether a match is on show."""
        scene = self.scene
        return scene is not None and scene.match is not None and self.engine.scene is scene and not scene.match.over

    def look(self) -> None:
        """Rest on the title where the last match is over, or failed; begin a new one after it."""
        if not self.services.ready or (self.scene is not None and self.engine.scene is self.scene):
            return
        self.scene = None  # what it holds would count as the title's
        self._go_home()
        self._looks += 1
        before, self._open = self._open, descriptors(os.getpid())
        if self._looks >= REST_LOOKS and self._open == before and not self.services.worker.busy:
            self._looks = 0
            trainer = self.services.trainer
            follows = trainer is not None and trainer.client is not None
            found = own_sample(time.monotonic(), follows_trainer=follows)
            print(json.dumps(asdict(found)), file=self._rests, flush=True)
            self._begin()

    def _go_home(self) -> None:
        """Leave all but the title, which an error has replaced."""
        from arcade.scenes import routes

        while len(self.engine.scenes) > 1:
            self.engine.pop()
        if type(self.engine.scene).__name__ != "TitleScene":
            self.engine.reset_to(routes.Title())

    def _begin(self) -> None:
        from agents.seats.controller import SeatChoice
        from arcade.games import find_game
        from arcade.scenes import routes
        from arcade.scenes.match.match_scene import MatchScene

        game, remote = find_game("house/volley_2v2"), SeatChoice("remote", self.endpoint)
        seats = (SeatChoice("keyboard"), remote, SeatChoice("scripted"), remote)
        self.scene = MatchScene(self.services, routes.Match(game, dict(zip(game.agents, seats, strict=True))))
        self.engine.push(self.scene)


def run(endpoint: str, frames: IO[bytes], results: IO[str], rests: IO[str]) -> None:
    """Play until SIGTERM."""
    from arcade.exit import closing_on_signals
    from arcade.scenes.app import open_window
    from arcade.session.match.setup import WindowOptions

    def on_result(result: MatchResult) -> None:
        data = result.as_json()
        if result.kept and not result.error:
            results.write(json.dumps({"seed": str(data["seed"]), "ticks": data["ticks"]}) + "\n")
            results.flush()

    with open_window(WindowOptions(record=True), on_result=on_result) as (engine, services):
        watched, next_look = Watched(engine, services, endpoint, rests), 0.0
        with closing_on_signals(engine.quit):
            while engine.running:
                engine.turn()
                now = time.monotonic()
                frames.write(FRAME.pack(now, watched.plays))
                if now > next_look:
                    next_look = now + LOOK_SECONDS
                    watched.look()


def main(endpoint: str, *paths: str) -> None:
    """Open the files, and play."""
    frames, results, rests = map(Path, paths)
    # buffered: a write to the disk may wait for the flushes of others, on the thread that draws
    with open(frames, "wb") as pictures, open(results, "w") as played, open(rests, "w") as rested:
        run(endpoint, pictures, played, rested)


if __name__ == "__main__":
    end_with_parent()
    main(*sys.argv[1:])
