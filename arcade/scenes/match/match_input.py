"""MatchInput: presses in a match that are no moves of the game."""

from __future__ import annotations

from typing import Protocol

from arcade.engine.input import events
from arcade.engine.window.scene import Host
from arcade.scenes.hud.hud import Hud
from arcade.scenes.match.field import Field
from arcade.session.match.session import MatchSession

MAIN_KEYS = ("return", "space")
"""Keys that join on a keyboard that is told apart, which moves no menu."""


class PlayedScene(Protocol):
    """The scene that shows the match."""

    engine: Host
    session: MatchSession
    hud: Hud
    field: Field

    def pause(self, why: str = "") -> None: ...
    def step_by_hand(self) -> None: ...
    def show_controls(self) -> None: ...
    def show_pieces(self) -> None: ...
    def ask_for_pads(self, why: str = "") -> bool: ...


class MatchInput:
    """Passes each event to the part of the match that it concerns."""

    def __init__(self, scene: PlayedScene) -> None:
        self._scene = scene

    def invite(self, pad: events.Device) -> None:
        """Say how a gamepad without a seat joins, where a seat is free."""
        if self._scene.session.joining.may_join(pad.word):
            words = self._scene.engine.bindings.fill_in("press {a} to join")
            self._scene.hud.say(f"{pad.name or 'Gamepad'} {int(pad.slot) + 1}: {words}", about="seats")

    def handle(self, event: events.InputEvent) -> None:
        """Handle one event while the match is on top."""
        scene = self._scene
        session = scene.session
        match event:
            case events.MenuInput():
                self._menu(event)
            case events.MenuRelease(action="switch") if session.is_running:
                session.joining.release(event.device.word)
            case events.KeyInput(pressed=True) if session.is_running:
                self._key(event.name)
            case events.ControlInput(pressed=True, repeated=False) | events.SourceInput(pressed=True, repeated=False):
                if session.is_running:
                    self._heard(event)
            case events.DeviceRemoved() | events.DeviceAdded():
                self._plugged(event)
            case events.FocusLost():
                people = any(choice.is_human for choice in session.lineup.values())
                if people and scene.engine.settings.pause_unfocused:
                    scene.pause("The window lost the keyboard")
            case events.PointerInput():
                self._pointer(event)
            case events.QuitAsked():
                session.quit()

    def _menu(self, event: events.MenuInput) -> None:
        # a pad's B means "back" in menus, but belongs to the game here
        scene = self._scene
        if event.action == "start" or (event.action == "back" and event.device.kind == "keyboard"):
            scene.pause()
        elif event.repeated or not scene.session.is_running:
            return
        elif event.action == "accept" and not (event.device.kind == "keyboard" and scene.engine.devices.apart):
            scene.session.joining.join(event.device.word)  # keyboards told apart share one menu device
        elif event.action == "switch":
            scene.session.joining.toggle(event.device.word)

    def _heard(self, event: events.ControlInput | events.SourceInput) -> None:
        """A press of a player; the main key of a keyboard that is told apart joins."""
        device, joining = event.device, self._scene.session.joining
        if isinstance(event, events.SourceInput) and not (device.kind == "keyboard" and device.slot):
            return  # it comes as a control too, with its half of the keyboard
        if device.kind == "keyboard" and joining.held_by(device.word):
            joining.pressed(device.word)
        elif isinstance(event, events.SourceInput) and event.source in MAIN_KEYS and self._scene.engine.devices.apart:
            joining.join(device.word)

    def _key(self, name: str) -> None:
        scene, now = self._scene, self._scene.engine.clock()
        match name:
            case "f1":
                scene.show_controls()
            case "f4":
                scene.show_pieces()
            case "f5":
                scene.session.pace.slower(now)
            case "f6":
                scene.session.pace.faster(now)
            case "f7":
                scene.step_by_hand()
            case "f8":
                scene.session.pace.back()
            case "f9":
                scene.hud.toggle_insight()

    def _plugged(self, event: events.DeviceAdded | events.DeviceRemoved) -> None:
        scene = self._scene
        if not scene.session.is_begun:
            return  # the start of the match asks for missing gamepads
        if isinstance(event, events.DeviceAdded):
            scene.session.pads.came_back(event.device.word)
            if event.device.kind == "gamepad":
                self.invite(event.device)
        else:
            scene.ask_for_pads(f"{event.device.name or 'Gamepad'} disconnected")

    def _pointer(self, event: events.PointerInput) -> None:
        scene = self._scene
        scene.hud.pointer(event)
        if event.kind == "press" and event.button == 1 and scene.hud.pause_button.collidepoint(event.pos):
            scene.pause()
        elif scene.session.is_begun:
            scene.field.pointer(event)
