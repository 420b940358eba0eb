"""VideoFile: writes pictures as an MP4 or GIF through ffmpeg, complete or not at all."""

from __future__ import annotations

import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from arcade.video_formats import HOLD, VideoError, check_suffix

JPEG_PICTURES = ("-f", "image2pipe", "-c:v", "mjpeg")  # ffmpeg's input options for JPEG files, one after another

_MP4 = ("-vcodec", "libx264", "-pix_fmt", "yuv420p", "-preset", "veryfast", "-movflags", "+faststart")
# Equal pictures become one that lasts.  Each has its palette: a common one would keep all pictures in memory.
_PALETTE = "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=bayer:bayer_scale=5"
_GIF = ("-vf", f"mpdecimate=hi=1:lo=1:frac=1,{_PALETTE}", "-fps_mode", "vfr", "-loop", "0")
_GIF_END = ("-final_delay", str(round(100 * HOLD)))


def raw_pictures(size: tuple[int, int]) -> tuple[str, ...]:
    """Return ffmpeg's input options for pygame surfaces of that size, four bytes a pixel."""
    return ("-f", "rawvideo", "-pix_fmt", "bgr0", "-s", f"{size[0]}x{size[1]}")


class VideoFile:
    """A context manager, which leaves no file after an error.

    `pictures` declares the argument of `add`: JPEG_PICTURES or `raw_pictures`.  `quality` is for x264 (CRF).
    """

    def __init__(self, path: Path, pictures: tuple[str, ...], *, fps: float, quality: int = 20) -> None:
        check_suffix(path)
        self.path = path.absolute()
        self._aside = self.path.with_name(f".{path.stem}.part{path.suffix.lower()}")
        is_gif = self.path.suffix.lower() == ".gif"
        output = (*_GIF, *_GIF_END) if is_gif else (*_MP4, "-crf", str(quality))
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  (lives as long as ffmpeg)
        self._ffmpeg = self._start(*pictures, "-r", f"{fps:.6f}", "-i", "-", "-an", *output)

    def add(self, picture: bytes) -> None:
        """Write the next picture."""
        assert self._ffmpeg.stdin is not None
        try:
            self._ffmpeg.stdin.write(picture)
        except OSError as error:
            raise self._failure(error.strerror or "it ended") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
                self._finish()
        finally:
            self._ffmpeg.kill()
            self._ffmpeg.communicate()
            self._log.close()
            with suppress(OSError):  # it was renamed, or its folder is gone
                self._aside.unlink(missing_ok=True)

    def _start(self, *options: str) -> subprocess.Popen[bytes]:
        import imageio_ffmpeg

        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            command = [imageio_ffmpeg.get_ffmpeg_exe(), "-y", "-v", "error", *options, str(self._aside)]
            return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self._log)
        except (OSError, RuntimeError) as error:  # RuntimeError: no encoder on this machine
            raise VideoError(f"expected to write a video at {self.path}, got: {error}") from error

    def _finish(self) -> None:
        try:
            assert self._ffmpeg.stdin is not None
            self._ffmpeg.stdin.close()
            if self._ffmpeg.wait():
                raise self._failure(f"exit status {self._ffmpeg.returncode}")
            self._aside.replace(self.path)
        except OSError as error:
            raise self._failure(error.strerror or "it ended") from error

    def _failure(self, reason: str) -> VideoError:
        self._ffmpeg.kill()
        self._ffmpeg.wait()
        self._log.seek(0)
        words = self._log.read().decode(errors="replace").strip().splitlines()
        return VideoError(f"expected to write a video at {self.path}, got: {words[-1] if words else reason}")
