"""Suffixes of videos (MP4, GIF) and their check."""

from __future__ import annotations

from pathlib import Path

from agents.errors import UserError

SUFFIXES = (".mp4", ".gif")
HOLD = 1.0
"""Seconds for which a video shows its last picture."""


class VideoError(UserError):
    """A video with impossible settings, or whose file cannot be written."""


def check_suffix(path: Path) -> None:
    """Raise VideoError for a name that is neither *.mp4 nor *.gif."""
    if path.suffix.lower() not in SUFFIXES:
        raise VideoError(f"expected a video named *.mp4 or *.gif, got: {path.name!r}")
