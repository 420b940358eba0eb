"""Match: the game on the screen, from the press that starts it to its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import pygame

from agents.seats.controller import Action, AgentID
from agents.seats.words import parse_seat
from arcade.engine.input.events import InputEvent
from arcade.engine.window.engine import Engine
from arcade.engine.window.route import Route
from arcade.engine.window.scene import Scene
from arcade.match.play.adjustable import AdjustableMatch
from arcade.match.stage.hosted import HostedStage
from arcade.scenes import routes
from arcade.scenes.hud.hud import Hud
from arcade.scenes.lobby import Lobby
from arcade.scenes.match.field import Field
from arcade.scenes.match.joining import Joining
from arcade.scenes.match.match_input import MatchInput
from arcade.scenes.match.pace import Pace, moment_words
from arcade.scenes.match.pads import MissingPads
from arcade.scenes.match.running import Running
from arcade.scenes.match.series import Series
from arcade.scenes.recordings.after_match import RecordingStrip, keep_recording
from arcade.scenes.screen import backdrop
from arcade.session.following import Following
from arcade.session.launch import HandedStage, Launch, Launched
from arcade.session.rating_changes import RatingChanges
from arcade.session.seating import describe, sentence
from arcade.session.viewer import viewer_of

if TYPE_CHECKING:
    from arcade.scenes.match.curtain import CurtainCard
    from arcade.scenes.match.moves import MovesPanel
    from arcade.scenes.match.picture import GamePicture

LAST_SIGHT = 0.8
"""Seconds before the results come, so that the last point may be seen."""

SHOWDOWN = 2.5
"""The same where cards are turned up at the end."""


class MatchScene(Scene):
    """Owns the stage and the controllers; hands the stage on to a rematch, closes it otherwise.

    `joining`, `pace` and `pads` hold from the match's start on.
    """

    plays = True
    joining: Joining
    pace: Pace
    pads: MissingPads
    _running: Running
    _following: Following

    def __init__(self, lobby: Lobby, route: routes.Match) -> None:
        self.lobby, self.route = lobby, route
        self.spec = spec = route.spec
        self.lineup = dict(route.lineup)  # who sits there now
        self.series = route.series or Series.begin(spec, 1 if route.branch is not None else lobby.best_of)
        self._branch = route.branch
        self.match: AdjustableMatch | None = None
        self._handed = route.stage
        self._stage: HostedStage | None = None  # the launch's own until the match has started
        self._launch: Launch | None = None
        self._launched: Launched | None = None
        self._frozen: list[str] = []  # snapshots heard of before there was a match
        self.field = Field(spec)
        self._input = MatchInput(self)
        self.hud = Hud(lobby.engine, spec, self.lineup)
        self.floor = 0  # above which line of the canvas the picture is to stay; 0: it has all the room
        self._over_at: float | None = None
        self._warned = ""  # what was said of the recording
        self._told = self._is_kept = False

    # On and off the stack

    def enter(self, engine: Engine) -> None:
        super().enter(engine)
        self.lobby.playing = self
        self.field.picture.whole = engine.settings.whole_pixels
        self.lobby.on_frozen = self._note_frozen
        self._launch = self.lobby.launch(self.spec, self.lineup, self._handed, branch=self._branch)

    def leave(self) -> None:
        self.lobby.on_frozen, self.lobby.playing = (lambda game, name: None), None
        if self.match is not None:
            assert self._launched is not None
            self._launched.end(self.lobby.worker)
            self._tell(self.match)
            self._keep_recording()
            if self._stage is not None:
                self.lobby.free(self._stage)
        elif self._launch is not None:
            self._launch.close()
        self.lobby.warm_child()

    def resume(self) -> None:
        """The pause is over, unless a pad went away meanwhile that nobody was asked about yet."""
        self.field.picture.whole = self.engine.settings.whole_pixels
        if self.match is not None and not self.ask_for_pads():
            self.match.resume(self.engine.clock())

    @property
    def picture(self) -> GamePicture:
        """What there is to see of the game."""
        return self.field.picture

    @property
    def moves(self) -> MovesPanel | None:
        """The legal moves of a game of turns, from the match's start on."""
        return self.field.moves

    @property
    def curtain(self) -> CurtainCard | None:
        """What hangs between people at one screen in a game of secrets, from the match's start on."""
        return self.field.curtain

    @property
    def pause_button(self) -> pygame.Rect:
        """Where a click pauses."""
        return self.hud.pause_button

    @property
    def said(self) -> tuple[str, ...]:
        """The lines on the screen now."""
        return self.hud.said

    @property
    def notes(self) -> str:
        """What the bars tell of the seats: round trips and late ticks."""
        return self.hud.notes

    @property
    def last_actions(self) -> Mapping[AgentID, Action]:
        """What the seats did in the newest tick."""
        return self._launched.watch.last_actions if self._launched is not None else {}

    def release_stage(self) -> HandedStage | None:
        """Hand the stage on where it can play another match; then it is no longer this scene's to close."""
        match, stage = self.match, self._stage
        if match is None or stage is None or match.error is not None:
            return None
        self._stage, stage.draws = None, True
        return HandedStage(stage, busy=match.stepping)

    # What happens

    def handle(self, event: InputEvent) -> bool | None:
        self._input.handle(event)
        return None

    def pause(self, why: str = "", *, missing: str = "") -> None:
        """Stop the clock and ask; `missing` is the word of a pad whose return resumes."""
        if self.match is None or self.match.over:
            if not why:
                self.engine.pop()  # nothing runs yet, or no more: Esc leaves
            return
        self._stand_still(self.match)
        self.engine.push(routes.Pause(self, why, missing))

    def stand(self) -> None:
        """Stop the clock and go on by hand: tick by tick, slower, back."""
        if self.match is not None and not self.match.over:
            self.match.pause()
            self.joining.let_go()
            self.engine.push(routes.Pace(self))

    def show_controls(self) -> None:
        """What everybody at the screen can do, while the clock stands."""
        self._open(routes.Controls(self.spec, self.lineup, self.match))

    def show_pieces(self) -> None:
        """Choose what the match shows, while the clock stands."""
        self._open(routes.HudPieces())

    def _open(self, route: Route) -> None:
        if self.match is not None and not self.match.over:
            self._stand_still(self.match)
            self.engine.push(route)

    def _stand_still(self, match: AdjustableMatch) -> None:
        """Another page comes: what is held counts no more, and others may come to the screen meanwhile."""
        match.pause()
        self.joining.let_go()
        self.engine.devices.curtain.fall()

    def update(self, now: float) -> None:
        self.lobby.update(now)
        if self.match is None:
            self._start(now)
        if self.match is not None:
            self._advance(self.match, now)

    def rest(self, now: float) -> None:
        if self.match is not None:
            self._running.rest(now)

    def due_in(self, now: float) -> float:
        return self.match.due_in(now) if self.match is not None else float("inf")

    @property
    def is_running(self) -> bool:
        """Whether there is a match, and its end has not come."""
        return self.match is not None and not self.match.over

    def _start(self, now: float) -> None:
        assert self._launch is not None
        launched = self._launch.update()
        if launched is None:
            return
        assert self._launch.stage is not None
        match, hud, lobby = launched.match, self.hud, self.lobby
        self._launched, self.match, self._stage = launched, match, self._launch.stage
        hud.begin(launched, now)
        self._running = Running(match, self._stage, clock=self.engine.clock)
        self.pace = Pace(match, self._running, speed=lobby.opening.speed, say=partial(hud.say, about="pace"))
        say = partial(hud.say, about="seats")
        self.joining = Joining(lobby, match, self.lineup, devices=lobby.devices(self.spec), say=say)
        self.pads = MissingPads(self.engine.devices, match)
        self._following = Following(lobby, launched, self.lineup, say=hud.say)
        lobby.on_frozen = self._following.on_frozen
        self.field.begin(match, self.engine.devices)
        lobby.warm_child()
        for name in self._frozen[-1:]:
            self._following.on_frozen(self.spec.id, name)
        for pad in self.engine.devices.pads:
            self.joining.invite(pad)
        if not self.ask_for_pads() and self._branch is not None and not self.spec.turn_based:
            self.pause(f"You play on from {moment_words(match)}")

    def _note_frozen(self, game: str, name: str) -> None:
        """A trainer froze `name` while the match was on its way: perhaps too late for the seats of the launch."""
        if game == self.spec.id:
            self._frozen.append(name)

    def _advance(self, match: AdjustableMatch, now: float) -> None:
        self._running.frame(now)
        self.nap = self._running.nap
        self._following.update()
        self.pace.update()
        self._update_hud(now)
        if match.error is not None:
            raise match.error
        if match.over and self.engine.scene is self:
            self._over_at = now if self._over_at is None else self._over_at
            if now - self._over_at > (SHOWDOWN if self.spec.secret else LAST_SIGHT):
                self._finish(match)

    def _update_hud(self, now: float) -> None:
        assert self._launched is not None
        for event in self._launched.watch.take_events():
            if event in ("point", "hit"):
                self.engine.sound.play(event)  # type: ignore[arg-type]
        self._warn(self._launched.watch.warning)
        refused = self.field.take_refused()
        if refused:
            self.hud.say(refused, about="refused")
            self.engine.sound.play("warning")
        self.hud.trainer_words = self.lobby.trainer.words
        self.hud.correcting = self.joining.correcting
        self.hud.series_words, self.hud.pace_words = self.series.words, self.pace.words
        self.hud.update(now)

    def _warn(self, words: str) -> None:
        """Say once what of the match is not recorded, and why."""
        if words and words != self._warned:
            self.hud.say(words, about="recording")
            self.engine.sound.play("warning")
        self._warned = words

    def _finish(self, match: AdjustableMatch) -> None:
        assert match.result is not None
        self.joining.let_go()
        self.series = self.series.after(self.spec, match.result)
        route = routes.Results(
            self.spec, self.lineup, match.result, self.release_stage(), self.field.picture, viewer_of(match),
            self.series,
        )  # fmt: skip
        results: Any = self.engine.open_route(route)
        self._tell(match, results.kept)
        self._keep_recording(results)
        self.engine.replace(results)

    def _tell(self, match: AdjustableMatch, done: Callable[[RatingChanges], None] = lambda standings: None) -> None:
        """Every result goes to the ladder, also of a match that was left; once."""
        if match.result is not None and not self._told:
            self._told = True
            self.lobby.keep(match.result, done)

    def _keep_recording(self, results: Any = None) -> None:
        """The recording gets its picture and its card, also of a match that was left; once."""
        assert self._launched is not None
        if self._is_kept:
            return
        self._is_kept = True
        strip = RecordingStrip(self.lobby, results.refresh) if results is not None else None
        if keep_recording(self.lobby, self._launched, self.picture, strip) and results is not None:
            results.strip = strip

    def ask_for_pads(self, why: str = "") -> bool:
        """Pause for a seat's pad that is gone: just now, or since the launch or a pause began.  True where so."""
        word = self.pads.next()
        if word:
            self.engine.sound.play("warning")
            self.pause(why or f"{sentence(describe(parse_seat(word)))} is not plugged in", missing=word)
        return bool(word)

    # How it looks

    def draw(self, canvas: pygame.Surface) -> None:
        canvas.blit(backdrop(canvas.get_size()), (0, 0))
        if self.match is None:
            assert self._launch is not None
            self.hud.draw_starting(canvas, self._launch.words)
            return
        area = self.hud.picture_area(canvas, panel=self.field.lists_moves)
        area.h = min(area.h, self.floor - area.top) if self.floor else area.h
        self.field.draw(canvas, area)
        self.rest(self.engine.clock())  # the child may have answered meanwhile; the rest of the picture takes a while
        self.field.draw_moves(canvas, area)
        self.hud.draw(canvas)
        self.hud.draw_messages(canvas, area)
        self.rest(self.engine.clock())
