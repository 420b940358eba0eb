"""VideoJob: a video that another process makes while the window goes on."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from agents.home import folder
from arcade.session.videos.settings import Video, VideoSettings
from arcade.video_formats import check_suffix


class VideoJob:
    """Made at once and never waited for; what it is at may be read at any time, from any thread."""

    def __init__(self, replay: Path, out: Path, settings: VideoSettings | None = None) -> None:
        """Raises VideoError for a name that is no video's."""
        check_suffix(out)
        self.out = out.absolute()
        self.share = 0.0  # of the video that is written, 0 … 1
        self.words = ""  # at the end, for people: where it is, or why it is not
        self.failed = False
        self.video: Video | None = None  # at the end, unless it failed
        self.reason = "it was given up"  # why it failed
        self._ended = threading.Event()
        order = json.dumps([str(replay.absolute()), str(self.out), asdict(settings or VideoSettings())])
        self._child = subprocess.Popen(
            [sys.executable, "-m", "arcade.scenes.videos", order],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        threading.Thread(target=self._listen, name="video", daemon=True).start()

    @property
    def done(self) -> bool:
        """It is there, or it has failed: `words` tells."""
        return self._ended.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        """Block until it is `done`; not for a window."""
        return self._ended.wait(timeout)

    def cancel(self) -> None:
        """Give it up; what was written so far goes.  Twice does no harm, and what is done stays."""
        self._child.terminate()

    def _listen(self) -> None:
        """In a thread: one JSON value a line, a share or the end."""
        assert self._child.stdout is not None
        with self._child.stdout as lines:
            for line in lines:
                with suppress(ValueError):  # what a library prints
                    self._take(json.loads(line))
        self._child.wait()
        if not self.words:
            self.words, self.failed = "The video was given up", True
        self._ended.set()

    def _take(self, said: object) -> None:
        match said:
            case {"share": float() | int() as share}:
                self.share = float(share)
            case {"video": dict() as video}:
                self.video = Video(**{**video, "path": self.out, "size": tuple(video["size"])})
                self.words = self.video.words
            case {"error": str() as reason}:
                self.words, self.reason, self.failed = f"The video could not be made: {reason}", reason, True


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
