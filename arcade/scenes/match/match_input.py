"""What people press in a match, and what it means there beside the moves that they make."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arcade.engine.input.events import (
    ControlInput,
    DeviceAdded,
    DeviceRemoved,
    FocusLost,
    InputEvent,
    KeyInput,
    MenuInput,
    MenuRelease,
    PointerInput,
    QuitAsked,
    SourceInput,
)

if TYPE_CHECKING:
    from arcade.scenes.match.match_scene import MatchScene


class MatchInput:
    """Hands each event to the part of the match that it is for."""

    def __init__(self, scene: MatchScene) -> None:
        self._scene = scene

    def handle(self, event: InputEvent) -> None:
        """One event while the match is on top."""
        scene = self._scene
        if isinstance(event, MenuInput):
            self._menu(event)
        elif isinstance(event, MenuRelease):
            if event.action == "switch" and scene.is_running:
                scene.joining.release(event.device)
        elif isinstance(event, KeyInput):
            self._key(event)
        elif isinstance(event, ControlInput | SourceInput):
            if event.pressed and not event.repeated and scene.is_running:
                scene.joining.heard(event)
        elif isinstance(event, DeviceRemoved | DeviceAdded):
            self._plugged(event)
        elif isinstance(event, FocusLost):
            if scene.engine.settings.pause_unfocused and any(choice.is_human for choice in scene.lineup.values()):
                scene.pause("The window lost the keyboard")
        elif isinstance(event, PointerInput):
            self._pointer(event)
        elif isinstance(event, QuitAsked) and scene.match is not None:
            scene.match.quit()

    def _menu(self, event: MenuInput) -> None:
        # a pad's B means "back" in menus, but belongs to the game here
        scene = self._scene
        if event.action == "start" or (event.action == "back" and event.device.kind == "keyboard"):
            scene.pause()
        elif event.action == "accept" and not event.repeated and scene.is_running:
            scene.joining.press(event.device)
        elif event.action == "switch" and not event.repeated and scene.is_running:
            scene.joining.toggle(event.device)

    def _key(self, event: KeyInput) -> None:
        scene, now = self._scene, self._scene.engine.clock()
        if not event.pressed or not scene.is_running:
            return
        match event.name:
            case "f1":
                scene.show_controls()
            case "f4":
                scene.show_pieces()
            case "f5":
                scene.pace.slower(now)
            case "f6":
                scene.pace.faster(now)
            case "f7":
                scene.stand()
            case "f8":
                scene.pace.back()
            case "f9":
                scene.hud.toggle_insight()

    def _plugged(self, event: DeviceAdded | DeviceRemoved) -> None:
        scene = self._scene
        if scene.match is None:
            return  # the start asks for the pads that are gone by then
        if isinstance(event, DeviceAdded):
            scene.pads.came_back(event.device.word)
            if event.device.kind == "gamepad":
                scene.joining.invite(event.device)
        else:
            scene.ask_for_pads(f"{event.device.name or 'A gamepad'} was pulled out")

    def _pointer(self, event: PointerInput) -> None:
        scene = self._scene
        scene.hud.pointer(event)
        if event.kind == "press" and event.button == 1 and scene.pause_button.collidepoint(event.pos):
            scene.pause()
        elif scene.match is not None:
            scene.field.pointer(event)
