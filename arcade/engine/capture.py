"""Screenshots, clips of the last half minute, and MP4 or GIF files by ffmpeg."""

from __future__ import annotations

import io
import logging
import subprocess
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import pygame

from agents.files import folder, replacing
from agents.platform import system
from agents.platform.children import start_program
from arcade.engine.picture_memory import KeptPicture, PictureMemory
from arcade.ffmpeg import ffmpeg
from arcade.language import _, clock_text
from arcade.video_formats import HOLD, VideoError, check_suffix

SECONDS = 30.0
FPS = 30
LARGEST = (1280, 720)  # pixels of a clip at most; a smaller window has its own size

_QUALITY = 85  # of the JPEG pictures in memory: some 30 to 80 MB for half a minute
_MEMORY = 256 * 2**20  # for them at most: a clip of noise is shorter; memory is taken as it is needed
_log = logging.getLogger(__name__)

Picture = tuple[float, KeptPicture]  # when it was shown, seconds, and the JPEG
Heard = tuple[float, bytes, float]  # when it began, seconds; samples (int16, mono, RATE); volume 0 … 1


def new_capture_path(kind: str, suffix: str) -> Path:
    """Return a new path in the folder `kind` of ARCADE_HOME."""
    return folder(kind) / f"{datetime.now():%Y-%m-%d-%H%M%S-%f}.{suffix}"


def save_picture(picture: pygame.Surface, path: Path) -> Path:
    """Save a PNG at `path`, complete or not at all; returns `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as aside:
        aside.write_bytes(png_bytes(picture))
    return path


class _Sink:
    """Takes what pygame writes.  pygame keeps every file object that it has written to: there is this one alone."""

    __slots__ = ("lock", "parts")

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.lock = threading.Lock()

    def write(self, data: bytes) -> int:
        self.parts.append(bytes(data))
        return len(data)


_SINK = _Sink()


def png_bytes(picture: pygame.Surface) -> bytes:
    """A picture as PNG."""
    with _SINK.lock:
        pygame.image.save(picture, _SINK, ".png")  # type: ignore[arg-type]  # it only writes
        parts, _SINK.parts = _SINK.parts, []
    return b"".join(parts)


def save_screenshot(picture: pygame.Surface, done: Callable[[str], object]) -> None:
    """Save a copy in a thread, which calls `done` with the result as a message."""
    copy = picture.copy()
    threading.Thread(target=lambda: done(_save_screenshot(copy)), name="screenshot").start()


def _save_screenshot(picture: pygame.Surface) -> str:
    try:
        path = save_picture(picture, new_capture_path("screenshots", "png"))
    except OSError as error:
        _log.warning("the picture could not be written: %s", error)
        return _("The picture could not be written: {error}").format(error=error.strerror or error)
    return _("Picture saved: {path}").format(path=path)


class ClipRecorder:
    """Keeps the pictures of the last `SECONDS`, compressed by a thread.

    `take` copies the canvas (a sixth of a millisecond) at most `FPS` times a second, and drops a picture rather than
    wait.  Hours of it take no more memory than the largest clip: see `PictureMemory`.
    """

    def __init__(self, memory: int = _MEMORY) -> None:
        self._memory = PictureMemory(memory)
        self._kept: deque[Picture] = deque()
        self._compressor = ThreadPoolExecutor(1, "pictures", initializer=system.interrupt_nobody)
        self._saver = ThreadPoolExecutor(1, "clips")
        self._compressed: Future[None] | None = None
        self._copy: pygame.Surface | None = None
        self._file: io.FileIO | None = None  # that each picture is compressed into
        self._due = float("-inf")

    def take(self, canvas: pygame.Surface, now: float) -> None:
        """Record the canvas at `now` (seconds, of a monotonic clock)."""
        if now < self._due or (self._compressed is not None and not self._compressed.done()):
            return
        self._due = max(self._due + 1 / FPS, now)
        if self._copy is None or self._copy.get_size() != canvas.get_size():
            self._copy = pygame.Surface(canvas.get_size(), depth=32)
        self._copy.blit(canvas, (0, 0))
        self._compressed = self._compressor.submit(self._compress, self._copy, now)

    @property
    def seconds(self) -> float:
        """Length of the clip."""
        return self._kept[-1][0] - self._kept[0][0] if self._kept else 0.0

    @property
    def bytes(self) -> int:
        """Memory that clips have taken; the next pictures are kept in it."""
        return self._memory.used

    def save(self, path: Path, done: Callable[[str], None], *, heard: Sequence[Heard] = ()) -> None:
        """Write the clip as an MP4 at `path` in a thread, which calls `done` with the result as a message.

        `heard` has the sounds, at times of the clock of `take`.
        """
        pictures, sounds = list(self._kept), list(heard)
        self._saver.submit(lambda: done(_save(pictures, path, sounds)))

    def close(self) -> None:
        """Finish open videos and drop the pictures; can be called twice."""
        self._compressor.shutdown()
        self._saver.shutdown()
        self._kept.clear()
        if self._file is not None:
            self._file.close()

    def _compress(self, picture: pygame.Surface, now: float) -> None:
        if self._file is None:
            self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  (lives as long as the recorder)
        length = _write_jpeg(picture, self._file)
        while self._kept and (self._kept[0][0] < now - SECONDS or length > self._memory.free):
            self._kept.popleft()
        if length <= self._memory.free:  # else a clip that is being saved has all of it
            self._kept.append((now, self._memory.keep(self._file, length)))


def _write_jpeg(picture: pygame.Surface, file: io.FileIO) -> int:
    """Compress into a file, and return the length; the file stands at its beginning.

    To memory, Pillow would let no other thread run meanwhile, and so the window wait.
    """
    from PIL import Image  # on demand: the first frame does not need it

    size = clip_size(picture.get_size())
    is_own = size == picture.get_size()
    scaled = picture if is_own else pygame.transform.smoothscale(picture, size)  # of four bytes a pixel: the fastest
    pixels = Image.frombuffer("RGB", size, scaled.get_buffer(), "raw", "BGRX", scaled.get_pitch(), 1)
    file.seek(0)
    pixels.save(file, "JPEG", quality=_QUALITY)
    length = file.tell()
    file.seek(0)
    return length


def clip_size(window: tuple[int, int]) -> tuple[int, int]:
    """Return the size of a clip of a window: its own, or within LARGEST, in even numbers as the encoder wants.

    >>> clip_size((1920, 1200)), clip_size((641, 360))
    ((1152, 720), (640, 360))
    """
    share = min(1.0, LARGEST[0] / window[0], LARGEST[1] / window[1])
    width, height = (max(2, int(length * share + 1e-6) // 2 * 2) for length in window)
    return width, height


def _save(pictures: Sequence[Picture], path: Path, sounds: Sequence[Heard]) -> str:
    if not pictures:
        return _("There is no clip yet: nothing has been played")
    try:
        start, end = pictures[0][0], pictures[-1][0]
        mixed, size = _mixed(sounds, start, end), _size_of(pictures[-1][1].jpeg())
        with open_video(path, JPEG_PICTURES, fps=FPS, quality=23, sound=mixed, size=size) as add:
            for picture in _evenly(pictures):
                add(picture)
    except VideoError as error:
        _log.warning("the clip could not be written: %s", error)
        return _("The clip could not be written: {error}").format(error=error)
    return _("Clip of {length} saved: {path}").format(length=clock_text(end - start), path=path)


def _size_of(jpeg: bytes) -> tuple[int, int]:
    from PIL import Image  # on demand: the first frame does not need it

    width, height = Image.open(io.BytesIO(jpeg)).size
    return width, height


def _mixed(sounds: Sequence[Heard], start: float, end: float) -> bytes:
    """Add up the sounds between two moments, as samples (int16, mono, RATE); b"" for none."""
    import numpy as np  # on demand: the first frame does not need it

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
    """Yield `FPS` pictures a second, each the one on the screen at its moment."""
    place = 0
    for number in range(int((pictures[-1][0] - pictures[0][0]) * FPS) + 1):
        at = pictures[0][0] + number / FPS
        while place + 1 < len(pictures) and pictures[place + 1][0] <= at + 1e-6:
            place += 1
        yield pictures[place][1].jpeg()


JPEG_PICTURES = ("-f", "image2pipe", "-c:v", "mjpeg")  # ffmpeg's input options for JPEG files, one after another

_MP4 = ("-f", "mp4", "-vcodec", "libx264", "-pix_fmt", "yuv420p", "-preset", "veryfast", "-movflags", "+faststart")
# Equal pictures become one that lasts.  Each has its palette: a common one would keep all pictures in memory.
_PALETTE = "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=bayer:bayer_scale=5"
_HOLD = str(round(100 * HOLD))
_GIF = (
    "-f", "gif", "-vf", f"mpdecimate=hi=1:lo=1:frac=1,{_PALETTE}", "-fps_mode", "vfr", "-loop", "0",
    "-final_delay", _HOLD,
)  # fmt: skip


def raw_pictures(size: tuple[int, int]) -> tuple[str, ...]:
    """Return ffmpeg's input options for pygame surfaces of that size, four bytes a pixel."""
    return ("-f", "rawvideo", "-pix_fmt", "bgr0", "-s", f"{size[0]}x{size[1]}")


@contextmanager
def open_video(
    path: Path,
    pictures: tuple[str, ...],
    *,
    fps: float,
    quality: int = 20,
    sound: bytes = b"",
    size: tuple[int, int] | None = None,
) -> Iterator[Callable[[bytes], object]]:
    """Yield the function that adds a picture to the video; after an error there is no file.

    `pictures` declares its argument: JPEG_PICTURES or `raw_pictures`.  `quality` is for x264 (CRF).  `sound`: samples
    (int16, mono, synthesis.RATE), for MP4 alone.  `size`: scale all pictures to it, where their sizes differ.
    """
    check_suffix(path)
    path = path.absolute()
    output = _GIF if path.suffix.lower() == ".gif" else (*_MP4, "-crf", str(quality))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as aside, tempfile.TemporaryFile() as log, tempfile.NamedTemporaryFile() as samples:
            samples.write(sound)
            samples.flush()
            scaled = ("-vf", f"scale={size[0]}:{size[1]}") if size is not None else ()
            tracks = (*_sound_input(samples.name), *scaled, "-c:a", "aac") if sound else (*scaled, "-an")
            options = (*pictures, "-r", f"{fps:.6f}", "-i", "-", *tracks, *output, str(aside))
            command = [ffmpeg(), "-y", "-v", "error", *options]
            encoder = start_program(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=log)
            assert encoder.stdin is not None
            try:
                yield encoder.stdin.write
                encoder.stdin.close()
                if encoder.wait():
                    raise BrokenPipeError(f"exit status {encoder.returncode}")
            except BrokenPipeError as error:
                encoder.kill()
                encoder.wait()
                log.seek(0)
                first = log.read().decode(errors="replace").strip().partition("\n")[0]  # the others follow from it
                raise OSError(first.rpartition("] ")[2] or str(error)) from error
            finally:
                encoder.kill()
                encoder.communicate()
    except OSError as error:
        raise VideoError(f"expected to write a video at {path}, got: {error.strerror or error}") from error


def _sound_input(path: str) -> tuple[str, ...]:
    from arcade.engine.audio.synthesis import RATE  # on demand: it imports numpy

    return ("-f", "s16le", "-ar", str(RATE), "-ac", "1", "-i", path)
