"""VideoJob: another process that makes a video; Videos: all of them under way."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from agents.files import folder
from arcade.session.videos.settings import Video, VideoSettings
from arcade.video_formats import check_suffix


class VideoJob:
    """Begins at once; its state can be read at any time, from any thread."""

    def __init__(self, replay: Path, out: Path, settings: VideoSettings | None = None) -> None:
        """Raises VideoError for a file name without the suffix of a video."""
        check_suffix(out)
        self.out = out.absolute()
        self.share = 0.0  # of the video that is written, 0 … 1
        self.video: Video | None = None  # once it is made
        self.reason = "it was cancelled"  # of a failure
        self._ended = threading.Event()
        order = json.dumps([str(replay.absolute()), str(self.out), asdict(settings or VideoSettings())])
        self._child = subprocess.Popen(
            [sys.executable, "-m", "arcade.scenes.videos", order],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        threading.Thread(target=self._listen, name="video", daemon=True).start()

    @property
    def done(self) -> bool:
        """Whether the video is made or has failed."""
        return self._ended.is_set()

    @property
    def text(self) -> str:
        """The outcome for people, once `done`."""
        return self.video.text if self.video is not None else f"The video could not be made: {self.reason}"

    def wait(self, timeout: float | None = None) -> bool:
        """Block until it is `done`; not for a window."""
        return self._ended.wait(timeout)

    def cancel(self) -> None:
        """End it and delete its file, unless it is done; can be called twice."""
        self._child.terminate()

    def _listen(self) -> None:
        """In a thread: one JSON object a line, a share or the end."""
        assert self._child.stdout is not None
        with self._child.stdout as lines:
            for line in lines:
                with suppress(ValueError):  # printed by a library
                    self._handle(json.loads(line))
        self._child.wait()
        self._ended.set()

    def _handle(self, message: object) -> None:
        match message:
            case {"share": float() | int() as share}:
                self.share = float(share)
            case {"video": dict() as video}:
                self.video = Video(**{**video, "path": self.out, "size": tuple(video["size"])})
            case {"error": str() as reason}:
                self.reason = reason


MOST = 3
"""Videos that are made at the same time, on the cores that the match leaves free."""


class Videos:
    """The videos that this window ordered; those under way when it closes are finished.  `update` once a frame."""

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
        """Announce finished videos."""
        for job in [job for job in self.jobs if job.done]:
            self.jobs.remove(job)
            self._say(job.text, about=str(job.out))


def _free_path(folder: Path, name: str, suffix: str, *, taken: Collection[Path]) -> Path:
    """``NAME.mp4``, or ``NAME-2.mp4`` where that exists or is `taken`."""
    names = (f"{name}{number}{suffix}" for number in ("", *(f"-{n}" for n in range(2, 10_000))))
    return next(path for path in map(folder.joinpath, names) if path not in taken and not path.exists())
