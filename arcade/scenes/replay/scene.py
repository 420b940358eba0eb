"""ReplayScene: replays a match: play, seek, AI insight, take over."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from agents.errors import UserError
from agents.seats.choice import SeatChoice
from agents.seats.controller import AgentID
from arcade.engine.input.events import InputEvent, KeyInput, MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Widget
from arcade.match.playback.branch import Branch
from arcade.match.playback.playback import Playback
from arcade.scenes import routes
from arcade.scenes.hud.piece import Look
from arcade.scenes.replay.controls import SPEEDS, SignButton, make_controls
from arcade.scenes.replay.scrub import ScrubBar
from arcade.scenes.replay.seat_rows import SeatRows
from arcade.scenes.replay.view import ReplayLayout, ReplayView
from arcade.scenes.screen import Screen, backdrop
from arcade.session.match.devices import hand_of
from arcade.session.recordings.insights import Insights
from arcade.session.recordings.replay_loading import LoadedReplay, ReplayLoading
from arcade.session.recordings.takeover import lineup_at, seats_at, substitution
from arcade.session.seating import sentence
from arcade.session.services import Services

LEGEND = "{p}, {start}: play, stop    {tab}, {r}: next mark    {esc}, {b}: back"

BEHIND = 1.0
"""Seconds behind a mark within which the mark before is not that one, but the one before it."""


class ReplayScene(Screen):
    """Owns the stage that the recording is played on; `reel`, `playback`, `minds` and `sight` come with it."""

    magnified = False  # the game is what one looks at
    reel: LoadedReplay
    playback: Playback
    minds: Insights
    sight: ReplayView

    def __init__(self, services: Services, route: routes.Replay) -> None:
        super().__init__(services, route)
        self.path, self.span = route.path, route.span
        self.ready = False
        self._loading = ReplayLoading(services, route.path)
        self.speeds = sorted({*SPEEDS, route.speed})
        self.speed = self.speeds.index(route.speed)  # the place of the one that holds
        self._by = SeatChoice("keyboard")  # who pressed something last
        self._stops = True  # where the ticks that count end
        self._here = 0  # the tick that was on show in the frame before
        self._look = (0, 0.0)  # of the theme that the widgets were made for

    # On and off the stack

    def leave(self) -> None:
        self._loading.close()
        if self.ready:
            self.minds.clear()

    @property
    def legend(self) -> str:  # type: ignore[override]
        """What can be pressed now."""
        return LEGEND if self.ready else "{esc}, {b}: back"

    @property
    def trouble(self) -> str:
        """Why there is nothing to be seen, "" while there is."""
        return self._loading.trouble

    # Each frame

    def update(self, now: float) -> None:
        if self._look != (theme.version, theme.scale()):
            self._look = theme.version, theme.scale()
            self.refresh()
        if not self.ready:
            reel = self._loading.update()
            if reel is not None:
                self._begin(reel)
        if self.ready:
            self._advance(now)

    def rest(self, now: float) -> None:
        if self.ready:
            self.playback.listen()

    def _begin(self, reel: LoadedReplay) -> None:
        self.reel, self.playback = reel, reel.playback()
        self.minds = Insights(reel.spec, self.playback)
        self.sight = ReplayView(reel, self.playback, self.minds, whole=self.engine.settings.whole_pixels)
        self.services.library.refresh_snapshots(reel.spec.id)
        self.ready = True
        self.playback.speed = self.speeds[self.speed]
        self.playback.seek(self.span[0])
        self.playback.play()
        self.rebuild()

    def _advance(self, now: float) -> None:
        """The playback, and what keeps up with it."""
        playback = self.playback
        playback.advance(now)
        before, self._here = self._here, playback.index
        if playback.playing:
            self._pass_by(before, self._here)
        if playback.tick is not None:
            self.minds.look(playback.tick)
        for widget in self.focus.widgets:
            if isinstance(widget, ScrubBar):
                widget.at, widget.length = playback.goal, playback.length
            elif isinstance(widget, SeatRows):
                widget.tick = playback.index
            elif isinstance(widget, SignButton) and widget.primary:
                widget.sign, widget.words = ("pause", "Stop") if playback.playing else ("play", "Play")

    def _pass_by(self, before: int, here: int) -> None:
        """Points are heard; where the ticks that count end, play stops once."""
        end = self.span[1]
        if self._stops and end is not None and before < end <= here:
            self._stops = False
            self.playback.pause()
            self.playback.seek(end)
        mark = self.reel.timeline.previous(here + 1)
        if mark is not None and before < mark.tick and mark.kind == "point":
            self.engine.sound.play("point")

    # What can be pressed

    def widgets(self) -> list[Widget]:
        layout = ReplayLayout.of(self.engine.canvas.get_size())
        if self.ready:
            return make_controls(self, layout)
        row = layout.rows[-1]
        return [Button((row.left, row.top, 220, row.h), "Back", self.back, hint="Leave this recording")]

    # What happens

    def handle(self, event: InputEvent) -> bool | None:
        if not self.ready:
            return super().handle(event)
        if isinstance(event, MenuInput):
            self._by = hand_of(event.device.word)
        elif isinstance(event, PointerInput) and event.kind == "press":
            self._by = SeatChoice("keyboard")
        if isinstance(event, KeyInput) and event.pressed:
            self._key(event.name)
        elif isinstance(event, MenuInput) and event.action in ("next", "previous"):
            self.jump(1 if event.action == "next" else -1)
        elif isinstance(event, MenuInput) and event.action == "switch" and not event.repeated:
            self.take_over(hand_of(event.device.word))
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
                self.choose_mind()
            case "home":
                self.playback.seek(self.span[0])
            case "end":
                self.playback.seek(self.playback.length)

    def toggle(self) -> None:
        """Play or stop; behind the end it begins anew."""
        if self.playback.playing:
            self.playback.pause()
        else:
            if self.playback.at_end:
                self.playback.seek(self.span[0])
            self.playback.play()

    def jump(self, by: int) -> None:
        """To the next mark, or the one before; there is word of it where there is none."""
        spec, playback, timeline = self.reel.spec, self.playback, self.reel.timeline
        behind = round(BEHIND * spec.fps) if playback.playing and not spec.turn_based else 0
        mark = timeline.next(playback.goal) if by > 0 else timeline.previous(playback.goal - behind)
        if mark is None:
            self.engine.say("That was the last mark" if by > 0 else "That was the first mark")
        else:
            playback.seek(mark.tick)

    def set_speed(self, place: int) -> None:
        """Go on at that one of `speeds`."""
        self.speed = place
        self.playback.speed = self.speeds[place]
        self.refresh()

    def next_speed(self) -> None:
        """The next one, the slowest behind the fastest."""
        self.set_speed((self.speed + 1) % len(self.speeds))

    def set_viewer(self, place: int) -> None:
        """Look from that seat, counted from 1; 0: as a spectator."""
        self.sight.viewer = None if place == 0 else self.reel.spec.agents[place - 1]
        self.refresh()

    def next_viewer(self) -> None:
        """One seat after the other, then as a spectator again."""
        agents, viewer = self.reel.spec.agents, self.sight.viewer
        self.set_viewer(1 if viewer is None else (agents.index(viewer) + 2) % (len(agents) + 1))

    # Minds

    def choose_mind(self) -> None:
        """Ask which snapshot is to look."""
        spec = self.reel.spec
        names, now = self.services.library.names(spec.id), next(iter(self.minds.names.values()), "")
        self.engine.push(routes.ChooseInsight(spec.agents, names, now, self.set_mind))

    def set_mind(self, agents: Sequence[AgentID], name: str) -> None:
        """Have the snapshot look from these seats, "" for none; loaded in the worker."""
        if not name:
            self.minds.clear(agents)
            return
        services, minds = self.services, self.minds
        services.worker.submit(
            lambda: minds.load(services.library.store(), name, agents), done=minds.put,
            failed=lambda error: self.engine.say(str(error)), errors=UserError,
        )  # fmt: skip

    # Taking over

    def take_over_by_hand(self) -> None:
        """The button was pressed: by a pad, or else by hands that have the keyboard too."""
        self.take_over(self._by)

    def take_over(self, who: SeatChoice) -> None:
        """Play on from here as `who`, in the one seat that there is or the one that is chosen."""
        playback, reel = self.playback, self.reel
        playback.pause()
        seats = seats_at(reel.replay, playback.goal)
        if playback.problem or not seats or playback.goal >= playback.length:
            self.engine.say("The match is over here: go back a little, then take over")
        elif len(seats) == 1:
            self.play_on(seats[0][0], who)
        else:
            self.engine.push(routes.TakeOver(seats, who, self.play_on))

    def play_on(self, agent: AgentID, who: SeatChoice) -> None:
        """A match that goes as the recorded one did up to here, and on with `who` in that seat."""
        reel, tick = self.reel, self.playback.goal
        snapshots = self.services.library.names(reel.spec.id)
        lineup = lineup_at(reel.replay, reel.spec, tick, snapshots, agent, who)
        branch = Branch(replay=reel.replay, tick=tick, recording=self.path.stem)
        if text := substitution(reel.replay, reel.spec, tick, snapshots, agent):
            self.engine.say(text)
        self.engine.push(routes.Match(reel.spec, lineup, branch=branch))

    # Videos

    def make_video(self) -> None:
        """Ask which part becomes a video, and how; it is made beside the window."""
        self.playback.pause()
        fps, end = self.reel.spec.fps, self.span[1]
        seconds, start = self.playback.length / fps, self.playback.goal / fps
        self.engine.push(routes.Video(self.path, seconds, start, None if end is None else end / fps, self.sight.viewer))

    # How it looks

    def draw(self, canvas: pygame.Surface) -> None:
        canvas.blit(backdrop(canvas.get_size()), (0, 0))
        if self.ready:
            layout = ReplayLayout.of(canvas.get_size())
            self._heading = layout.head
            self.sight.draw(canvas, layout, Look.now(self.engine.settings), self.engine.clock())
        else:
            self._draw_waiting(canvas)
        self.focus.draw(canvas)

    def _draw_waiting(self, canvas: pygame.Surface) -> None:
        """That it comes, or why it does not."""
        words = "This recording cannot be shown" if self.trouble else "The recording is being read …"
        size, width = min(theme.scaled(theme.LARGE), 44), canvas.get_width() - 2 * theme.MARGIN
        told = theme.draw_text(canvas, words, (theme.MARGIN, 60), size=size, bold=True, width=width)
        if self.trouble:
            size = min(theme.scaled(theme.BODY), 36)
            picture = theme.paragraph(sentence(self.trouble), size=size, colour=theme.MUTED, width=width)
            canvas.blit(picture, (theme.MARGIN, told.bottom + 20))
