"""ReplayScene: replays a match: play, seek, AI insight, take over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import pygame

from agents.errors import UserError
from agents.seats.controller import AgentID, SeatChoice
from arcade.engine.input.events import InputEvent, KeyInput, MenuInput, PointerInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button
from arcade.engine.ui.layout import Column, Panel, Row, Spacer
from arcade.engine.ui.scroll import Scroll
from arcade.engine.ui.texts import Label, Paragraph
from arcade.engine.ui.widget import Widget
from arcade.language import N_, _
from arcade.match.playback.branch import Branch
from arcade.match.playback.playback import Playback
from arcade.scenes import routes
from arcade.scenes.foot import Foot
from arcade.scenes.hud.starting import draw_backdrop
from arcade.scenes.match_start import open_match
from arcade.scenes.recordings.thumbnails import Thumbnails
from arcade.scenes.replay.controls import ReplayControls
from arcade.scenes.replay.seat_rows import SeatRows
from arcade.scenes.replay.view import InsightColumn, ReplayPicture, ReplayState, head_of
from arcade.scenes.screen import LOW, Screen
from arcade.session.match.pace import REPLAY_SPEEDS
from arcade.session.match.trust_texts import words_text
from arcade.session.people import seat_choice_of
from arcade.session.recordings.insights import Insights
from arcade.session.recordings.replay_loading import LoadedReplay, ReplayLoading
from arcade.session.recordings.takeover import lineup_with, seat_of_person, seats_at, substitution
from arcade.session.seating import sentence
from arcade.session.services import Services

if TYPE_CHECKING:  # onnxruntime takes a second to import
    from agents.policies.snapshot_controller import SnapshotController

BEHIND = 1.0
"""Seconds behind a mark within which the mark before it counts as the previous one."""

SIDE = 300
"""Units of the column beside the picture."""


class ReplayScene(Screen):
    """Loads a recording and plays it back; owns its stage.  The attributes below are set once it is loaded."""

    loaded: LoadedReplay
    playback: Playback
    insights: Insights
    state: ReplayState
    picture: ReplayPicture
    head_line: Widget
    side: Widget

    legend = (("start", N_("Play or pause")), ("next", N_("Next mark")), ("back", N_("Back")))
    is_large = True

    def __init__(self, services: Services, route: routes.Replay) -> None:
        super().__init__(services, route)
        self.path, self.span = route.path, route.span
        self.speeds: Sequence[float] = sorted({*REPLAY_SPEEDS, route.speed})
        self.speed = self.speeds.index(route.speed)  # the index of the present one
        self.device = SeatChoice("keyboard")  # pressed last
        self.ready = False
        self.loading = ReplayLoading(services, route.path)
        self._given = route.given  # a match is to begin with these players
        self._thumbnails = Thumbnails(services.worker)
        self._stops = True  # pause at the span's end (first pass only)
        self._here = 0  # the tick shown in the frame before
        self._trouble = ""  # on the page

    def leave(self) -> None:
        self.loading.close()
        if self.ready:
            self.insights.clear()

    def update(self, now: float) -> None:
        super().update(now)
        if not self.ready and (loaded := self.loading.update()) is not None:
            self._show(loaded)
        if self.loading.trouble != self._trouble:
            self._trouble = self.loading.trouble
            self.refresh()
        if self.ready:
            self._advance(now)

    def rest(self, now: float) -> None:
        if self.ready:
            self.playback.listen()

    def _show(self, loaded: LoadedReplay) -> None:
        self.loaded, self.playback = loaded, loaded.playback()
        self.insights = Insights(loaded.spec, self.playback, self.services.library.snapshot_names)
        names = self.services.library.player_names(loaded.spec).knowing(loaded.people)
        self.state = ReplayState(loaded, self.playback, names)
        self.picture = ReplayPicture(
            self.state, self.engine.settings, toggle=self.toggle, clock=self.engine.clock
        )  # fmt: skip
        self.ready = True
        self.playback.speed = self.speeds[self.speed]
        self.playback.seek(self.span[0])
        if self._given is None:
            self.playback.play()
        self.services.library.refresh_snapshots(loaded.spec.id, done=self._begin_given)
        self.rebuild()

    def _begin_given(self) -> None:
        """Begin the match that was asked for, once the snapshots are known."""
        given, self._given = self._given, None
        if given is None or self.engine.scene is not self:
            return
        seat = seat_of_person(self.loaded.replay, self.loaded.spec, self.playback.goal)
        self._branch(given or {seat: self.device})

    def _advance(self, now: float) -> None:
        """Advance the playback and the insights."""
        playback = self.playback
        playback.advance(now)
        before, self._here = self._here, playback.index
        if playback.playing:
            self._pass_by(before, self._here)
        if playback.tick is not None:
            self.insights.look(playback.tick)

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

    # The page

    def build(self) -> Widget:
        if not self.ready:
            return self._waiting()
        controls = ReplayControls(self)
        low = self.theme.page[1] < LOW
        self.head_line = head_of(self.state, self.theme.page[0])
        self.side = self._side()
        scrub = controls.scrub_bar()
        if low:
            parts = [self.head_line, self.picture, scrub, controls.centred_signs(), controls.tools(), controls.rest()]
            page: Widget = Panel(Scroll(Column([*parts, self.side], gap=6)), padding=8, fill="", grow=1)
        else:
            game = Row([self.picture, self.side], align="stretch", grow=1)
            below = Panel(Column([scrub, controls.bar(self.theme.page[0])], gap=8), padding=10, fill="")
            head = Panel(self.head_line, padding=8, fill="")
            foot = Foot(self.engine, self.legend, lambda: self.foot_hint, messages=True)
            page = Column([head, game, below, foot], gap=0, grow=1)
        self._first = scrub
        return page

    def _side(self) -> Widget:
        """Make the seats, and the AI insight below them."""
        spec, names = self.loaded.spec, self.state.names
        thinks = bool(self.insights.names)
        seats = SeatRows(
            self.loaded, lambda: self.playback.index, names, brief=thinks, score=self.state.points, moves=self._moves
        )  # fmt: skip
        insight = InsightColumn(self.insights, spec.agents) if thinks else None
        return Panel(Column([seats, insight], gap=6), padding=0, fill="", width=SIDE, least=240)

    def _moves(self) -> Sequence[str]:
        """Return the moves up to the moment on show, in the game's notation; () for games without one."""
        tick = self.playback.tick
        view = tick.views.get(None) if tick is not None else None
        return view.get("moves", ()) if view is not None else ()

    def _waiting(self) -> Widget:
        """Make the page while the recording is loaded, or the error."""
        trouble = self.loading.trouble
        title = Label(_("This recording cannot be shown") if trouble else _("Loading …"), size=themes.LARGE, bold=True)
        reason = Paragraph(sentence(trouble), colour="muted") if trouble else None
        back = Button(_("Back"), self.back, hint=_("Leave this recording"), key="back")
        look = (
            Button(_("Look at the game …"), self._ask_for_trust, hint=_("What it would run"))
            if self.loading.game
            else None
        )
        return Panel(Scroll(Column([title, reason, Spacer(), Row([back, look])], gap=20)), padding=40, fill="", grow=1)

    def draw_behind(self, canvas: pygame.Surface) -> None:
        """Draw the recording's picture while it is loaded."""
        super().draw_behind(canvas)
        if not self.ready:
            draw_backdrop(canvas, self.theme, partial(self._thumbnails.get, self.path.with_suffix(".png")))

    def _ask_for_trust(self) -> None:
        """Show the code of a game that was never opened here."""
        detail = _("Replaying it runs the code of its game:") + "\n" + words_text([self.loading.game])
        self.engine.push(routes.Confirm(_("Trust this game?"), detail, _("Trust and show"), self.loading.trust))

    def draw_over(self, canvas: pygame.Surface) -> None:
        """Draw the messages, where the page has no foot for them, but not over the score, the time and the seats."""
        if self.ready and self.theme.page[1] >= LOW:
            return
        read = [self.head_line.rect, self.side.rect] if self.ready else []
        taken = [*(widget.rect for widget in self.focus.widgets), *read]
        foot = canvas.get_height() - self.theme.px(44)
        self.engine.toasts.draw_clear(canvas, taken, foot=foot, look=self.theme)

    # Input

    def handle(self, event: InputEvent) -> bool | None:
        if not self.ready:
            return super().handle(event)
        if isinstance(event, MenuInput):
            self.device = seat_choice_of(event.device.word)
        elif isinstance(event, PointerInput) and event.kind == "press":
            self.device = SeatChoice("keyboard")
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
            self.engine.say(_("That was the last mark") if by > 0 else _("That was the first mark"))
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
        self.state.viewer = viewers[(viewers.index(self.state.viewer) + 1) % len(viewers)]
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
            self.refresh()
            return
        services, insights = self.services, self.insights

        def put(loaded: Mapping[AgentID, SnapshotController]) -> None:
            insights.put(loaded)
            self.refresh()

        services.worker.submit(
            lambda: insights.load(services.library.store(), name, agents), done=put,
            failed=lambda error: self.engine.say(str(error)), errors=UserError,
        )  # fmt: skip

    def take_over(self, choice: SeatChoice) -> None:
        """Play from here as `choice`, in the only seat or one that the player chooses."""
        playback = self.playback
        playback.pause()
        goal = playback.goal

        def seats_now() -> Sequence[tuple[AgentID, str]]:
            return seats_at(self.loaded.replay, goal, self.state.names)

        seats = seats_now()
        if playback.problem or not seats or playback.goal >= playback.length:
            self.engine.say(_("The match is over here: go back a little, then take over"))
        elif len(seats) == 1:
            self.play_branch(seats[0][0], choice)
        else:
            self.engine.push(routes.TakeOver(self.loaded.spec, seats_now, self.play_branch))

    def play_branch(self, agent: AgentID, choice: SeatChoice) -> None:
        """Play a match that repeats the recorded one up to here, then continues with `choice` in that seat."""
        self._branch({agent: choice})

    def _branch(self, given: Mapping[AgentID, SeatChoice]) -> None:
        loaded, tick = self.loaded, self.playback.goal
        snapshots = self.services.library.names(loaded.spec.id)
        lineup = lineup_with(loaded.replay, loaded.spec, tick, snapshots, given)
        if replaced := substitution(loaded.replay, loaded.spec, tick, snapshots, given, self.state.names):
            self.engine.say(replaced)
        branch = Branch(replay=loaded.replay, tick=tick, recording=self.path.stem, people=loaded.people)
        open_match(self, routes.Match(loaded.spec, lineup, branch=branch))

    def make_video(self) -> None:
        """Ask for the part and the format of a video."""
        self.playback.pause()
        fps, end = self.loaded.spec.fps, self.span[1]
        seconds, start = self.playback.length / fps, self.playback.goal / fps
        self.engine.push(routes.Video(self.path, seconds, start, None if end is None else end / fps, self.state.viewer))
