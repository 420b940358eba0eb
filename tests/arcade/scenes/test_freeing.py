"""Large scenes are freed as soon as they are left, and what they opened is closed."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from agents.seats.controller import SeatChoice
from arcade.match.stage.stage import StageError
from arcade.scenes import routes
from tests.support.open_arcade import OpenArcade
from tests.support.recorded import record

AI = SeatChoice("scripted")


@pytest.fixture
def by_hand() -> Iterator[None]:
    """Turn off the automatic collector: only the engine's own call may free what was left."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(scope="module")
def volley(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short recording."""
    return record(tmp_path_factory.mktemp("freed") / "volley.replay", ticks=30)


def replay(sitting: OpenArcade, path: Path) -> list[Any]:
    """Show a recording to its end; weak references to what takes memory."""
    sitting.engine.push(routes.Replay(path))
    scene: Any = sitting.engine.scene
    sitting.until(lambda: scene.ready and scene.playback.tick is not None, "the recording")
    scene.playback.seek(scene.playback.length)
    sitting.until(lambda: scene.playback.settled, "its end")
    return [weakref.ref(one) for one in (scene, scene.playback, scene.playback._moments, scene.loaded.stage)]


def match(sitting: OpenArcade, path: Path) -> list[Any]:
    """Begin a match."""
    spec = next(game for game in sitting.library.games if game.id == "house/volley")
    sitting.engine.push(routes.Match(spec, dict.fromkeys(spec.agents, AI)))
    scene: Any = sitting.engine.scene
    sitting.until(lambda: scene.match is not None and scene.match.tick is not None, "the match")
    return [weakref.ref(one) for one in (scene, scene.match, scene.session.launch.stage)]


SHOWN = (replay, match)


def leave(sitting: OpenArcade) -> None:
    """Back to the title, and let the worker close what it has to."""
    while len(sitting.engine.scenes) > 1:
        sitting.engine.pop()
    sitting.until(lambda: not sitting.services.worker.busy, "the worker")


@pytest.mark.parametrize("show", SHOWN)
def test_a_scene_that_was_left_is_freed(sit: Any, by_hand: None, volley: Path, show: Callable[..., list[Any]]) -> None:
    sitting = sit()
    kept = show(sitting, volley)
    assert all(one() is not None for one in kept)
    leave(sitting)
    sitting.until(lambda: not any(one() is not None for one in kept), "the end of everything that was shown")


def test_a_match_that_failed_is_freed_as_its_error_is_left(sit: Any, by_hand: None, volley: Path) -> None:
    sitting = sit()
    kept = match(sitting, volley)
    sitting.engine.scene.session.update = fail
    sitting.until(lambda: sitting.on == "ErrorScene", "the error")
    sitting.engine.reset_to(routes.Title())
    sitting.until(lambda: not any(one() is not None for one in kept), "the end of the match")


def fail(now: float) -> None:
    raise StageError("house/volley", "the game's process ended")


def test_the_last_picture_of_a_match_is_freed_as_its_results_are_left(sit: Any, by_hand: None, volley: Path) -> None:
    sitting = sit()
    match(sitting, volley)
    sitting.engine.scene.session.quit()
    sitting.until(lambda: sitting.on == "ResultsScene", "the results")
    sitting.frame(3)
    picture = weakref.ref(sitting.engine.scene.route.picture.frames._pixels)
    assert picture() is not None
    leave(sitting)
    sitting.frame(3)
    assert picture() is None


def test_a_collection_passes_over_what_the_window_has_loaded(sit: Any) -> None:
    """With 70,000 objects to look at it takes several frames."""
    sitting = sit()
    sitting.until(lambda: gc.get_freeze_count() > 0, "the end of loading")
    assert gc.get_freeze_count() > 5 * len(gc.get_objects())
    sitting.engine.close()
    assert gc.get_freeze_count() == 0


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs /proc")
@pytest.mark.parametrize("show", SHOWN)
def test_what_a_scene_opened_is_closed(sit: Any, volley: Path, show: Callable[..., list[Any]]) -> None:
    sitting = sit()
    counts = []
    for _ in range(5):
        show(sitting, volley)
        leave(sitting)
        sitting.services.stages.warm()  # a spare child at each count: the next one may be started early or late
        sitting.until(lambda: not sitting.services.worker.busy, "the end of all work")
        sitting.frame(2)
        counts.append(len(os.listdir("/proc/self/fd")))
    assert min(counts[3:]) <= min(counts[1:3]), f"{counts}; the first has what the window opens once"


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs /proc")
def test_fonts_of_any_size_of_window_keep_no_file_open(sit: Any) -> None:
    sitting = sit()
    for width, height in [(640, 360), (800, 450), (1280, 720)]:
        settings = sitting.engine.settings.changed(window_width=width, window_height=height)
        sitting.engine.apply(settings, save=False)
        sitting.frame(3)
    assert open_fonts() == 0


def open_fonts() -> int:
    """The descriptors of font files."""
    found = 0
    for name in os.listdir("/proc/self/fd"):
        with suppress(FileNotFoundError):
            found += os.readlink(f"/proc/self/fd/{name}").endswith(".otf")
    return found


LOADING = """
import gc
from arcade.session.match.setup import WindowOptions
from arcade.scenes import routes
from tests.support.open_arcade import OpenArcade

usual, whole = gc.get_threshold(), []
gc.callbacks.append(lambda phase, info: whole.append(phase) if info["generation"] == 2 else None)
arcade = OpenArcade(WindowOptions(seed=7))
arcade.engine.push(routes.Title())
arcade.until(lambda: arcade.services.trainings is not None, "all to be loaded")
assert not whole, "a collection of everything stops the window for a frame or two"
arcade.frame(2)
assert gc.get_threshold() == usual
arcade.close()
"""


def test_no_collection_of_everything_disturbs_the_title_while_the_games_are_loaded() -> None:
    subprocess.run([sys.executable, "-c", LOADING], check=True, timeout=300)
