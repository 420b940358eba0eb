"""The program that encodes videos."""

from __future__ import annotations


def ffmpeg() -> str:
    """Return the path of ffmpeg; raises OSError where it is missing."""
    import imageio_ffmpeg

    try:
        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except RuntimeError as error:
        raise OSError(str(error)) from error
