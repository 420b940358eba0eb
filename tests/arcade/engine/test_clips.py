"""Videos of the last half minute, read back by the encoder that wrote them."""

from __future__ import annotations

import io
import subprocess
import threading
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pygame
import pytest

from arcade.engine.audio.synthesis import RATE
from arcade.engine.capture import FPS, SECONDS, ClipRecorder, clip_size

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


def save(clips: ClipRecorder, path: Path, **more) -> str:
    said: list[str] = []
    there = threading.Event()
    clips.save(path, lambda words: (said.append(words), there.set()), **more)
    assert there.wait(DEADLINE)
    return said[0]


def read(path: Path) -> tuple[dict, list[np.ndarray]]:
    frames = imageio_ffmpeg.read_frames(str(path))
    about = next(frames)
    width, height = about["size"]
    return about, [np.frombuffer(frame, np.uint8).reshape(height, width, 3) for frame in frames]


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


def noise(size: tuple[int, int], seed: int) -> pygame.Surface:
    return pygame.surfarray.make_surface(np.random.default_rng(seed).integers(0, 255, (*size, 3), dtype=np.uint8))


def test_a_clip_that_would_need_too_much_memory_is_shorter(tmp_path) -> None:
    recorder = ClipRecorder(memory=2**20)
    try:
        for picture in range(60):
            show(recorder, noise((320, 240), picture), picture / FPS)
        assert recorder.bytes <= 2**20
        assert 0.2 < recorder.seconds < 1
        assert "saved" in save(recorder, tmp_path / "one.mp4")
    finally:
        recorder.close()
    assert read(tmp_path / "one.mp4")[1]


def test_pictures_too_large_to_keep_are_left_out(tmp_path) -> None:
    recorder = ClipRecorder(memory=2**14)
    try:
        show(recorder, pygame.Surface((64, 36)), 0.0)
        show(recorder, noise((320, 240), 1), 1 / FPS)
        assert recorder.seconds == 0
        assert "nothing has been played" in save(recorder, tmp_path / "none.mp4")
    finally:
        recorder.close()


def test_a_clip_is_saved_whole_while_others_are_recorded(tmp_path) -> None:
    recorder = ClipRecorder(memory=2**20)
    try:
        canvas = pygame.Surface((320, 240))
        canvas.fill((200, 0, 0))
        for picture in range(FPS):
            show(recorder, canvas, picture / FPS)
        pictures = list(recorder._kept)
        for picture in range(100 * FPS, 104 * FPS):
            show(recorder, noise((320, 240), picture), picture / FPS)
        assert {pygame.image.load(io.BytesIO(one.jpeg())).get_at((9, 9))[2] for _, one in pictures} == {0}
    finally:
        recorder.close()


def test_a_clip_that_cannot_be_written_says_why_and_leaves_nothing(recorder, tmp_path) -> None:
    assert "nothing has been played" in save(recorder, tmp_path / "none.mp4")
    canvas = pygame.Surface((64, 36))
    show(recorder, canvas, 0.0)
    (tmp_path / "file").write_text("in the way")
    assert "could not be written" in save(recorder, tmp_path / "file" / "clip.mp4")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    ("window", "size"), [((640, 360), (640, 360)), ((1280, 720), (1280, 720)), ((3840, 2160), (1280, 720))]
)
def test_a_clip_has_the_windows_own_size_up_to_720_lines(recorder, tmp_path, window, size) -> None:
    assert clip_size(window) == size
    for picture in range(3):
        show(recorder, pygame.Surface(window), picture / FPS)
    save(recorder, tmp_path / "one.mp4")
    assert tuple(read(tmp_path / "one.mp4")[0]["size"]) == size


def test_a_sound_is_heard_in_the_clip_at_its_moment(recorder, tmp_path) -> None:
    for picture in range(2 * FPS + 1):
        show(recorder, pygame.Surface((64, 36)), 10 + picture / FPS)
    tone = (np.sin(np.arange(RATE // 4) * 2 * np.pi * 440 / RATE) * 20_000).astype(np.int16).tobytes()
    save(recorder, tmp_path / "one.mp4", heard=[(11.0, tone, 0.8), (3.0, tone, 1.0)])
    ffmpeg = [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-i", str(tmp_path / "one.mp4")]
    raw = subprocess.run([*ffmpeg, "-f", "s16le", "-ar", str(RATE), "-ac", "1", "-"], capture_output=True, check=True)
    loud = np.abs(np.frombuffer(raw.stdout, np.int16).astype(int)) > 2000
    heard = np.flatnonzero(loud) / RATE
    assert heard.min() == pytest.approx(1.0, abs=0.1)
    assert heard.max() == pytest.approx(1.25, abs=0.1)
