"""ReplayScene: replays a match: play, seek, AI insight, take over."""

from __future__ import annotations

import pygame

from agents.seats.controller import SeatChoice
from arcade.engine.input.events import InputEvent, KeyInput, MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Widget
from arcade.scenes import routes
from arcade.scenes.hud.piece import Look
from arcade.scenes.replay.controls import ReplayControls, SignButton
from arcade.scenes.replay.scrub import ScrubBar
from arcade.scenes.replay.seat_rows import SeatRows
from arcade.scenes.replay.view import ReplayLayout, ReplayView
from arcade.scenes.screen import backdrop
from arcade.session.people import seat_choice_of
from arcade.session.recordings.insights import Insights
from arcade.session.recordings.replay_loading import LoadedReplay, ReplayLoading
from arcade.session.seating import sentence
from arcade.session.services import Services

LEGEND = "{p}, {start}: play, stop    {tab}, {r}: next mark    {esc}, {b}: back"


class ReplayScene(ReplayControls):
    """Loads a recording and plays it back; owns its stage."""

    magnified = False  # the game is what one looks at

    def __init__(self, services: Services, route: routes.Replay) -> None:
        super().__init__(services, route)
        self.ready = False
        self._loading = ReplayLoading(services, route.path)
        self._stops = True  # pause at the span's end (first pass only)
        self._here = 0  # the tick shown in the frame before
        self._look = (0, 0.0)  # theme version and scale of the current widgets

    def leave(self) -> None:
        self._loading.close()
        if self.ready:
            self.insights.clear()

    @property
    def legend(self) -> str:  # type: ignore[override]
        """The keys that work now."""
        return LEGEND if self.ready else "{esc}, {b}: back"

    @property
    def trouble(self) -> str:
        """Why the recording cannot be shown; "" if it can."""
        return self._loading.trouble

    def update(self, now: float) -> None:
        if self._look != (theme.version, theme.scale()):
            self._look = theme.version, theme.scale()
            self.refresh()
        if not self.ready and (loaded := self._loading.update()) is not None:
            self._begin(loaded)
        if self.ready:
            self._advance(now)

    def rest(self, now: float) -> None:
        if self.ready:
            self.playback.listen()

    def _begin(self, loaded: LoadedReplay) -> None:
        self.loaded, self.playback = loaded, loaded.playback()
        self.insights = Insights(loaded.spec, self.playback)
        self.view = ReplayView(loaded, self.playback, self.insights, whole=self.engine.settings.whole_pixels)
        self.services.library.refresh_snapshots(loaded.spec.id)
        self.ready = True
        self.playback.speed = self.speeds[self.speed]
        self.playback.seek(self.span[0])
        self.playback.play()
        self.rebuild()

    def _advance(self, now: float) -> None:
        """Advance the playback, and update insights and widgets."""
        playback = self.playback
        playback.advance(now)
        before, self._here = self._here, playback.index
        if playback.playing:
            self._pass_by(before, self._here)
        if playback.tick is not None:
            self.insights.look(playback.tick)
        for widget in self.focus.widgets:
            if isinstance(widget, ScrubBar):
                widget.at, widget.length = playback.goal, playback.length
            elif isinstance(widget, SeatRows):
                widget.tick = playback.index
            elif isinstance(widget, SignButton) and widget.primary:
                widget.sign, widget.label = ("pause", "Stop") if playback.playing else ("play", "Play")

    def _pass_by(self, before: int, here: int) -> None:
        """Play the sound of a point; stop once at the end of the span."""
        end = self.span[1]
        if self._stops and end is not None and before < end <= here:
            self._stops = False
            self.playback.pause()
            self.playback.seek(end)
        mark = self.loaded.timeline.previous(here + 1)
        if mark is not None and before < mark.tick and mark.kind == "point":
            self.engine.sound.play("point")

    def widgets(self) -> list[Widget]:
        layout = ReplayLayout.of(self.engine.canvas.get_size())
        if self.ready:
            return self.controls(layout)
        row = layout.rows[-1]
        return [Button((row.left, row.top, 220, row.h), "Back", self.back, hint="Leave this recording")]

    def handle(self, event: InputEvent) -> bool | None:
        if not self.ready:
            return super().handle(event)
        if isinstance(event, MenuInput):
            self._device = seat_choice_of(event.device.word)
        elif isinstance(event, PointerInput) and event.kind == "press":
            self._device = SeatChoice("keyboard")
        if isinstance(event, KeyInput) and event.pressed:
            self._key(event.name)
        elif isinstance(event, MenuInput) and event.action in ("next", "previous"):
            self.jump(1 if event.action == "next" else -1)
        elif isinstance(event, MenuInput) and event.action == "switch" and not event.repeated:
            self.take_over(seat_choice_of(event.device.word))
        else:
            return super().handle(event)
        return None

    def start(self, event: MenuInput) -> None:
        if self.ready:
            self.toggle()

    def _key(self, name: str) -> None:
        match name:
            case "f5" | "f6":
                self.set_speed(min(max(self.speed + (1 if name == "f6" else -1), 0), len(self.speeds) - 1))
            case "f7" | "f8":
                self.playback.step(1 if name == "f7" else -1)
            case "f9":
                self.choose_insight()
            case "home":
                self.playback.seek(self.span[0])
            case "end":
                self.playback.seek(self.playback.length)

    def draw(self, canvas: pygame.Surface) -> None:
        canvas.blit(backdrop(canvas.get_size()), (0, 0))
        if self.ready:
            layout = ReplayLayout.of(canvas.get_size())
            self._heading = layout.head
            self.view.draw(canvas, layout, Look.now(self.engine.settings), self.engine.clock())
        else:
            self._draw_waiting(canvas)
        self.focus.draw(canvas)

    def _draw_waiting(self, canvas: pygame.Surface) -> None:
        """Draw a loading message, or the error."""
        words = "This recording cannot be shown" if self.trouble else "Loading …"
        size, width = min(theme.scaled(theme.LARGE), 44), canvas.get_width() - 2 * theme.MARGIN
        title = theme.draw_text(canvas, words, (theme.MARGIN, 60), size=size, bold=True, width=width)
        if self.trouble:
            size = min(theme.scaled(theme.BODY), 36)
            picture = theme.paragraph(sentence(self.trouble), size=size, colour=theme.MUTED, width=width)
            canvas.blit(picture, (theme.MARGIN, title.bottom + 20))
