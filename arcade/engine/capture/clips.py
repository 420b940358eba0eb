"""ClipRecorder: saves the last half minute of the screen as a video."""

from __future__ import annotations

import io
import logging
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pygame

from arcade.engine.capture.video_file import JPEG_PICTURES, VideoFile
from arcade.video_formats import VideoError

SECONDS = 30.0
FPS = 30
SIZE = (960, 540)  # pixels of a video

_QUALITY = 85  # of the JPEG pictures in memory: some 30 MB for half a minute
_log = logging.getLogger(__name__)

Picture = tuple[float, bytes]  # when it was shown, seconds, and the JPEG


class ClipRecorder:
    """Keeps the pictures of the last `SECONDS`, compressed by a thread.

    `take` copies the canvas (a sixth of a millisecond) at most `FPS` times a second, and drops a picture rather than
    wait.
    """

    def __init__(self) -> None:
        self._kept: deque[Picture] = deque()
        self._jobs: queue.Queue[tuple[float, pygame.Surface] | None] = queue.Queue(maxsize=1)
        self._free: pygame.Surface | None = None
        self._idle = threading.Event()
        self._idle.set()
        self._thread: threading.Thread | None = None
        self._savers: list[threading.Thread] = []
        self._due = float("-inf")

    def take(self, canvas: pygame.Surface, now: float) -> None:
        """Record the canvas at `now` (seconds, of a monotonic clock)."""
        if now < self._due or not self._idle.is_set():
            return
        self._due = max(self._due + 1 / FPS, now)
        if self._free is None or self._free.get_size() != canvas.get_size():
            self._free = pygame.Surface(canvas.get_size(), depth=32)
        self._free.blit(canvas, (0, 0))
        self._idle.clear()
        if self._thread is None:
            self._thread = threading.Thread(target=self._compress_all, name="clips", daemon=True)
            self._thread.start()
        self._jobs.put((now, self._free))

    @property
    def seconds(self) -> float:
        """Length of the clip."""
        return self._kept[-1][0] - self._kept[0][0] if self._kept else 0.0

    def save(self, path: Path, done: Callable[[str], None]) -> None:
        """Write the clip as an MP4 at `path` in a thread, which calls `done` with the result as a message."""
        pictures = list(self._kept)
        saver = threading.Thread(target=lambda: done(_save(pictures, path)), name="clip")
        self._savers = [other for other in self._savers if other.is_alive()] + [saver]
        saver.start()

    def close(self) -> None:
        """Finish open videos and drop the pictures; can be called twice."""
        for saver in self._savers:
            saver.join()
        if self._thread is not None:
            self._jobs.put(None)
            self._thread.join()
            self._thread = None
        self._kept.clear()

    def _compress_all(self) -> None:
        while (job := self._jobs.get()) is not None:
            now, picture = job
            self._kept.append((now, _as_jpeg(picture)))
            while self._kept[0][0] < now - SECONDS:
                self._kept.popleft()
            self._idle.set()


def _as_jpeg(picture: pygame.Surface) -> bytes:
    from PIL import Image  # on demand: the first frame does not need it

    scaled = pygame.transform.smoothscale(picture, SIZE)  # four bytes a pixel: three take five times as long
    file = io.BytesIO()
    pixels = scaled.get_buffer()
    Image.frombuffer("RGB", SIZE, pixels, "raw", "BGRX", scaled.get_pitch(), 1).save(file, "JPEG", quality=_QUALITY)
    return file.getvalue()


def _save(pictures: Sequence[Picture], path: Path) -> str:
    if not pictures:
        return "There is no clip yet: nothing has been played"
    try:
        with VideoFile(path, JPEG_PICTURES, fps=FPS, quality=23) as video:
            for picture in _evenly(pictures):
                video.add(picture)
    except VideoError as error:
        _log.warning("the clip could not be written: %s", error)
        return f"The clip could not be written: {error}"
    return f"Clip of {pictures[-1][0] - pictures[0][0]:.0f} s saved: {path}"


def _evenly(pictures: Sequence[Picture]) -> Iterator[bytes]:
    """Yield `FPS` pictures a second, each the one on the screen at its moment."""
    place = 0
    for number in range(int((pictures[-1][0] - pictures[0][0]) * FPS) + 1):
        at = pictures[0][0] + number / FPS
        while place + 1 < len(pictures) and pictures[place + 1][0] <= at + 1e-6:
            place += 1
        yield pictures[place][1]
