"""ReplayScene: replays a match: play, seek, AI insight, take over."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from agents.errors import UserError
from agents.seats.controller import AgentID, SeatChoice
from arcade.engine.input.events import InputEvent, KeyInput, MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Widget
from arcade.match.playback.branch import Branch
from arcade.match.playback.playback import Playback
from arcade.scenes import routes
from arcade.scenes.replay.scrub import ScrubBar, SignButton
from arcade.scenes.replay.seat_rows import SeatRows
from arcade.scenes.replay.view import ReplayLayout, ReplayView
from arcade.scenes.screen import Screen, backdrop
from arcade.session.match.pace import REPLAY_SPEEDS, speed_text
from arcade.session.people import seat_choice_of
from arcade.session.player_names import PlayerNames
from arcade.session.recordings.insights import Insights
from arcade.session.recordings.replay_loading import LoadedReplay, ReplayLoading
from arcade.session.recordings.takeover import lineup_at, seats_at, substitution
from arcade.session.seating import sentence
from arcade.session.services import Services

BEHIND = 1.0
"""Seconds behind a mark within which the mark before it counts as the previous one."""

LEGEND = "{p}, {start}: play, stop    {tab}, {r}: next mark    {esc}, {b}: back"


class ReplayScene(Screen):
    """Loads a recording and plays it back; owns its stage.  The attributes below are set once it is loaded."""

    loaded: LoadedReplay
    playback: Playback
    insights: Insights
    view: ReplayView

    magnified = False  # the game is what one looks at

    def __init__(self, services: Services, route: routes.Replay) -> None:
        super().__init__(services, route)
        self.path, self.span = route.path, route.span
        self.speeds = sorted({*REPLAY_SPEEDS, route.speed})
        self.speed = self.speeds.index(route.speed)  # the index of the present one
        self._device = SeatChoice("keyboard")  # pressed last
        self.ready = False
        self.loading = ReplayLoading(services, route.path)
        self._stops = True  # pause at the span's end (first pass only)
        self._here = 0  # the tick shown in the frame before
        self._look = (0, 0.0)  # theme version and scale of the current widgets

    def leave(self) -> None:
        self.loading.close()
        if self.ready:
            self.insights.clear()

    @property
    def legend(self) -> str:  # type: ignore[override]
        """The keys that work now."""
        return LEGEND if self.ready else "{esc}, {b}: back"

    def update(self, now: float) -> None:
        if self._look != (theme.version, theme.scale()):
            self._look = theme.version, theme.scale()
            self.refresh()
        if not self.ready and (loaded := self.loading.update()) is not None:
            self._begin(loaded)
        if self.ready:
            self._advance(now)

    def rest(self, now: float) -> None:
        if self.ready:
            self.playback.listen()

    def _begin(self, loaded: LoadedReplay) -> None:
        self.loaded, self.playback = loaded, loaded.playback()
        self.insights = Insights(loaded.spec, self.playback)
        self.view = ReplayView(loaded, self.playback, self.insights, self.engine.settings)
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
            self.view.draw(canvas, layout, theme.page_theme(), self.engine.clock())
        else:
            self._draw_waiting(canvas)
        self.focus.draw(canvas)

    def _draw_waiting(self, canvas: pygame.Surface) -> None:
        """Draw a loading message, or the error."""
        words = "This recording cannot be shown" if self.loading.trouble else "Loading …"
        size, width = min(theme.scaled(theme.LARGE), 44), canvas.get_width() - 2 * theme.MARGIN
        title = theme.draw_text(canvas, words, (theme.MARGIN, 60), size=size, bold=True, width=width)
        if self.loading.trouble:
            size = min(theme.scaled(theme.BODY), 36)
            picture = theme.paragraph(sentence(self.loading.trouble), size=size, colour=theme.MUTED, width=width)
            canvas.blit(picture, (theme.MARGIN, title.bottom + 20))

    # Widgets

    def controls(self, layout: ReplayLayout) -> list[Widget]:
        """Make the widgets in reading order; down from the scrub bar leads to play."""
        first, last = layout.rows[0], layout.rows[-1]
        signs, tools, back = self._signs(first), self._tools(), _button(60, "Back", self.back, "Leave this recording")
        words = f"Speed {speed_text(self.speeds[self.speed])}"
        speed = _button(96, words, self.next_speed, "Playback speed: press for the next, or F5 and F6")
        views = [self._viewer_button()] if self.loaded.spec.secret else []
        left, right = signs[0].rect.left - theme.GAP, signs[-1].rect.right + theme.GAP
        if first is last:
            _spread(first, first.left, left, tools)
            _spread(first, right, first.right, [speed, *views, back])
        else:
            _spread(first, first.left, left, views)
            _spread(first, right, first.right, [speed])
            _spread(last, last.left, last.right, [*tools, back])
        seats = SeatRows(layout.seats, self.loaded)
        return [self._scrub_bar(layout.scrub), seats, *signs, speed, *views, *tools, back]

    def _scrub_bar(self, rect: pygame.Rect) -> ScrubBar:
        spec, playback = self.loaded.spec, self.playback
        scrub = ScrubBar(rect, seek=playback.seek, step=playback.step, toggle=self.toggle, moment=self.view.moment)
        scrub.length, scrub.at, scrub.marks = playback.length, playback.goal, self.loaded.timeline.marks
        scrub.stride = 1 if spec.turn_based else max(1, round(spec.fps))
        start, end = self.span
        if (start, end) != (0, None):
            scrub.span = start, playback.length if end is None else end
        return scrub

    def _signs(self, row: pygame.Rect) -> list[SignButton]:
        step = self.playback.step
        entries = (
            ("previous", "Mark before", lambda: self.jump(-1), "To the mark before: Page up, or a pad's L"),
            ("back", "Tick back", lambda: step(-1), "A tick back: F8, or the wheel over the bar"),
            ("play", "Play", self.toggle, "Play or stop: P, or a pad's Start"),
            ("on", "Tick on", lambda: step(1), "A tick on: F7, or the wheel over the bar"),
            ("next", "Next mark", lambda: self.jump(1), "To the next point or take-over: Tab, or a pad's R"),
        )
        width = max(60, row.h)
        first = pygame.Rect(row.centerx - (5 * width + 4 * theme.GAP) // 2, row.top, width, row.h)
        return [
            SignButton(first.move(place * (width + theme.GAP), 0), sign, words, press, hint)
            for place, (sign, words, press, hint) in enumerate(entries)
        ]

    def _viewer_button(self) -> Button:
        viewer = self.view.viewer
        words = "Spectator" if viewer is None else f"Sees {self.loaded.spec.seat_title(viewer)}"
        hint = "The seat whose cards are shown; a spectator sees public ones alone. Press for the next"
        return _button(132, words, self.next_viewer, hint)

    def _tools(self) -> list[Button]:
        return [
            _button(84, "Insight", self.choose_insight, "Action probabilities and value of a snapshot: F9"),
            _button(126, "Take over", lambda: self.take_over(self._device), "Play from here: F2, or a pad's Select"),
            _button(84, "Video", self.make_video, "Save a video, from here on or of the whole match"),
        ]

    # Actions

    def toggle(self) -> None:
        """Play or stop; at the end, play again from the start."""
        if self.playback.playing:
            self.playback.pause()
        else:
            if self.playback.at_end:
                self.playback.seek(self.span[0])
            self.playback.play()

    def jump(self, by: int) -> None:
        """Seek the next or the previous mark, or say that there is none."""
        spec, playback, timeline = self.loaded.spec, self.playback, self.loaded.timeline
        behind = round(BEHIND * spec.fps) if playback.playing and not spec.turn_based else 0
        mark = timeline.next(playback.goal) if by > 0 else timeline.previous(playback.goal - behind)
        if mark is None:
            self.engine.say("That was the last mark" if by > 0 else "That was the first mark")
        else:
            playback.seek(mark.tick)

    def set_speed(self, index: int) -> None:
        """Play at one of `speeds`."""
        self.speed = index
        self.playback.speed = self.speeds[index]
        self.refresh()

    def next_speed(self) -> None:
        """Play at the next speed; the slowest follows the fastest."""
        self.set_speed((self.speed + 1) % len(self.speeds))

    def next_viewer(self) -> None:
        """Show the next seat's view; a spectator's follows the last seat's."""
        viewers = [None, *self.loaded.spec.agents]
        self.view.viewer = viewers[(viewers.index(self.view.viewer) + 1) % len(viewers)]
        self.refresh()

    def choose_insight(self) -> None:
        """Ask for the snapshot that gives insight."""
        spec = self.loaded.spec
        names, now = self.services.library.names(spec.id), next(iter(self.insights.names.values()), "")
        self.engine.push(routes.ChooseInsight(spec, names, now, self.show_insight))

    def show_insight(self, agents: Sequence[AgentID], name: str) -> None:
        """Show the insight of a snapshot for these seats, "" for none; it is loaded in the worker."""
        if not name:
            self.insights.clear(agents)
            return
        services, insights = self.services, self.insights
        services.worker.submit(
            lambda: insights.load(services.library.store(), name, agents), done=insights.put,
            failed=lambda error: self.engine.say(str(error)), errors=UserError,
        )  # fmt: skip

    @property
    def _names(self) -> PlayerNames:
        return self.services.library.player_names(self.loaded.spec)

    def take_over(self, choice: SeatChoice) -> None:
        """Play from here as `choice`, in the only seat or one that the player chooses."""
        playback = self.playback
        playback.pause()
        seats = seats_at(self.loaded.replay, playback.goal, self._names)
        if playback.problem or not seats or playback.goal >= playback.length:
            self.engine.say("The match is over here: go back a little, then take over")
        elif len(seats) == 1:
            self.play_branch(seats[0][0], choice)
        else:
            self.engine.push(routes.TakeOver(self.loaded.spec, seats, choice, self.play_branch))

    def play_branch(self, agent: AgentID, choice: SeatChoice) -> None:
        """Play a match that repeats the recorded one up to here, then continues with `choice` in that seat."""
        loaded, tick = self.loaded, self.playback.goal
        snapshots = self.services.library.names(loaded.spec.id)
        lineup = lineup_at(loaded.replay, loaded.spec, tick, snapshots, agent, choice)
        if replaced := substitution(loaded.replay, loaded.spec, tick, snapshots, agent, self._names):
            self.engine.say(replaced)
        branch = Branch(replay=loaded.replay, tick=tick, recording=self.path.stem)
        self.engine.push(routes.Match(loaded.spec, lineup, branch=branch))

    def make_video(self) -> None:
        """Ask for the part and the format of a video."""
        self.playback.pause()
        fps, end = self.loaded.spec.fps, self.span[1]
        seconds, start = self.playback.length / fps, self.playback.goal / fps
        self.engine.push(routes.Video(self.path, seconds, start, None if end is None else end / fps, self.view.viewer))


def _spread(row: pygame.Rect, left: int, right: int, widgets: Sequence[Widget]) -> None:
    """Spread widgets between two edges, in proportion to their initial widths."""
    room = right - left - (len(widgets) - 1) * theme.GAP
    wanted = sum(widget.rect.w for widget in widgets)
    for widget in widgets:
        widget.rect = pygame.Rect(left, row.top, widget.rect.w * room // wanted, row.h)
        left = widget.rect.right + theme.GAP


def _button(width: int, words: str, press: Callable[[], None], hint: str) -> Button:
    return Button((0, 0, width, 0), words, press, hint=hint, size=min(theme.scaled(theme.BODY), 40))
