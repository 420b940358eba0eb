"""VideoFile: pictures, one after another, into an MP4 or a GIF; complete or not there at all."""

from __future__ import annotations

import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import pygame

from arcade.session.videos.settings import HOLD, VideoError, check_suffix

_MP4 = ("-vcodec", "libx264", "-pix_fmt", "yuv420p", "-crf", "20", "-preset", "veryfast", "-movflags", "+faststart")
# Pictures that stand are one picture that stays.  A palette for each: one for all would have every picture wait in
# memory until the last is known.
_PALETTE = "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=bayer:bayer_scale=5"
_GIF = ("-vf", f"mpdecimate=hi=1:lo=1:frac=1,{_PALETTE}", "-fps_mode", "vfr", "-loop", "0")


class VideoFile:
    """Streams canvases of one size to ffmpeg; a context manager, which leaves no file where its body raises."""

    def __init__(self, path: Path, *, size: tuple[int, int], fps: float) -> None:
        check_suffix(path)
        self.path = path.absolute()
        self._size = size
        self._aside = self.path.with_name(f".{path.stem}.part{path.suffix.lower()}")
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  (lives as long as ffmpeg)
        self._ffmpeg = self._start(fps)

    def add(self, canvas: pygame.Surface) -> None:
        """The next picture: a surface of four bytes a pixel and of the video's size."""
        assert canvas.get_size() == self._size
        assert self._ffmpeg.stdin is not None
        try:
            self._ffmpeg.stdin.write(canvas.get_buffer().raw)
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

    def _start(self, fps: float) -> subprocess.Popen[bytes]:
        import imageio_ffmpeg

        width, height = self._size
        picture = ("-f", "rawvideo", "-pix_fmt", "bgr0", "-s", f"{width}x{height}", "-r", f"{fps:.6f}", "-i", "-")
        is_gif = self.path.suffix.lower() == ".gif"
        how = (*_GIF, "-final_delay", str(round(100 * HOLD))) if is_gif else _MP4
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            command = [imageio_ffmpeg.get_ffmpeg_exe(), "-y", "-v", "error", *picture, "-an", *how, str(self._aside)]
            return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self._log)
        except (OSError, RuntimeError) as error:  # RuntimeError: no encoder on this machine
            raise VideoError(f"expected to write a video at {self.path}, got: {error}") from error

    def _finish(self) -> None:
        assert self._ffmpeg.stdin is not None
        try:
            self._ffmpeg.stdin.close()
        except OSError as error:
            raise self._failure(error.strerror or "it ended") from error
        if self._ffmpeg.wait():
            raise self._failure(f"exit status {self._ffmpeg.returncode}")
        try:
            self._aside.replace(self.path)
        except OSError as error:
            raise self._failure(error.strerror or "it could not be renamed") from error

    def _failure(self, reason: str) -> VideoError:
        self._ffmpeg.kill()
        self._ffmpeg.wait()
        self._log.seek(0)
        words = self._log.read().decode(errors="replace").strip().splitlines()
        return VideoError(f"expected to write a video at {self.path}, got: {words[-1] if words else reason}")
