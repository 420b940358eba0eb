"""Recordings without a picture, such as those made without a window: the page has them drawn by another process."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from arcade.api import play
from arcade.scenes import routes
from arcade.scenes.recordings.details import Still
from arcade.scenes.recordings.missing_pictures import DrawingJob


@pytest.fixture
def headless() -> Path:
    """A match, recorded without a window."""
    series = play("classic/connect_four_v3", {"*": "random"}, seed=5, record=True)
    [path] = map(Path, series.replays)
    assert not path.with_suffix(".png").exists()
    return path


def still_of(sitting) -> Still:
    return next(widget for widget in sitting.engine.scene.tree.walk() if isinstance(widget, Still))


def colours(sitting) -> set[tuple[int, ...]]:
    """The colours of the large picture on the screen."""
    part = sitting.engine.canvas.subsurface(still_of(sitting).rect)
    return {
        tuple(part.get_at((x, y))[:3]) for x in range(0, part.get_width(), 3) for y in range(0, part.get_height(), 3)
    }


def open_page(sitting):
    sitting.engine.push(routes.Recordings())
    scene = sitting.engine.scene
    sitting.until(lambda: scene.recordings.all, "the recordings")
    return scene


def test_what_was_recorded_without_a_window_is_drawn_while_its_page_is_open(sit, headless) -> None:
    sitting = sit()
    open_page(sitting)
    sitting.until(lambda: still_of(sitting).sentence == "The picture is being made …", "word of the picture")
    assert len(colours(sitting)) < 80
    sitting.until(lambda: len(colours(sitting)) > 80, "the picture")
    assert pygame.image.load(headless.with_suffix(".png")).get_size() == (400, 225)


def test_a_recording_that_cannot_be_drawn_is_tried_once_and_the_process_ends_with_the_page(
    sit, headless, monkeypatch
) -> None:
    began = []
    start = DrawingJob.__init__

    def spy(job, recordings, palette) -> None:
        began.append(job)
        start(job, recordings, palette)

    monkeypatch.setattr(DrawingJob, "__init__", spy)
    headless.with_suffix(".png").mkdir()  # nothing can be written there
    sitting = sit()
    open_page(sitting)
    sitting.until(lambda: began and began[0].done, "the end of the process")
    sitting.frame(3)
    assert still_of(sitting).sentence == "No picture"
    assert len(began) == 1
    sitting.engine.pop()
    open_page(sitting)
    sitting.until(lambda: len(began) == 2, "another process, as the page was left")
    sitting.engine.pop()
    sitting.until(lambda: began[1].done, "its end")
