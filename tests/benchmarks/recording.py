"""What recording costs: ``python -m tests.benchmarks.recording``.

``tps_ratio`` (at least 0.95): ticks a second of a match that is recorded as it is by default, over those of the same
match that is not; on a hosted stage that draws, as a window has it, but as fast as it goes.  Both in turns; it is the
median of all pairs, and `tps_ratios` that of each game's own (`tps`: ticks a second without).  ``observed_tps_ratios``:
the same with the observations of all seats written down.  ``headless_tps_ratios``: these in one process without
pictures, where nothing hides the work and the match waits for its recording.

``bytes_per_min``: of a minute of play at the game's own rate, scripted seats where the game has them, else random:
`recorded` with the observations of all seats, `raw` the plain bytes of observations, actions and rewards,
`actions_only` what is recorded by default, where the game comes out the same when it is played again.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")

import numpy as np

from agents.policies.functions import FunctionController
from agents.policies.random import RandomController
from agents.seats.controller import Action, AgentID, Controller
from arcade.games import find_game
from arcade.games.spec import load_entry
from arcade.match.play.match import Match
from arcade.match.play.result import Recorder
from arcade.match.recording.format import RecordingOptions
from arcade.match.recording.replay_writer import ReplayWriter
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.local import LocalStage
from arcade.match.stage.stage import Stage
from arcade.match.stage.tick import Tick

GAMES = ("house/volley", "atari/pong_v3", "butterfly/knights_archers_zombies_v11")
PAIRS = 15
SECONDS = 0.6
"""About how long one half of a pair takes."""


def seats(stage: Stage) -> dict[AgentID, Controller]:
    scripted = stage.spec.scripted
    return {
        agent: FunctionController(load_entry(scripted)) if scripted else RandomController() for agent in stage.agents
    }


class Raw(Recorder):
    """Counts the plain bytes of what happens."""

    def __init__(self) -> None:
        self.bytes = 0

    def tick(self, tick: Tick, actions: dict[AgentID, Action], seconds: float) -> None:
        values = (*tick.observations.values(), *actions.values(), *map(float, tick.rewards.values()))
        self.bytes += sum(np.asarray(value).nbytes for value in values)


def play(stage: Stage, ticks: int, record: Callable[[], Recorder | None]) -> float:
    """Seconds of playing that many ticks, in as many matches as it takes, each with a recorder of its own."""
    played, seconds = 0, 0.0
    while played < ticks:
        recorders = [one for one in [record()] if one]
        match = Match(stage, seats(stage), seed=played, max_ticks=ticks - played, recorders=recorders)
        began = time.perf_counter()
        played += max(1, match.run().ticks)
        seconds += time.perf_counter() - began
    return seconds


class Recordings:
    """Replays in a folder that goes with them; `new` makes one more."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._writers = folder, list[ReplayWriter]()

    def new(self, observations: str) -> ReplayWriter:
        path = self._folder / f"{len(self._writers)}.replay"
        self._writers.append(ReplayWriter(path, RecordingOptions(observations=observations, patient=True)))
        return self._writers[-1]

    def bytes(self) -> int:
        """Of all, once they are on the disk."""
        for writer in self._writers:
            writer.close()
            assert not writer.warning, writer.warning
        return sum(writer.path.stat().st_size for writer in self._writers)


@contextmanager
def recordings() -> Iterator[Recordings]:
    with tempfile.TemporaryDirectory() as folder:
        yield Recordings(Path(folder))


def pair(stage: Stage, ticks: int, observations: str, *, first: bool) -> tuple[float, float]:
    """Seconds with a recording and without; `first`: that with one is played first."""
    with recordings() as made:
        new = partial(made.new, observations)
        plain = 0.0 if first else play(stage, ticks, lambda: None)
        recorded = play(stage, ticks, new)
        made.bytes()  # what is left to write is not to slow the half without
        plain = plain or play(stage, ticks, lambda: None)
    return recorded, plain


def ratios(stage: Stage, observations: str) -> tuple[list[float], float]:
    """Ticks a second with a recording over those without, of each pair; and those without."""
    play(stage, 50, lambda: None)
    ticks = max(60, round(200 * SECONDS / play(stage, 200, lambda: None)))
    pairs = [pair(stage, ticks, observations, first=bool(number % 2)) for number in range(PAIRS)]
    plain = statistics.median(plain for _, plain in pairs)
    return [plain / recorded for recorded, plain in pairs], round(ticks / plain)


def bytes_per_min(game: str) -> dict[str, int]:
    """Of one minute at the game's own rate."""
    spec, sizes, raw = find_game(game), {}, Raw()
    with LocalStage(spec) as stage:
        ticks = round(60 * spec.fps)
        for name, observations in (("recorded", "always"), ("actions_only", "never")):
            with recordings() as made:
                play(stage, ticks, partial(made.new, observations))
                sizes[name] = made.bytes()
        play(stage, ticks, lambda: raw)
    return {**sizes, "raw": raw.bytes}


def median(found: Iterable[float]) -> float:
    return round(statistics.median(found), 3)


def main() -> None:
    drawn: dict[str, list[float]] = {}
    told: dict[str, dict[str, Any]] = {
        key: {} for key in ("tps", "observed_tps_ratios", "headless_tps_ratios", "headless_tps", "bytes_per_min")
    }
    for game in GAMES:
        print(f"{game} …", file=sys.stderr)
        spec = find_game(game)
        with HostedStage(spec) as hosted:
            hosted.wait_ready()
            drawn[game], told["tps"][game] = ratios(hosted, "auto")
            told["observed_tps_ratios"][game] = median(ratios(hosted, "always")[0])
        with LocalStage(spec) as local:
            found, told["headless_tps"][game] = ratios(local, "always")
        told["headless_tps_ratios"][game] = median(found)
        told["bytes_per_min"][game] = bytes_per_min(game)
    tps_ratio = median(chain.from_iterable(drawn.values()))
    tps_ratios = {game: median(found) for game, found in drawn.items()}
    print(json.dumps({"tps_ratio": tps_ratio, "tps_ratios": tps_ratios, **told}))


if __name__ == "__main__":
    main()
