"""Every screen, several games, training, recordings, videos and sizes of window, again and again in one process.

``python -m tests.benchmarks.soak [MINUTES] [--hours HOURS]`` prints a JSON line a round (megabytes of private memory,
descriptors, threads, children and Python objects on the title screen), and at the end one object: `flat` where the last
rounds need no more than the first warm ones (`MORE_MB`, no descriptor, thread or child more), and the memory for
watching recordings, in megabytes above the title screen: `replay_peak_mb` for a 30-second pistonball recording and
five short ones (at most 300), `replay_left_mb` after they were left, without the clip.  Linux only: it reads /proc.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")

from scipy.stats import theilslopes

from agents.files import folder
from agents.policies.random import RandomController
from agents.seats.controller import SeatChoice
from arcade.games import find_game
from arcade.match.play.match import Match
from arcade.match.recording.replay_writer import ReplayWriter
from arcade.match.stage.local import LocalStage
from arcade.scenes import routes
from arcade.scenes.app import open_window
from arcade.session.match.setup import WindowOptions
from arcade.session.settings import Settings
from arcade.session.videos import VideoSettings
from tests.benchmarks.chaos.process_table import descendants, descriptors, memory_mb, threads
from tests.golden.screens import SCREENS, Studio
from tests.shots.training import made_up_moves
from tests.support.clocks import FairClock
from tests.support.fake_trainer import FakeTrainer

SECONDS = 30
"""Of the long recording."""

SHORT = (
    "house/volley", "atari/pong_v3", "butterfly/knights_archers_zombies_v11", "sisl/pursuit_v5",
    "classic/connect_four_v3",
)  # fmt: skip
MORE_MB = 8.0
"""More memory on the title screen, in the last third of the rounds than in the first, that still counts as flat."""

WARM_SHARE = 0.25
"""Share of the rounds, the first two at least, that do not count: caches fill."""

SIZES = ((640, 360), (1920, 1080), (1280, 720))
COUNTS = ("descriptors", "threads", "children")
PICTURES = 8
"""Frames of one look at a screen."""


def record(game: str, path: Path, seconds: float, seed: int) -> Path:
    """Record a game as people play it, with random seats."""
    spec = find_game(game).for_people()
    with LocalStage(spec, drawable=True) as stage:
        writer = ReplayWriter(path)
        seats = {agent: RandomController() for agent in stage.agents}
        Match(stage, seats, seed=seed, max_ticks=round(seconds * spec.fps), recorders=[writer]).run()
        writer.close()
    return path


@contextmanager
def studio(home: Path) -> Iterator[Studio]:
    """An arcade whose clock is turned by hand."""
    clock = FairClock()
    opened = open_window(
        WindowOptions(seed=7), error_route=None, settings=Settings(countdown=False, reduce_motion=True),
        clock=clock.read, sleep=clock.sleep,
    )  # fmt: skip
    with opened as (engine, services):
        yield Studio(engine, services, clock, home)


class Walk:
    """One arcade, walked through round by round."""

    def __init__(self, studio: Studio, long: Path, short: list[Path], stop: Callable[[], bool]) -> None:
        self.studio, self.long, self.short, self._stop = studio, long, short, stop
        self.peak_mb, self._began = 0.0, time.monotonic()
        self._kept = {path.name for path in folder("replays").glob("*")}

    def title(self) -> dict[str, float]:
        """Go back to the title, and measure once nothing is under way."""
        own = self.studio
        own.open(routes.Title())
        own.until(lambda: not own.services.worker.busy and not own.services.videos.jobs, "the end of all work")
        own.frame(PICTURES)
        pid = os.getpid()
        return {
            "seconds": round(time.monotonic() - self._began), "memory_mb": round(memory_mb(pid), 1),
            "descriptors": sum(descriptors(pid).values()),
            "threads": threads(pid), "children": len(descendants(pid)), "objects": len(gc.get_objects()),
        }  # fmt: skip

    def round(self) -> None:
        """Come to everything once."""
        steps: list[Callable[[], object]] = [*(lambda make=make: make(self.studio) for make in SCREENS.values())]
        steps += [self.sizes, self.watch_training, self.match_recorded, lambda: self.replay(self.long, video=True)]
        steps += [lambda path=path: self.replay(path) for path in self.short]
        for step in steps:
            if self._stop():
                return
            step()
            self.studio.frame(PICTURES)
        self._delete_recordings()

    def _delete_recordings(self) -> None:
        """Delete those of this round: a list of ever more recordings takes ever more memory."""
        self.studio.open(routes.Title())
        self.studio.until(lambda: not self.studio.services.worker.busy, "the end of all recordings")
        for path in folder("replays").iterdir():
            if path.is_file() and path.name not in self._kept:
                path.unlink(missing_ok=True)

    def sizes(self) -> None:
        """Draw some screens in windows of several sizes."""
        engine = self.studio.engine
        for width, height in SIZES:
            engine.apply(engine.settings.changed(window_width=width, window_height=height), save=False)
            for route in (routes.Games(), routes.Settings("Display"), routes.Title()):
                self.studio.open(route)
                self.studio.frame(PICTURES)

    def watch_training(self) -> None:
        """Follow a run whose trainer publishes its moves."""
        own, run = self.studio, folder("runs") / "soak-run"
        with FakeTrainer(run, step=1000) as trainer:
            (run / "manifest.json").write_text(json.dumps({"game": "house/volley"}))
            own.open(routes.Runs())
            scene: Any = own.engine.scene
            own.until(lambda: any(one.run == run.name for one in scene.runs), "the run")
            scene.show_run(next(one for one in scene.runs if one.run == run.name))
            page: Any = own.engine.scene
            own.until(lambda: page.link.live, "the trainer")
            page.turn_to(next(one for one in page.pages if one.title == "Watch"))
            own.until(lambda: trainer.named("watch"), "the wish to watch")
            trainer.publish("watch", made_up_moves())
            shown = page.page
            own.until(lambda: shown.spectator is not None and shown.spectator.tick > 50, "a game that is watched")
            own.open(routes.Title())

    def match_recorded(self) -> None:
        """Play a recorded match of volley for a second, and quit it."""
        own, spec = self.studio, self.studio.game("house/volley")
        own.open(routes.Match(spec, dict.fromkeys(spec.agents, SeatChoice("scripted"))))
        scene: Any = own.engine.scene
        own.until(lambda: scene.match is not None, "a match")
        own.clock.match = scene.match
        own.until(lambda: scene.match.tick is not None and scene.match.tick.index > spec.fps, "a second of it")
        own.clock.match = None
        scene.session.quit()
        own.until(lambda: own.engine.scene is not scene, "the results")

    def replay(self, path: Path, *, video: bool = False) -> None:
        """Play a recording to its end at its fastest, seek, take over for a moment, and make a video of two seconds."""
        own = self.studio
        own.open(routes.Replay(path))
        scene: Any = own.engine.scene
        own.until(lambda: scene.ready and scene.playback.tick is not None, "the recording")
        playback = scene.playback
        scene.set_speed(len(scene.speeds) - 1)
        own.until(lambda: self._look() and playback.at_end and playback.settled, "its end")
        for tick in random.Random(3).choices(range(playback.length), k=6):
            playback.seek(tick)
            own.until(lambda: self._look() and playback.settled, "the tick that was asked for")
        if video:
            assert own.services.videos.order(path, VideoSettings(end=2.0)) is not None
            own.until(lambda: self._look() and not own.services.videos.jobs, "the video")
        self._take_over(scene)

    def _take_over(self, scene: Any) -> None:
        own = self.studio
        scene.playback.seek(scene.playback.length // 2)
        scene.play_branch(scene.loaded.spec.agents[0], SeatChoice("keyboard"))
        match: Any = own.engine.scene
        own.until(lambda: own.engine.scene is not match or match.match is not None, "the match that continues it")
        own.until(lambda: self._look() and not own.services.worker.busy, "its beginning")

    def _look(self) -> bool:
        self.peak_mb = max(self.peak_mb, memory_mb(os.getpid()))
        return True


def replay_figures(walk: Walk) -> dict[str, float]:
    """Megabytes above the title screen, while recordings are watched and after they were left."""
    walk.title()
    walk.replay(walk.short[0])  # its imports stay
    before = walk.title()
    walk.peak_mb = 0.0
    for path in (walk.long, *walk.short):
        walk.replay(path, video=path is walk.long)
    after = walk.title()
    return {
        "title_mb": before["memory_mb"], "replay_peak_mb": round(walk.peak_mb - before["memory_mb"], 1),
        "replay_left_mb": round(after["memory_mb"] - before["memory_mb"], 1),
        "long_recording_kb": round(walk.long.stat().st_size / 1024, 1),
    }  # fmt: skip


def growth_figures(rounds: list[dict[str, float]]) -> dict[str, Any]:
    """Whether the last third of the warm rounds needs no more than the first, and the growth an hour.

    The growth is the median slope (Theil and Sen), with its 95% interval.
    """
    warm = rounds[max(2, round(len(rounds) * WARM_SHARE)) :]
    if len(warm) < 3:
        return {"flat": None}
    third = len(warm) // 3
    early, late = warm[:third], warm[-third:]
    grown = {f"grown_{name}": min(one[name] for one in late) - min(one[name] for one in early) for name in COUNTS}
    memory = [one["memory_mb"] for one in warm]
    more = median(memory[-third:]) - median(memory[:third])
    slope, _, least, most = theilslopes(memory, [one["seconds"] / 3600 for one in warm])
    return {
        "flat": more <= MORE_MB and all(count <= 0 for count in grown.values()), "grown_mb": round(more, 1), **grown,
        "growth_mb_per_hour": round(float(slope), 1),
        "growth_interval": [round(float(least), 1), round(float(most), 1)],
    }  # fmt: skip


def run(minutes: float, home: Path) -> dict[str, Any]:
    """Walk for so long; at least three rounds are needed to say more than nothing."""
    end = time.monotonic() + 60 * minutes
    recordings = home / "recordings"
    long = record("butterfly/pistonball_v6", recordings / "long.replay", SECONDS, 3)
    short = [record(game, recordings / f"short-{n}.replay", 4, n) for n, game in enumerate(SHORT)]
    rounds: list[dict[str, float]] = []
    with studio(home) as opened:
        walk = Walk(opened, long, short, lambda: time.monotonic() > end)
        figures: dict[str, Any] = replay_figures(walk)
        print(json.dumps(figures), flush=True)
        while time.monotonic() < end:
            walk.round()
            if time.monotonic() < end or not rounds:
                rounds.append(walk.title())
                print(json.dumps(rounds[-1]), flush=True)
    return {**figures, "rounds": len(rounds), **growth_figures(rounds), "last": rounds[-1]}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.soak")
    parser.add_argument("minutes", nargs="?", type=float, default=10.0)
    parser.add_argument("--hours", type=float, default=0.0, help="in place of the minutes")
    words = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="arcade-soak-") as top:
        os.environ["ARCADE_HOME"] = top
        print(json.dumps(run(60 * words.hours or words.minutes, Path(top))))


if __name__ == "__main__":
    main()
