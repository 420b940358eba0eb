"""VideoScene: the part and the format of a video, then its progress."""

from __future__ import annotations

from functools import partial
from math import floor
from typing import Any

import pygame

from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Choice, Slider, Toggle, Widget
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.session.match.pace import REPLAY_SPEEDS, speed_text
from arcade.session.services import Services
from arcade.session.videos import VideoJob, VideoSettings
from arcade.video_formats import HOLD

KINDS = (("MP4, 1280 x 720", ".mp4", (1280, 720)), ("MP4, 1920 x 1080", ".mp4", (1920, 1080)),
         ("GIF, 640 x 360", ".gif", (640, 360)), ("GIF, 320 x 180", ".gif", (320, 180)))  # fmt: skip
LEAST = 0.5
"""Least seconds of a recording in a video."""

BAR = pygame.Rect(290, 560, 700, 18)


class VideoScene(Screen):
    """A video that is being made is finished after the page is left."""

    heading = "A video of this recording"

    def __init__(self, services: Services, route: routes.Video) -> None:
        super().__init__(services, route)
        self.replay, self._seconds, self._viewer = route.replay, max(route.seconds, 0.1), route.viewer
        self.end = min(max(route.end or self._seconds, LEAST), self._seconds)
        self.begin = max(0.0, min(route.start, self.end - LEAST))
        self.kind, self.speed, self.hud = 0, REPLAY_SPEEDS.index(1.0), True
        self.job: VideoJob | None = None
        self._outcome = ""  # the outcome of the video before

    @property
    def settings(self) -> VideoSettings:
        """The present choices."""
        return VideoSettings(
            start=self.begin, end=None if self.end >= self._seconds else self.end, speed=REPLAY_SPEEDS[self.speed],
            size=KINDS[self.kind][2], hud=self.hud, viewer=self._viewer,
        )  # fmt: skip

    def widgets(self) -> list[Widget]:
        rows = [pygame.Rect(290, 130 + place * 62, 700, 54) for place in range(5)]
        step = 0.5 if self._seconds < 600 else 5.0
        look: dict[str, Any] = {"low": 0.0, "high": self._seconds, "step": step, "show": _clock}
        names = list(map(speed_text, REPLAY_SPEEDS))
        busy = self.job is not None and not self.job.done
        last = pygame.Rect(rows[0].left, 460, 344, 60)
        self._from = Slider(
            rows[0], "From", value=self.begin, change=self._begin, hint="Where the video begins", **look
        )
        self._to = Slider(rows[1], "To", value=self.end, change=self._finish, hint="Where it ends", **look)
        speed, kind, hud = (partial(setattr, self, name) for name in ("speed", "kind", "hud"))
        return [
            self._from,
            self._to,
            Choice(rows[2], "Speed", names, index=self.speed, change=speed, hint="Slow motion, or a summary"),
            Choice(rows[3], "File", [name for name, *_ in KINDS], index=self.kind, change=kind,
                   hint="GIFs play anywhere; an MP4 is sharper and many times smaller"),
            Toggle(rows[4], "Names and scores above the picture", on=self.hud, change=hud,
                   hint="Players, scores and time"),
            Button(last, "Stop" if busy else "Make the video", self._stop if busy else self._make, primary=not busy,
                   hint="Written to the folder videos, in the background"),
            Button(last.move(356, 0), "Back", self.back, hint="A video that has started is finished in the background"),
        ]  # fmt: skip

    @property
    def length(self) -> float:
        """Seconds of video, with the last picture held."""
        return (self.end - self.begin) / REPLAY_SPEEDS[self.speed] + HOLD

    def update(self, now: float) -> None:
        super().update(now)
        if self.job is not None and self.job.done:
            self._outcome, self.job = self.job.text, None
            self.rebuild(keep=5)

    def draw_page(self, canvas: pygame.Surface) -> None:
        words = f"{_clock(self.length)} of video"
        if self.job is not None:
            words = f"{self.job.progress:.0%} of the video is made"
            pygame.draw.rect(canvas, theme.EDGE, BAR, border_radius=9)
            done = pygame.Rect(BAR.topleft, (round(BAR.w * self.job.progress), BAR.h))
            pygame.draw.rect(canvas, theme.GREEN, done, border_radius=9)
        elif self._outcome:
            outcome = theme.paragraph(self._outcome, width=canvas.get_width() - 2 * theme.MARGIN, size=theme.SMALL)
            canvas.blit(outcome, outcome.get_rect(midbottom=BAR.midbottom))
        theme.draw_text(canvas, words, (BAR.centerx, BAR.bottom + 28), anchor="center", colour=theme.MUTED)

    def _make(self) -> None:
        self.job = self.services.videos.order(self.replay, self.settings, suffix=KINDS[self.kind][1])
        self.rebuild(keep=5)

    def _stop(self) -> None:
        if self.job is not None:
            self.job.cancel()

    def _begin(self, value: float) -> None:
        self._keep_apart(value, max(self.end, value + LEAST))

    def _finish(self, value: float) -> None:
        self._keep_apart(min(self.begin, value - LEAST), value)

    def _keep_apart(self, start: float, end: float) -> None:
        """Keep both within the recording and apart; the end that is not being moved gives way."""
        self.end = min(self._seconds, max(end, LEAST))
        self.begin = max(0.0, min(start, self.end - LEAST))
        self._from.value, self._to.value = self.begin, self.end


def _clock(seconds: float) -> str:
    tenths = floor(seconds * 10 + 1e-6)
    part = f".{tenths % 10}" if tenths % 10 else ""
    return f"{tenths // 600}:{tenths // 10 % 60:02}{part}"
