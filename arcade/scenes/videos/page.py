"""VideoScene: the part and the format of a video, then its progress."""

from __future__ import annotations

from functools import partial
from typing import Any

import pygame

from agents.errors import UserError
from agents.files import folder
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button, Choice, Slider, Toggle
from arcade.engine.ui.layout import Centred, Column, Row
from arcade.engine.ui.texts import Label, Paragraph, Picture
from arcade.engine.ui.theme import Theme
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host
from arcade.language import N_, _, clock_text, percent
from arcade.recordings.library import Recording
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.session.about import open_folder, shown_folder
from arcade.session.match.pace import REPLAY_SPEEDS, speed_text
from arcade.session.recordings.recording_texts import file_name
from arcade.session.services import Services
from arcade.session.videos import VideoJob, VideoSettings
from arcade.video_formats import HOLD

KINDS = (("MP4, 1280 × 720", ".mp4", (1280, 720)), ("MP4, 1920 × 1080", ".mp4", (1920, 1080)),
         ("GIF, 640 × 360", ".gif", (640, 360)), ("GIF, 320 × 180", ".gif", (320, 180)))  # fmt: skip
LEAST = 0.5
"""Least seconds of a recording in a video."""


class VideoScene(Screen):
    """A video that is being made is finished after the page is left; the list of jobs has it too."""

    heading = N_("Video")

    def __init__(self, services: Services, route: routes.Video) -> None:
        super().__init__(services, route)
        self.replay, self._seconds, self._viewer = route.replay, max(route.seconds, 0.1), route.viewer
        self.end = min(max(route.end or self._seconds, LEAST), self._seconds)
        self.begin = max(0.0, min(route.start, self.end - LEAST))
        self.kind, self.speed, self.hud = 0, REPLAY_SPEEDS.index(1.0), True
        self.job: VideoJob | None = next((job for job in services.videos.jobs if job.replay == route.replay), None)
        self._outcome = ""  # of the video before
        self.name = ""  # of the file; "" before the recording's card is read

    @property
    def settings(self) -> VideoSettings:
        """The present choices."""
        return VideoSettings(
            start=self.begin, end=None if self.end >= self._seconds else self.end, speed=REPLAY_SPEEDS[self.speed],
            size=KINDS[self.kind][2], hud=self.hud, viewer=self._viewer,
        )  # fmt: skip

    def build(self) -> Widget:
        page = super().build()
        self._first = self._make_button
        return page

    def body(self) -> Widget:
        step = 0.5 if self._seconds < 600 else 5.0
        look: dict[str, Any] = {"low": 0.0, "high": self._seconds, "step": step, "show": clock_text}
        self._from = Slider(
            _("From"), value=self.begin, change=self._begin, hint=_("Where the video begins"), key="from", **look
        )
        self._to = Slider(_("To"), value=self.end, change=self._finish, hint=_("Where it ends"), key="to", **look)
        speed, hud = (partial(setattr, self, name) for name in ("speed", "hud"))
        rows = [
            self._from,
            self._to,
            Choice(_("Speed"), list(map(speed_text, REPLAY_SPEEDS)), index=self.speed, change=speed,
                   hint=_("Slow motion, or a summary"), key="speed"),
            Choice(_("File"), [name for name, *_rest in KINDS], index=self.kind, change=self._set_kind, key="file",
                   hint=_("GIFs play anywhere; an MP4 is sharper and many times smaller")),
            Toggle(_("Names and scores"), on=self.hud, change=hud, key="hud",
                   hint=_("Players, scores and time; unnamed people: see Settings, Recording")),
        ]  # fmt: skip
        form = Column([Column(rows, gap=8), *self._state(), Row([self._button(), self._opener()])], gap=16)
        return Centred(form, width=760)

    def _state(self) -> list[Widget]:
        """Make the length of the video, its progress, or how the last one ended."""
        if self.job is not None:
            return [Label(self._progress_text, colour="muted"), Picture(self._draw_bar, width=760, height=18)]
        length = Label(self._length_text, colour="muted")
        where = _("Saved in the folder “videos” as {name}").format(name=f"{self.name}{KINDS[self.kind][1]}")
        words = self._outcome or (where if self.name else "")
        return [length, Paragraph(words, size=themes.SMALL, colour="ink" if self._outcome else "muted")]

    def _button(self) -> Button:
        hint = _("Made while you play")
        make = Button(_("Make the video"), self._make, primary=True, hint=hint, key="make", grow=1)
        stop = Button(_("Cancel"), self._stop, danger=True, hint=_("Stop making the video"), key="make", grow=1)
        self._make_button = make if self.job is None else stop
        return self._make_button

    def _opener(self) -> Widget | None:
        """Make the button to the folder of the video that was made."""
        if not self._outcome or self.job is not None:
            return None
        where = folder("videos")
        self._folder_button = Button(
            _("Open the folder"), lambda: self.engine.say(open_folder(where)), hint=shown_folder(where), key="folder"
        )
        return self._folder_button

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        library, path = self.services.library, self.replay
        self.services.worker.submit(
            lambda: library.recordings().read(path), done=self._take_name, failed=lambda error: None, errors=UserError
        )

    def _take_name(self, recording: Recording) -> None:
        spec = self.services.library.find(recording.card.game)
        if spec is not None and self in self.engine.scenes:  # else the page is left
            self.name = file_name(recording.card, _(spec.title), self.services.library.player_names(spec))
            self.refresh()

    @property
    def length(self) -> float:
        """Seconds of video, with the last picture held."""
        return (self.end - self.begin) / REPLAY_SPEEDS[self.speed] + HOLD

    def update(self, now: float) -> None:
        super().update(now)
        if self.job is not None and self.job.done:
            self._outcome, self.job = self.job.text, None
            self.refresh()
            self.focus.focus_like(self._folder_button)

    def _length_text(self) -> str:
        return _("Length of the video: {time}, with the last picture held").format(time=clock_text(self.length))

    def _progress_text(self) -> str:
        share, left = (self.job.progress, self.job.left_text) if self.job is not None else (1.0, "")
        return ", ".join(filter(None, (_("Making the video: {share}").format(share=percent(share)), left)))

    def _draw_bar(self, canvas: pygame.Surface, theme: Theme, area: pygame.Rect) -> None:
        radius = area.h // 2
        pygame.draw.rect(canvas, theme.colours.edge, area, border_radius=radius)
        share = self.job.progress if self.job is not None else 1.0
        done = pygame.Rect(area.topleft, (round(area.w * share), area.h))
        pygame.draw.rect(canvas, theme.colours.green, done, border_radius=radius)

    def _set_kind(self, kind: int) -> None:
        self.kind = kind
        self.refresh()

    def _make(self) -> None:
        self.job = self.services.videos.order(self.replay, self.settings, name=self.name, suffix=KINDS[self.kind][1])
        self.refresh()

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
