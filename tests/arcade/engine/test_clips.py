"""Videos of the last half minute, read back by the encoder that wrote them."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pygame
import pytest

from arcade.engine.audio.synthesis import RATE
from arcade.engine.capture import CLIP_FPS
from arcade.engine.clip_process import SECONDS, ClipKeeper, clip_size
from arcade.engine.clips import AGAIN, ClipRecorder
from tests.support.processes import is_alive

DEADLINE = 300.0


@pytest.fixture
def recorder():
    clips = ClipRecorder()
    yield clips
    clips.close()


def until(is_so: Callable[[], object]) -> None:
    end = time.monotonic() + DEADLINE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.001)


def show(clips: ClipRecorder, canvas: pygame.Surface, now: float) -> bool:
    """Offer a picture, and wait until it is kept, so that none is skipped; whether it was taken."""
    until(clips._is_ready)
    clips.take(canvas, now)
    is_taken = clips._running().is_busy
    until(clips._is_ready)
    return is_taken


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
    assert about["fps"] == CLIP_FPS
    assert len(frames) == pytest.approx(SECONDS * CLIP_FPS + 1, abs=2)
    for second in (0, 10, 29):
        frame = frames[second * CLIP_FPS + CLIP_FPS // 2]
        assert frame[:, :, 0].mean() == pytest.approx((19 + second) * 5, abs=8)
        assert frame[:, :, 2].mean() == pytest.approx(200, abs=8)
    assert [path.name for path in (tmp_path / "videos").iterdir()] == ["one.mp4"]


def test_no_more_pictures_are_kept_than_a_video_shows(recorder) -> None:
    canvas = pygame.Surface((64, 36))
    taken = [show(recorder, canvas, frame / 60) for frame in range(60)]
    assert sum(taken) == pytest.approx(CLIP_FPS, abs=1)


def noise(size: tuple[int, int], seed: int) -> pygame.Surface:
    return pygame.surfarray.make_surface(np.random.default_rng(seed).integers(0, 255, (*size, 3), dtype=np.uint8))


def test_a_clip_that_would_need_too_much_memory_is_shorter(tmp_path) -> None:
    recorder = ClipRecorder(memory=2**20)
    try:
        for picture in range(60):
            show(recorder, noise((320, 240), picture), picture / CLIP_FPS)
        assert 0.2 < recorder.seconds < 1
        assert "saved" in save(recorder, tmp_path / "one.mp4")
    finally:
        recorder.close()
    assert read(tmp_path / "one.mp4")[1]


def test_a_clip_takes_no_more_memory_than_it_may() -> None:
    keeper = ClipKeeper(2**20)
    for picture in range(60):
        canvas = noise((320, 240), picture).convert(32, 0)
        keeper.keep(canvas, picture / CLIP_FPS)
    assert 0.2 < keeper.seconds < 1
    assert keeper._memory.used <= 2**20


def test_pictures_too_large_to_keep_are_left_out(tmp_path) -> None:
    recorder = ClipRecorder(memory=2**14)
    try:
        show(recorder, pygame.Surface((64, 36)), 0.0)
        show(recorder, noise((320, 240), 1), 1 / CLIP_FPS)
        assert recorder.seconds == 0
        assert "nothing has been played" in save(recorder, tmp_path / "none.mp4")
    finally:
        recorder.close()


def test_a_clip_is_saved_whole_while_others_are_recorded() -> None:
    keeper, canvas = ClipKeeper(2**20), pygame.Surface((320, 240), depth=32)
    canvas.fill((200, 0, 0))
    for picture in range(CLIP_FPS):
        keeper.keep(canvas, picture / CLIP_FPS)
    pictures = keeper.pictures
    for picture in range(100 * CLIP_FPS, 104 * CLIP_FPS):
        canvas.blit(noise((320, 240), picture), (0, 0))
        keeper.keep(canvas, picture / CLIP_FPS)
    assert {pygame.image.load(io.BytesIO(one.jpeg())).get_at((9, 9))[2] for _, one in pictures} == {0}


def test_the_window_waits_for_nothing_while_the_process_stands_still(recorder) -> None:
    canvas = pygame.Surface((64, 36))
    show(recorder, canvas, 0.0)
    child = recorder._running()._program.pid
    os.kill(child, signal.SIGSTOP)
    for picture in range(1, 10_000):  # more than any pipe holds
        recorder.take(canvas, picture / CLIP_FPS)
    assert recorder.seconds == 0.0
    os.kill(child, signal.SIGCONT)
    show(recorder, canvas, 10_000 / CLIP_FPS)
    show(recorder, canvas, 10_030 / CLIP_FPS)
    assert recorder.seconds == pytest.approx(1.0, abs=0.1)


def test_a_killed_process_is_followed_by_another_and_a_closed_one_is_gone(recorder, tmp_path) -> None:
    canvas = pygame.Surface((64, 36))
    show(recorder, canvas, 0.0)
    first = recorder._running()._program
    first.kill()
    first.wait()
    recorder.take(canvas, 1.0)
    assert "nothing has been played" in save(recorder, tmp_path / "none.mp4")
    recorder.take(canvas, 1.0 + AGAIN / 2)
    assert recorder._process is None, "a program that always fails is not started at each frame"
    recorder.take(canvas, 1.0 + AGAIN)
    show(recorder, canvas, 2.0 + AGAIN)
    show(recorder, canvas, 3.0 + AGAIN)
    assert "saved" in save(recorder, tmp_path / "one.mp4")
    second = recorder._running()._program.pid
    recorder.close()
    assert not is_alive(second)


def test_a_video_that_is_asked_of_a_process_that_has_ended_says_so(recorder, tmp_path) -> None:
    show(recorder, pygame.Surface((64, 36)), 0.0)
    program = recorder._running()._program
    program.kill()
    program.wait()
    assert "could not be written" in save(recorder, tmp_path / "none.mp4")


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
        show(recorder, pygame.Surface(window), picture / CLIP_FPS)
    save(recorder, tmp_path / "one.mp4")
    assert tuple(read(tmp_path / "one.mp4")[0]["size"]) == size


def test_a_sound_is_heard_in_the_clip_at_its_moment(recorder, tmp_path) -> None:
    for picture in range(2 * CLIP_FPS + 1):
        show(recorder, pygame.Surface((64, 36)), 10 + picture / CLIP_FPS)
    tone = (np.sin(np.arange(RATE // 4) * 2 * np.pi * 440 / RATE) * 20_000).astype(np.int16).tobytes()
    save(recorder, tmp_path / "one.mp4", heard=[(11.0, tone, 0.8), (3.0, tone, 1.0)])
    ffmpeg = [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-i", str(tmp_path / "one.mp4")]
    raw = subprocess.run([*ffmpeg, "-f", "s16le", "-ar", str(RATE), "-ac", "1", "-"], capture_output=True, check=True)
    loud = np.abs(np.frombuffer(raw.stdout, np.int16).astype(int)) > 2000
    heard = np.flatnonzero(loud) / RATE
    assert heard.min() == pytest.approx(1.0, abs=0.1)
    assert heard.max() == pytest.approx(1.25, abs=0.1)
