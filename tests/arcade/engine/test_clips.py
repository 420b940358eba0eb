"""Videos of the last half minute, read back by the encoder that wrote them."""

from __future__ import annotations

import threading
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pygame
import pytest

from arcade.engine.capture import FPS, SECONDS, SIZE, ClipRecorder

DEADLINE = 300.0


@pytest.fixture
def recorder():
    clips = ClipRecorder()
    yield clips
    clips.close()


def show(clips: ClipRecorder, canvas: pygame.Surface, now: float) -> None:
    """Take a picture, and wait until it is kept, so that none is skipped."""
    clips.take(canvas, now)
    if clips._compressed is not None:
        clips._compressed.result(DEADLINE)


def save(clips: ClipRecorder, path: Path) -> str:
    said: list[str] = []
    there = threading.Event()
    clips.save(path, lambda words: (said.append(words), there.set()))
    assert there.wait(DEADLINE)
    return said[0]


def read(path: Path) -> tuple[dict, list[np.ndarray]]:
    frames = imageio_ffmpeg.read_frames(str(path))
    about = next(frames)
    return about, [np.frombuffer(frame, np.uint8).reshape(SIZE[1], SIZE[0], 3) for frame in frames]


def test_a_clip_holds_the_newest_half_minute_in_its_own_time(recorder, tmp_path) -> None:
    canvas = pygame.Surface((640, 360))
    for second in range(50):  # a picture a second is kept: what is slow stays slow
        canvas.fill((second * 5, 0, 200))
        show(recorder, canvas, 100.0 + second)
    assert recorder.seconds == SECONDS
    words = save(recorder, tmp_path / "videos" / "one.mp4")
    assert "30 s" in words
    assert str(tmp_path / "videos" / "one.mp4") in words
    about, frames = read(tmp_path / "videos" / "one.mp4")
    assert about["fps"] == FPS
    assert len(frames) == pytest.approx(SECONDS * FPS + 1, abs=2)
    for second in (0, 10, 29):
        frame = frames[second * FPS + FPS // 2]
        assert frame[:, :, 0].mean() == pytest.approx((19 + second) * 5, abs=8)
        assert frame[:, :, 2].mean() == pytest.approx(200, abs=8)
    assert [path.name for path in (tmp_path / "videos").iterdir()] == ["one.mp4"]


def test_no_more_pictures_are_kept_than_a_video_shows(recorder) -> None:
    canvas = pygame.Surface((64, 36))
    for frame in range(60):
        show(recorder, canvas, frame / 60)
    assert len(recorder._kept) == pytest.approx(FPS, abs=1)


def test_a_clip_that_cannot_be_written_says_why_and_leaves_nothing(recorder, tmp_path) -> None:
    assert "nothing has been played" in save(recorder, tmp_path / "none.mp4")
    canvas = pygame.Surface((64, 36))
    show(recorder, canvas, 0.0)
    (tmp_path / "file").write_text("in the way")
    assert "could not be written" in save(recorder, tmp_path / "file" / "clip.mp4")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
