"""Videos: what the window has ordered, each made by a process of its own, and told of when it is there."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

from agents.home import folder
from arcade.session.videos.job import VideoJob
from arcade.session.videos.settings import VideoSettings

MOST = 3
"""Videos that are made at the same time: each takes what two cores leave over."""


class Videos:
    """Lives as long as the window, which calls `update` once a frame; what is under way at its end is finished."""

    def __init__(self, say: Callable[..., None]) -> None:
        self._say = say
        self.jobs: list[VideoJob] = []

    def order(self, replay: Path, settings: VideoSettings, *, suffix: str = ".mp4") -> VideoJob | None:
        """Begin a video of `replay`, named after it, in ARCADE_HOME/videos; None where too many are under way."""
        if len(self.jobs) >= MOST:
            self._say(f"{MOST} videos are being made: one must be done before the next")
            return None
        under_way = [job.out for job in self.jobs]
        job = VideoJob(replay, _free_path(folder("videos").absolute(), replay.stem, suffix, taken=under_way), settings)
        self.jobs.append(job)
        return job

    def update(self) -> None:
        """Tell of videos that are done."""
        for job in [job for job in self.jobs if job.done]:
            self.jobs.remove(job)
            self._say(job.words, about=str(job.out))


def _free_path(folder: Path, name: str, suffix: str, *, taken: Collection[Path]) -> Path:
    """``NAME.mp4``, or ``NAME-2.mp4`` where that is there or `taken`."""
    names = (f"{name}{number}{suffix}" for number in ("", *(f"-{n}" for n in range(2, 10_000))))
    return next(path for path in map(folder.joinpath, names) if path not in taken and not path.exists())
