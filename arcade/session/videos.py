"""Videos of recordings: settings, the timetable of pictures, and the processes that make them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import asdict, dataclass
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from agents.files import folder
from agents.seats.controller import AgentID
from arcade.language import N_, _, clock_text, ngettext, present
from arcade.session.jobs import ChildJob, Jobs
from arcade.video_formats import HOLD, VideoError, check_suffix

if TYPE_CHECKING:  # the title is on screen before this is imported
    from arcade.match.playback.replay import Replay

LARGE, SMALL = (1280, 720), (640, 360)
"""Default pixels of an MP4, and of a GIF."""

SMALLEST, LARGEST = 64, 3840
MOST_FPS = {".mp4": 30, ".gif": 20}  # a GIF counts time in hundredths
LEAST_FPS = 10


@dataclass(frozen=True, kw_only=True)
class VideoSettings:
    """Seconds are those of the recording at the game's own rate."""

    start: float = 0.0
    end: float | None = None  # None: to the recording's end
    speed: float = 1.0
    size: tuple[int, int] | None = None  # width, height in pixels, both even; None: LARGE, of a GIF SMALL
    hud: bool = False  # names, scores and the time above the picture
    viewer: AgentID | None = None  # whose private information is shown; None: only public information

    def __post_init__(self) -> None:
        if not 0 <= self.start < (float("inf") if self.end is None else self.end):
            raise VideoError(f"expected 0 <= from < to, got: from {self.start:g} to {self.end}")
        if not 1 / 64 <= self.speed <= 64:
            raise VideoError(f"expected 1/64 <= speed <= 64, got: {self.speed:g}")
        if self.size is not None and not all(SMALLEST <= n <= LARGEST and n % 2 == 0 for n in self.size):
            got = f"{self.size[0]}x{self.size[1]}"
            raise VideoError(f"expected a size of two even numbers from {SMALLEST} to {LARGEST}, got: {got}")


def parse_size(word: str) -> tuple[int, int]:
    """``1280x720`` as two numbers."""
    found = re.fullmatch(r"(\d{2,4})[x×](\d{2,4})", word.strip())
    if found is None:
        raise VideoError(f"expected a size like 1280x720, got: {word!r}")
    return int(found[1]), int(found[2])


@dataclass(frozen=True, kw_only=True)
class Timetable:
    """The ticks of the pictures."""

    first: int  # tick of the first picture
    last: int  # … and of the last
    rate: float  # ticks a second of video
    fps: float  # pictures a second
    size: tuple[int, int]

    @property
    def pictures(self) -> int:
        return ceil((self.last - self.first) / self.rate * self.fps) + ceil(HOLD * self.fps)

    @property
    def seconds(self) -> float:
        return self.pictures / self.fps

    def ticks(self) -> Iterator[tuple[int, int]]:
        """Each tick that is shown, and its number of pictures, in order."""
        shown, count = self.first, 0
        for picture in range(self.pictures):
            tick = min(self.last, self.first + int(picture / self.fps * self.rate + 1e-6))
            if tick != shown:
                yield shown, count
                shown, count = tick, 0
            count += 1
        yield shown, count


def timetable(replay: Replay, settings: VideoSettings, out: Path) -> Timetable:
    """The timetable of a video; raises VideoError for an empty one, or a file name without the suffix of a video."""
    check_suffix(out)
    spec = replay.spec()
    if settings.viewer is not None and settings.viewer not in spec.agents:
        raise VideoError(f"expected a seat of {', '.join(map(str, spec.agents))}, got: {settings.viewer!r}")
    whole = len(replay.actions)
    first = round(settings.start * spec.fps)
    if first > whole or (first == whole and first):
        raise VideoError(f"expected from < {whole / spec.fps:g}, the seconds of the recording, got: {settings.start:g}")
    last = whole if settings.end is None else min(whole, max(first + 1, round(settings.end * spec.fps)))
    is_gif = out.suffix.lower() == ".gif"
    rate = spec.fps * settings.speed
    return Timetable(
        first=first, last=last, rate=rate, fps=_fps(rate, MOST_FPS[out.suffix.lower()]),
        size=settings.size or (SMALL if is_gif else LARGE),
    )  # fmt: skip


def _fps(rate: float, most: float) -> float:
    """Pictures a second: a whole part of the ticks, or a whole number for each, so that motion is even."""
    if rate > most:
        return rate / ceil(rate / most)
    return rate * ceil(LEAST_FPS / rate) if rate < LEAST_FPS else rate


@dataclass(frozen=True, kw_only=True)
class Video:
    """A finished video."""

    path: Path
    seconds: float
    pictures: int
    size: tuple[int, int]
    differs_at: int | None = (
        None  # the tick where the replayed game differs from the recording: the video ends before it
    )

    @property
    def text(self) -> str:
        """The path, and why the video ends early."""
        cut = N_("Video of {length} saved: {path}; it ends early, as the replayed game differs from tick {tick} on")
        text = N_("Video of {length} saved: {path}") if self.differs_at is None else cut
        return _(text).format(length=clock_text(self.seconds), path=self.path, tick=self.differs_at)


class VideoJob(ChildJob):
    """Makes one video."""

    def __init__(self, replay: Path, out: Path, settings: VideoSettings | None = None) -> None:
        """Raises VideoError for a file name without the suffix of a video."""
        check_suffix(out)
        self.replay, self.out = replay, out.absolute()
        self.title = _("Video {name}").format(name=out.name)
        self._share = 0.0
        self.video: Video | None = None  # once it is made
        self.reason = _("it was cancelled")  # of a failure
        order = [str(replay.absolute()), str(self.out), asdict(settings or VideoSettings()), present()]
        super().__init__("arcade.scenes.videos", order)

    @property
    def progress(self) -> float:
        """The share of the video that is written, 0 … 1."""
        return self._share

    @property
    def text(self) -> str:
        """The time left, for people, then the outcome."""
        if not self.done:
            return self.left_text
        if self.video is not None:
            return self.video.text
        return _("The video could not be made: {reason}").format(reason=self.reason)

    def handle(self, message: object) -> None:
        match message:
            case {"share": float() | int() as share}:
                self._share = float(share)
            case {"video": dict() as video}:
                self.video = Video(**{**video, "path": self.out, "size": tuple(video["size"])})
            case {"error": str() as reason}:
                self.reason = reason


MOST = 3
"""Videos that are made at the same time, on the cores that the match leaves free."""


class Videos:
    """The videos that this window ordered; those under way when it closes are finished.  `update` once a frame."""

    def __init__(self, jobs: Jobs, say: Callable[..., None]) -> None:
        self._listed, self._say = jobs, say
        self.jobs: list[VideoJob] = []

    def order(self, replay: Path, settings: VideoSettings, *, name: str = "", suffix: str = ".mp4") -> VideoJob | None:
        """Begin a video of `replay` in ARCADE_HOME/videos, named after it without a `name` of its own.

        None where too many are under way.
        """
        if len(self.jobs) >= MOST:
            busy = ngettext("{count} video is being made", "{count} videos are being made: wait for one of them", MOST)
            self._say(busy.format(count=MOST))
            return None
        under_way = [job.out for job in self.jobs]
        out = _free_path(folder("videos").absolute(), name or replay.stem, suffix, taken=under_way)
        job = VideoJob(replay, out, settings)
        self.jobs.append(job)
        self._listed.add(job)
        return job

    def update(self) -> None:
        """Announce finished videos."""
        for job in [job for job in self.jobs if job.done]:
            self.jobs.remove(job)
            self._say(job.text, about=str(job.out))


def _free_path(folder: Path, name: str, suffix: str, *, taken: Collection[Path]) -> Path:
    """``NAME.mp4``, or ``NAME (2).mp4`` where that exists or is `taken`."""
    names = (f"{name}{number}{suffix}" for number in ("", *(f" ({n})" for n in range(2, 10_000))))
    return next(path for path in map(folder.joinpath, names) if path not in taken and not path.exists())
