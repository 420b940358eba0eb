"""Videos as MP4 or GIF through ffmpeg, complete or not at all."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from agents.files import replacing
from arcade.video_formats import HOLD, VideoError, check_suffix

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
    path: Path, pictures: tuple[str, ...], *, fps: float, quality: int = 20
) -> Iterator[Callable[[bytes], object]]:
    """Yield the function that adds a picture to the video; after an error there is no file.

    `pictures` declares its argument: JPEG_PICTURES or `raw_pictures`.  `quality` is for x264 (CRF).
    """
    check_suffix(path)
    path = path.absolute()
    output = _GIF if path.suffix.lower() == ".gif" else (*_MP4, "-crf", str(quality))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as aside, tempfile.TemporaryFile() as log:
            options = (*pictures, "-r", f"{fps:.6f}", "-i", "-", "-an", *output, str(aside))
            command = [_encoder(), "-y", "-v", "error", *options]
            ffmpeg = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=log)
            assert ffmpeg.stdin is not None
            try:
                yield ffmpeg.stdin.write
                ffmpeg.stdin.close()
                if ffmpeg.wait():
                    raise BrokenPipeError(f"exit status {ffmpeg.returncode}")
            except BrokenPipeError as error:
                ffmpeg.kill()
                ffmpeg.wait()
                log.seek(0)
                lines = log.read().decode(errors="replace").strip().splitlines()
                raise OSError(lines[-1] if lines else str(error)) from error
            finally:
                ffmpeg.kill()
                ffmpeg.communicate()
    except OSError as error:
        raise VideoError(f"expected to write a video at {path}, got: {error.strerror or error}") from error


def _encoder() -> str:
    import imageio_ffmpeg

    try:
        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except RuntimeError as error:  # none on this machine
        raise OSError(str(error)) from error
