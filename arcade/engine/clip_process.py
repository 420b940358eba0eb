"""The process that keeps a clip: ``python -m arcade.engine.clip_process PICTURES VIDEOS MEMORY LIMIT``.

It inherits two connections and the descriptor of a file that the window's canvas is copied to, and keeps JPEGs of the
last `SECONDS` in at most LIMIT bytes.  Requests and answers are pickled by one of the two processes that share the
connections; nothing that a user receives ever travels there.

==========  =============================  ===================================================================
connection  request                        answer
==========  =============================  ===================================================================
PICTURES    (width, height, pitch, time)   seconds kept, once the picture in the memory is
VIDEOS      (path, sounds)                 ("saved", seconds), ("nothing",) or ("failed", why), in their order
==========  =============================  ===================================================================
"""

from __future__ import annotations

import io
import mmap
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

import pygame
from PIL import Image

from agents.platform import system
from agents.platform.children import end_with_parent
from arcade.engine.capture import CLIP_FPS, JPEG_PICTURES, open_video
from arcade.engine.picture_memory import KeptPicture, PictureMemory
from arcade.video_formats import VideoError

SECONDS = 30.0
LARGEST = (1280, 720)  # pixels of a clip at most; a smaller window has its own size

_QUALITY = 85  # of the JPEG pictures in memory: some 30 to 80 MB for half a minute

Picture = tuple[float, KeptPicture]  # when it was shown, seconds, and the JPEG
Heard = tuple[float, bytes, float]  # when it began, seconds; samples (int16, mono, RATE); volume 0 … 1
Outcome = tuple[str] | tuple[str, float] | tuple[str, str]  # of a video


class ClipKeeper:
    """The pictures of the last `SECONDS`, for one thread that keeps and others that save.

    Hours of it take no more memory than the largest clip: see `PictureMemory`.
    """

    def __init__(self, limit: int) -> None:
        self._memory = PictureMemory(limit)
        self._kept: deque[Picture] = deque()

    @property
    def seconds(self) -> float:
        """Length of the clip."""
        return self._kept[-1][0] - self._kept[0][0] if self._kept else 0.0

    @property
    def pictures(self) -> list[Picture]:
        """The present clip, which stays as it is."""
        return list(self._kept)

    def keep(self, picture: pygame.Surface, now: float) -> None:
        """Compress the picture that was shown at `now`; what is older than `SECONDS`, or has no room, goes."""
        jpeg = _jpeg(picture)
        while self._kept and (self._kept[0][0] < now - SECONDS or len(jpeg) > self._memory.free):
            self._kept.popleft()
        if len(jpeg) <= self._memory.free:  # else a clip that is being saved has all of it
            self._kept.append((now, self._memory.keep(jpeg)))


def _jpeg(picture: pygame.Surface) -> bytes:
    size = clip_size(picture.get_size())
    is_own = size == picture.get_size()
    scaled = picture if is_own else pygame.transform.smoothscale(picture, size)  # of four bytes a pixel: the fastest
    pixels = Image.frombuffer("RGB", size, scaled.get_buffer(), "raw", "BGRX", scaled.get_pitch(), 1)
    file = io.BytesIO()
    pixels.save(file, "JPEG", quality=_QUALITY)
    return file.getvalue()


def clip_size(window: tuple[int, int]) -> tuple[int, int]:
    """Return the size of a clip of a window: its own, or within LARGEST, in even numbers as the encoder wants.

    >>> clip_size((1920, 1200)), clip_size((641, 360))
    ((1152, 720), (640, 360))
    """
    share = min(1.0, LARGEST[0] / window[0], LARGEST[1] / window[1])
    width, height = (max(2, int(length * share + 1e-6) // 2 * 2) for length in window)
    return width, height


def save(pictures: Sequence[Picture], path: Path, sounds: Sequence[Heard]) -> Outcome:
    """Write a clip as an MP4 at `path`, complete or not at all; returns the answer to a request for a video."""
    if not pictures:
        return ("nothing",)
    try:
        start, end = pictures[0][0], pictures[-1][0]
        mixed, size = _mixed(sounds, start, end), _size_of(pictures[-1][1].jpeg())
        with open_video(path, JPEG_PICTURES, fps=CLIP_FPS, quality=23, sound=mixed, size=size) as add:
            for picture in _evenly(pictures):
                add(picture)
    except VideoError as error:
        return "failed", str(error)
    return "saved", end - start


def _size_of(jpeg: bytes) -> tuple[int, int]:
    width, height = Image.open(io.BytesIO(jpeg)).size
    return width, height


def _mixed(sounds: Sequence[Heard], start: float, end: float) -> bytes:
    """Add up the sounds between two moments, as samples (int16, mono, RATE); b"" for none."""
    import numpy as np  # on demand: pictures do not need it

    from arcade.engine.audio.synthesis import RATE

    mixed = np.zeros(round((end - start) * RATE), np.float32)
    for began, samples, volume in sounds:
        effect = np.frombuffer(samples, np.int16).astype(np.float32) * volume
        at = round((began - start) * RATE)
        first, last = max(at, 0), min(at + len(effect), len(mixed))
        if first < last:
            mixed[first:last] += effect[first - at : last - at]
    return mixed.clip(-32768, 32767).astype(np.int16).tobytes() if mixed.any() else b""


def _evenly(pictures: Sequence[Picture]) -> Iterator[bytes]:
    """Yield `CLIP_FPS` pictures a second, each the one on the screen at its moment."""
    place = 0
    for number in range(int((pictures[-1][0] - pictures[0][0]) * CLIP_FPS) + 1):
        at = pictures[0][0] + number / CLIP_FPS
        while place + 1 < len(pictures) and pictures[place + 1][0] <= at + 1e-6:
            place += 1
        yield pictures[place][1].jpeg()


def keep_all(pictures: Connection, descriptor: int, keeper: ClipKeeper) -> None:
    """Keep each picture that is announced, until the window hangs up."""
    memory: mmap.mmap | None = None
    with suppress(EOFError, ConnectionError):
        while True:
            width, height, pitch, now = pictures.recv()
            if memory is None or len(memory) < pitch * height:
                memory = mmap.mmap(descriptor, pitch * height)
            canvas = memoryview(memory)[: pitch * height]
            keeper.keep(pygame.image.frombuffer(canvas, (width, height), "BGRA", pitch), now)
            pictures.send(keeper.seconds)


def save_all(videos: Connection, keeper: ClipKeeper) -> None:
    """Save the clip of each request as it is at that moment, one after another, until the window hangs up."""
    with suppress(EOFError, ConnectionError), ThreadPoolExecutor(1, "videos") as saver:
        while True:
            path, sounds = videos.recv()
            saver.submit(_answer, videos, keeper.pictures, path, sounds)


def _answer(videos: Connection, pictures: Sequence[Picture], path: Path, sounds: Sequence[Heard]) -> None:
    videos.send(save(pictures, path, sounds))


def main() -> None:
    end_with_parent()
    system.interrupt_nobody()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all at once: the window ends us
    pictures, videos = map(system.received_connection, sys.argv[1:3])
    keeper = ClipKeeper(int(sys.argv[4]))
    saver = threading.Thread(target=save_all, args=(videos, keeper), name="clips")
    saver.start()
    keep_all(pictures, system.received(sys.argv[3]), keeper)
    saver.join()


if __name__ == "__main__":
    main()
