"""MatchScene: a match on the screen, from launch to result; pauses when a gamepad is disconnected."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pygame

from agents.seats.kinds import parse_seat
from arcade.engine.input import events
from arcade.engine.input.function_keys import slots_key
from arcade.engine.ui.texts import Text
from arcade.engine.window.scene import Host, Route, Scene
from arcade.language import _
from arcade.match.play.match import Match
from arcade.scenes import routes
from arcade.scenes.dialogs.quitting import at_stake, quit_arcade
from arcade.scenes.home.game_pictures import GamePictures
from arcade.scenes.hud.hud import Hud
from arcade.scenes.match.board_commands import BoardCommands
from arcade.scenes.match.feedback import play_events
from arcade.scenes.match.field import Field
from arcade.scenes.match.narration import MatchNarration
from arcade.scenes.match.picture import thumbnail_of
from arcade.scenes.screen import Overlay, backdrop
from arcade.session.match.moment_texts import moment_of
from arcade.session.match.pace import change_pace
from arcade.session.match.session import MatchSession
from arcade.session.people import viewer_of
from arcade.session.seating import describe, sentence
from arcade.session.services import Services

HELP_KEY = "f1"
"""Of the help, behind which the markers stay."""

MAIN_KEYS = ("return", "space")
"""Keys that join on a keyboard that is told apart, which moves no menu."""


class MatchScene(Scene):
    """Shows a MatchSession and passes input to it; `session` and `hud` come with `enter`."""

    plays = True
    is_large = True
    narration: MatchNarration  # once the match has begun

    def __init__(self, services: Services, route: routes.Match) -> None:
        self.services, self.route = services, route
        self._match, self.spec = route, route.spec
        self.field = Field(route.spec)
        self.commands: BoardCommands | None = None  # in turn-based games, once the match has begun
        self._shown = False  # the match has begun and is drawn
        self._over_at: float | None = None

    # On and off the stack

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        self.field.picture.follow(engine.settings)
        route = self._match
        self.session = MatchSession(
            self.services, route.spec, route.lineup, stage=route.stage, series=route.series, branch=route.branch,
            clock=engine.clock,
        )  # fmt: skip
        self.pictures = GamePictures(self.services)
        names = self.services.library.player_names(route.spec)
        self.hud = Hud(engine, route.spec, self.session.lineup, names, self.services.people)
        self.session.audience = self.hud

    def leave(self) -> None:
        self.session.close(self._thumbnail() if self.session.is_recorded else None)

    def resume(self) -> None:
        """Resume the match, or pause again where another gamepad was disconnected meanwhile."""
        self.field.picture.follow(self.engine.settings)
        if self.session.is_begun and not self.ask_for_pads():
            self.session.resume()
            self.field.show_markers()

    @property
    def match(self) -> Match | None:
        """The match, once it has begun."""
        return self.session.match if self.session.is_begun else None

    def update(self, now: float) -> None:
        session = self.session
        session.update(now)
        if not session.is_begun:
            return
        if not self._shown:
            self._begin(now)
        self.nap = session.running.nap
        self._update_hud(now)
        self.field.update(now)
        if session.outcome is not None and self.engine.scene is self:
            self._over_at = now if self._over_at is None else self._over_at
            if now - self._over_at > self.field.last_sight:
                self._show_results()

    def rest(self, now: float) -> None:
        if self.session.is_begun:
            self.session.running.rest(now)

    def due_in(self, now: float) -> float:
        return self.match.due_in(now) if self.match is not None else float("inf")

    def _begin(self, now: float) -> None:
        session = self.session
        assert session.launched is not None
        self._shown = True
        self.hud.begin(session.launched, now)
        self.field.begin(session.match, self.engine.devices, self.services.library.player_names(self.spec))
        self.narration = self._make_narration()
        self.commands = self._make_commands()
        for pad in self.engine.devices.pads:
            self.invite(pad)
        if not self.ask_for_pads() and session.branch is not None and not self.spec.turn_based:
            moment = moment_of(session.match)
            self.pause(lambda: _("Your match continues from {moment}").format(moment=moment))

    def _make_narration(self) -> MatchNarration:
        panel, table = self.field.moves, self.field.picture.table
        moves = (lambda: panel.moves) if panel is not None else tuple
        say = partial(self.hud.say, about="narrator")
        return MatchNarration(self.session.match, self.engine.narrator, table=table, moves=moves, say=say)

    def _make_commands(self) -> BoardCommands | None:
        """Make the commands of a turn-based game, which its panel shows."""
        panel = self.field.moves
        if panel is None:
            return None
        say = partial(self.hud.say, about="board")
        panel.commands = BoardCommands(
            self.session, self.field.picture.table, self.narration, say=say, open_route=self._open
        )
        return panel.commands

    def _update_hud(self, now: float) -> None:
        session, hud = self.session, self.hud
        assert session.launched is not None
        play_events(self.engine, session.match, session.launched.watch.take_events())
        self.narration.update(now)
        if self.commands is not None:
            self.commands.update()
        if refused := self.field.take_refused():
            hud.say(refused, about="refused")
            self.engine.sound.play("warning")
        hud.counting = session.countdown.is_on
        hud.trainer = self.services.trainer_strip
        table = self.field.picture.table
        hud.shown = table.shown if table is not None else None
        hud.correcting = session.joining.correcting
        hud.series_words, hud.pace_words = session.series.text, session.pace.text
        hud.update(now)

    def _show_results(self) -> None:
        session = self.session
        assert session.outcome is not None
        if session.is_recorded:
            session.keep_recording(self._thumbnail())
        viewer = viewer_of(session.match)
        self.engine.replace(
            routes.Results(session.outcome, session.release_stage(), self.field.picture, viewer, branch=session.branch)
        )

    def _thumbnail(self) -> Callable[[Path], None]:
        return thumbnail_of(self.field.picture, self.engine.settings.palette)

    @property
    def _slots(self) -> routes.SaveSlots:
        return routes.SaveSlots(self.spec, self.session, self._thumbnail)

    # Input

    def invite(self, pad: events.Device) -> None:
        """Say how a gamepad without a seat joins, where a seat is free."""
        if self.session.joining.may_join(pad.word):
            words = self.engine.bindings.fill_in(_("press {a} to join"))
            name = pad.name or _("Gamepad")
            self.hud.say(f"{name} {int(pad.slot) + 1}: {words}", about="seats")

    def handle(self, event: events.InputEvent) -> bool | None:
        session = self.session
        match event:
            case events.MenuInput():
                self._menu(event)
            case events.MenuRelease(action="switch") if session.is_running:
                session.joining.release(event.device.word)
            case events.KeyInput(pressed=True) if session.is_running:
                self._key(event.name)
            case events.ControlInput(pressed=True, repeated=False) | events.SourceInput(pressed=True, repeated=False):
                if session.is_running:
                    self._press(event)
            case events.DeviceRemoved() | events.DeviceAdded() if session.is_begun:
                self._plug(event)  # before the match begins, its start asks for missing gamepads
            case events.FocusLost():
                people = any(choice.is_human for choice in session.lineup.values())
                if people and self.engine.settings.pause_unfocused:
                    self.pause(lambda: _("The window lost the keyboard"))
            case events.PointerInput():
                self._pointer(event)
            case events.QuitAsked():
                if session.is_running and at_stake(self.services):
                    self.pause()
                return quit_arcade(self.engine, self.services, session.quit)
        return None

    def pause(self, why: Text = "", *, missing: str = "") -> None:
        """Stop the clock and show the menu; `missing` is the word of a gamepad whose return resumes."""
        if self.session.is_running:
            commands = tuple(self.commands.offered) if self.commands is not None else ()
            self._open(routes.Pause(self.session, why, missing, commands, self._slots))
        elif not why:
            self.engine.pop()  # not begun, or over: Esc leaves

    def ask_for_pads(self, name: str = "") -> bool:
        """Pause where the gamepad of a seat, of that name, is disconnected; True if it is."""
        word = self.session.pads.next()
        if word:
            self.engine.sound.play("warning")
            device = name or sentence(describe(parse_seat(word)))
            self.pause(lambda: _("{device} is disconnected").format(device=device), missing=word)
        return bool(word)

    def _open(self, route: Route) -> None:
        if self.session.is_running:
            self.session.pause()
            self.engine.devices.curtain.fall()  # another player may come to the screen meanwhile
            self.engine.push(route)

    def _menu(self, event: events.MenuInput) -> None:
        # a pad's B means "back" in menus, but belongs to the game here
        if event.action == "start" or (event.action == "back" and event.device.kind == "keyboard"):
            self.pause()
        elif event.repeated or not self.session.is_running:
            return
        elif event.action == "accept" and not (event.device.kind == "keyboard" and self.engine.devices.apart):
            self.session.joining.join(event.device.word)  # keyboards told apart share one menu device
        elif event.action == "switch":
            self.session.joining.toggle(event.device.word)

    def _press(self, event: events.ControlInput | events.SourceInput) -> None:
        """A press of a player; the main key of a keyboard that is told apart joins."""
        device, joining = event.device, self.session.joining
        if isinstance(event, events.SourceInput) and not (device.kind == "keyboard" and device.slot):
            return  # it comes as a control too, with its half of the keyboard
        if device.kind == "keyboard" and joining.held_by(device.word):
            joining.pressed(device.word)
        elif isinstance(event, events.SourceInput) and event.source in MAIN_KEYS and self.engine.devices.apart:
            joining.join(device.word)

    def _key(self, name: str) -> None:
        if self.commands is not None and self.commands.key(name):
            return
        match name:
            case "f1":
                self._open(routes.Controls(self.spec, self.session.lineup, self.session.match))
            case "tab":
                self.narration.read_board()
            case _ if name == slots_key(board=self.spec.is_board_game):
                self._open(self._slots)
            case "f4":
                self._open(routes.HudPieces())
            case "f7":
                self.session.pause()
                self.engine.push(routes.Pace(self.session))
            case "f9":
                self.hud.toggle_insight()
            case _:
                change_pace(self.session.pace, name, self.engine.clock())

    def _plug(self, event: events.DeviceAdded | events.DeviceRemoved) -> None:
        if isinstance(event, events.DeviceAdded):
            self.session.pads.came_back(event.device.word)
            if event.device.kind == "gamepad":
                self.invite(event.device)
        else:
            self.ask_for_pads(event.device.name or _("Gamepad"))

    def _pointer(self, event: events.PointerInput) -> None:
        self.hud.pointer(event)
        if event.is_click and self.hud.foot.pause_button.collidepoint(event.pos):
            self.pause()
        elif self.session.is_begun:
            self.field.pointer(event)

    # Drawing

    def draw(self, canvas: pygame.Surface) -> None:
        theme, hud = self.engine.theme, self.hud
        canvas.blit(backdrop(theme, canvas.get_size()), (0, 0))
        if not self._shown or self.session.match.tick is None:
            hud.draw_starting(canvas, theme, self.session.launch.text, partial(self.pictures.get, self.spec))
            return
        top = self.engine.scene
        right, foot = top.covered if top is not None else (0, 0)
        area = pygame.Rect(0, 0, canvas.get_width() - right, canvas.get_height() - foot)
        moves = self.field.moves_width(theme)
        moves = 0 if right and area.w < 2 * moves else moves  # beside a page the picture has the room
        areas = hud.arrange(theme, area, moves=moves)
        hud.hears_keys = top is self
        self.field.draw(canvas, theme, areas.picture, marked=isinstance(top, Overlay) and top.key == HELP_KEY)
        self.rest(self.engine.clock())  # the stage may have answered meanwhile
        if moves:
            self.field.draw_moves(canvas, theme, areas.around)
        if self.session.countdown.is_on:
            hud.draw_countdown(canvas, theme, self.session.countdown.number)
        hud.draw(canvas, theme)
        hud.draw_messages(canvas, theme, keys=not right)
        self.rest(self.engine.clock())
