"""Match: the game on the screen, from the press that starts it to its result."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

import pygame

from agents.controller import Action, AgentID, SeatChoice
from arcade.engine.events import DeviceAdded, DeviceRemoved, FocusLost, InputEvent, MenuInput, PointerInput, QuitAsked
from arcade.engine.frames import FrameView
from arcade.engine.loop import Engine
from arcade.engine.scene import Scene
from arcade.games.spec import GameSpec
from arcade.match.hosted import HostedStage
from arcade.match.lineup import close_mapping
from arcade.match.match import Match
from arcade.match.tick import Frame
from arcade.scenes.following import Following
from arcade.scenes.hud import Hud
from arcade.scenes.launch import HandedStage, Launch, Launched
from arcade.scenes.lobby import Lobby
from arcade.scenes.moves import MovesPanel
from arcade.scenes.screen import backdrop
from arcade.scenes.seating import Seating
from arcade.scenes.standings import Standings

WINDOW_RATE = 60.6
"""Ticks a second above which one a frame is too few."""

BUDGET = 0.004
"""Seconds of a frame that a match faster than the window may take for its ticks."""

GLANCE = 0.0003
"""Seconds between two looks at a child that works on a tick of a match faster than the window."""


def quick_lineup(spec: GameSpec, who: SeatChoice, snapshots: Sequence[str]) -> dict[AgentID, SeatChoice]:
    """`who` in the first seat and the usual opponent in every other."""
    return Seating(spec, devices=[who], snapshots=snapshots, lineup={spec.agents[0]: who}).lineup


class MatchScene(Scene):
    """Owns the stage and the controllers; hands the stage on to a rematch, closes it otherwise."""

    plays = True

    def __init__(
        self,
        lobby: Lobby,
        spec: GameSpec,
        lineup: Mapping[AgentID, SeatChoice],
        *,
        stage: HandedStage | None = None,
    ) -> None:
        self.lobby = lobby
        self.spec = spec
        self.lineup = dict(lineup)
        self.match: Match | None = None
        self._handed = stage
        self._stage: HostedStage | None = None  # the launch's own until the match has started
        self._launch: Launch | None = None
        self._launched: Launched | None = None
        self._following: Following | None = None
        self._frozen: list[str] = []  # snapshots heard of before there was a match
        self._asked_for: set[str] = set()  # pads that are gone, and that somebody was asked about
        self.moves: MovesPanel | None = None
        self._view = FrameView()
        self._shown: Frame | None = None  # what the newest picture was when this frame began
        self._hud = Hud(spec, self.lineup)
        self._over_at: float | None = None
        self._told = False
        self._fast = spec.fps * lobby.opening.speed > WINDOW_RATE
        if self._fast:
            self.nap = GLANCE

    # On and off the stack

    def enter(self, engine: Engine) -> None:
        super().enter(engine)
        self._view.whole = engine.settings.whole_pixels
        self.lobby.on_frozen = self._note_frozen
        self._launch = self.lobby.launch(self.spec, self.lineup, self._handed)

    def leave(self) -> None:
        self.lobby.on_frozen = lambda game, name: None
        if self.match is not None:
            self.match.quit()  # nothing, where it is over
            self._tell(self.match)
            close_mapping(self.match.mapping)
            if self._stage is not None:
                self.lobby.free(self._stage)
        elif self._launch is not None:
            self._launch.close()
        self.lobby.warm_child()

    def resume(self) -> None:
        """The pause is over, unless a pad went away meanwhile that nobody was asked about yet."""
        self._view.whole = self.engine.settings.whole_pixels
        if self.match is not None and not self._ask_for_pads():
            self.match.resume(self.engine.clock())

    @property
    def pause_button(self) -> pygame.Rect:
        """Where a click pauses."""
        return self._hud.pause_button

    @property
    def said(self) -> tuple[str, ...]:
        """The lines on the screen now."""
        return self._hud.said

    @property
    def notes(self) -> str:
        """What the bars tell of the seats: round trips and late ticks."""
        return self._hud.notes

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
        if isinstance(event, MenuInput):
            # a pad's B means "back" in menus, but belongs to the game here
            if event.action == "start" or (event.action == "back" and event.device.kind == "keyboard"):
                self.pause()
        elif isinstance(event, DeviceRemoved):
            self._pad_gone(event.device.word, event.device.name)
        elif isinstance(event, DeviceAdded):
            self._asked_for.discard(event.device.word)
        elif isinstance(event, FocusLost):
            if self.engine.settings.pause_unfocused and any(choice.is_human for choice in self.lineup.values()):
                self.pause("The window lost the keyboard")
        elif isinstance(event, PointerInput):
            self._pointer(event)
        elif isinstance(event, QuitAsked) and self.match is not None:
            self.match.quit()
        return None

    def pause(self, why: str = "", *, missing: str = "") -> None:
        """Stop the clock and ask; `missing` is the word of a pad whose return resumes."""
        from arcade.scenes.pause import PauseScene

        if self.match is None or self.match.over:
            if not why:
                self.engine.pop()  # nothing runs yet, or no more: Esc leaves
            return
        self.match.pause()
        self.engine.push(PauseScene(self.lobby, self, why=why, missing=missing))

    def update(self, now: float) -> None:
        self.lobby.update(now)
        if self.match is None:
            self._start(now)
        if self.match is not None:
            self._advance(self.match, now)

    def rest(self, now: float) -> None:
        """The seats are asked as soon as the tick is there: who thinks far away has the rest of the frame for it."""
        match = self.match
        if match is None:
            return
        if not self._fast:
            match.listen(now)
        else:
            self._step_faster(match, now)

    def _start(self, now: float) -> None:
        assert self._launch is not None
        launched = self._launch.update()
        if launched is None:
            return
        self._launched, self.match, self._stage = launched, launched.match, self._launch.stage
        self._hud.begin(launched, now)
        self._following = Following(self.lobby, launched, self.lineup, say=self._hud.say)
        self.lobby.on_frozen = self._following.on_frozen
        self.moves = MovesPanel(self.match) if self.spec.turn_based else None
        self.lobby.warm_child()
        for name in self._frozen[-1:]:
            self._following.on_frozen(self.spec.id, name)
        self._ask_for_pads()

    def _note_frozen(self, game: str, name: str) -> None:
        """A trainer froze `name` while the match was on its way: perhaps too late for the seats of the launch."""
        if game == self.spec.id:
            self._frozen.append(name)

    def _advance(self, match: Match, now: float) -> None:
        assert self._launched is not None
        assert self._following is not None
        match.advance(now)
        if self._fast:
            self._shown = match.frame
            self._catch_up(match)
        self._following.update()
        for event in self._launched.watch.take_events():
            if event in ("point", "hit"):
                self.engine.sound.play(event)  # type: ignore[arg-type]
        status = self.lobby.trainer.status
        self._hud.trainer_words = status.words if status is not None else ""
        self._hud.update(now)
        if match.error is not None:
            raise match.error
        if match.over:
            self._over_at = now if self._over_at is None else self._over_at
            if now - self._over_at > 0.8:  # the last point may be seen
                self._finish(match)

    def _catch_up(self, match: Match) -> None:
        """As many of the ticks that are due as the child brings within the budget."""
        end = time.monotonic() + BUDGET
        while time.monotonic() < end:
            before = match.tick
            self._step_faster(match, self.engine.clock())
            if match.stepping:
                time.sleep(GLANCE)
            elif match.tick is before:
                return  # nothing is due, or the match is over

    def _step_faster(self, match: Match, now: float) -> None:
        """Go on, and have no picture drawn beside the next to be shown: it takes longer than most ticks."""
        match.listen(now)
        if self._stage is not None:
            self._stage.draws = match.frame is self._shown
        match.advance(now)

    def _finish(self, match: Match) -> None:
        from arcade.scenes.results import ResultsScene

        assert match.result is not None
        results = ResultsScene(
            self.lobby, self.spec, self.lineup, match.result, frame=match.frame, stage=self.release_stage()
        )
        self._tell(match, results.kept)
        self.engine.replace(results)

    def _tell(self, match: Match, done: Callable[[Standings], None] = lambda standings: None) -> None:
        """Every result goes to the ladder, also of a match that was left; once."""
        if match.result is not None and not self._told:
            self._told = True
            self.lobby.keep(match.result, done)

    def _pad_gone(self, word: str, name: str) -> None:
        if word in self._pads():
            self._ask_for(word, f"{name or 'A gamepad'} was pulled out")

    def _ask_for_pads(self) -> bool:
        """Pause for a seat's pad that went away unseen: during the launch, a pause, the settings.  True where one did.

        Nobody is asked twice: whoever resumes without the pad plays on without it.
        """
        there = {pad.word for pad in self.engine.devices.pads}
        gone = [word for word in self._pads() if word not in there]
        self._asked_for &= set(gone)
        unseen = [word for word in gone if word not in self._asked_for]
        if unseen:
            self._ask_for(unseen[0], f"Gamepad {int(unseen[0].partition(':')[2]) + 1} is not plugged in")
        return bool(unseen)

    def _ask_for(self, word: str, why: str) -> None:
        self._asked_for.add(word)
        self.engine.sound.play("warning")
        self.pause(why, missing=word)

    def _pads(self) -> list[str]:
        """The words of the pads that seats are played with."""
        words = [getattr(controller, "word", "") for controller in self.match.mapping.values()] if self.match else []
        return [word for word in words if word.startswith("gamepad:")]

    def _pointer(self, event: PointerInput) -> None:
        if event.kind == "press" and event.button == 1 and self.pause_button.collidepoint(event.pos):
            self.pause()
        elif self.moves is not None:
            self.moves.pointer(event)

    # How it looks

    def draw(self, canvas: pygame.Surface) -> None:
        canvas.blit(backdrop(canvas.get_size()), (0, 0))
        match = self.match
        if match is None:
            self._hud.draw_starting(canvas)
            return
        shown = self.engine.settings.show_hud
        area = self._hud.picture_area(canvas, panel=self.moves is not None) if shown else canvas.get_rect()
        pygame.draw.rect(canvas, (10, 9, 12), area)
        self._view.draw(canvas, match.frame, area)
        self.rest(self.engine.clock())  # the child may have answered meanwhile; the rest of the picture takes a while
        if self.moves is not None:
            self.moves.draw(canvas, area)
        if shown:
            self._hud.draw(canvas)
        self._hud.draw_messages(canvas, area)
        self.rest(self.engine.clock())
