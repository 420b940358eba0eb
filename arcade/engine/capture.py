"""Screenshots, and MP4 or GIF files by ffmpeg."""

from __future__ import annotations

import logging
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import pygame

from agents.files import folder, replacing
from agents.platform.children import start_program
from arcade.ffmpeg import ffmpeg
from arcade.language import _
from arcade.video_formats import HOLD, VideoError, check_suffix

CLIP_FPS = 30
"""Pictures a second of a clip."""

_log = logging.getLogger(__name__)


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
