"""MatchInput: presses in a match that are no moves of the game."""

from __future__ import annotations

from agents.seats.words import parse_seat
from arcade.engine.input import events
from arcade.engine.window.scene import Route, Scene
from arcade.games.spec import GameSpec
from arcade.scenes import routes
from arcade.scenes.hud.hud import Hud
from arcade.scenes.match.field import Field
from arcade.scenes.match.pace_bar import change_pace
from arcade.session.match.session import MatchSession
from arcade.session.seating import describe, sentence

MAIN_KEYS = ("return", "space")
"""Keys that join on a keyboard that is told apart, which moves no menu."""


class MatchInput(Scene):
    """Base of the match scene: passes each event to the part of the match that it concerns."""

    spec: GameSpec
    session: MatchSession
    hud: Hud
    field: Field

    def invite(self, pad: events.Device) -> None:
        """Say how a gamepad without a seat joins, where a seat is free."""
        if self.session.joining.may_join(pad.word):
            words = self.engine.bindings.fill_in("press {a} to join")
            self.hud.say(f"{pad.name or 'Gamepad'} {int(pad.slot) + 1}: {words}", about="seats")

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
                    self.pause("The window lost the keyboard")
            case events.PointerInput():
                self._pointer(event)
            case events.QuitAsked():
                session.quit()
        return None

    def pause(self, why: str = "", *, missing: str = "") -> None:
        """Stop the clock and show the menu; `missing` is the word of a gamepad whose return resumes."""
        if self.session.is_running:
            self._open(routes.Pause(self.session, why, missing))
        elif not why:
            self.engine.pop()  # not begun, or over: Esc leaves

    def ask_for_pads(self, why: str = "") -> bool:
        """Pause where the gamepad of a seat is disconnected; True if it is."""
        word = self.session.pads.next()
        if word:
            self.engine.sound.play("warning")
            self.pause(why or f"{sentence(describe(parse_seat(word)))} is disconnected", missing=word)
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
        match name:
            case "f1":
                self._open(routes.Controls(self.spec, self.session.lineup, self.session.match))
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
            self.ask_for_pads(f"{event.device.name or 'Gamepad'} disconnected")

    def _pointer(self, event: events.PointerInput) -> None:
        self.hud.pointer(event)
        if event.is_click and self.hud.foot.pause_button.collidepoint(event.pos):
            self.pause()
        elif self.session.is_begun:
            self.field.pointer(event)
