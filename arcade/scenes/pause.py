"""Pause: the clock stands, the picture stays, and one chooses how to go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

from arcade.engine import theme
from arcade.engine.events import DeviceAdded, InputEvent, MenuInput, QuitAsked
from arcade.engine.widgets import Button, Widget
from arcade.scenes.lobby import Lobby
from arcade.scenes.screen import Screen, draw_foot

if TYPE_CHECKING:
    from arcade.scenes.match import MatchScene

BOX = pygame.Rect(400, 110, 480, 500)


class PauseScene(Screen):
    """Lies over the match.  Where a pad went away, its return resumes; so does anyone who chooses to."""

    transparent = True

    def __init__(self, lobby: Lobby, match_scene: MatchScene, *, why: str = "", missing: str = "") -> None:
        super().__init__(lobby)
        self._scene = match_scene
        self.why = why
        self._missing = missing

    def widgets(self) -> list[Widget]:
        rows = [pygame.Rect(BOX.left + 50, BOX.top + 148 + place * 66, BOX.w - 100, 54) for place in range(5)]
        return [
            Button(rows[0], "Resume", self.engine.pop, primary=True, hint="Go on where the match stands"),
            Button(rows[1], "Restart", self._restart, hint="The same seats from the beginning"),
            Button(rows[2], "Seats", self._seats, hint="End this match and choose who sits where"),
            Button(rows[3], "Settings", self._settings, hint="Sound, window, replays"),
            Button(rows[4], "Leave the game", self._quit, hint="End this match, back to where you came from"),
        ]

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, DeviceAdded) and event.device.word == self._missing:
            self.lobby.toasts.say(f"{event.device.name or 'The gamepad'} is back")
            self.engine.pop()
            return None
        if isinstance(event, QuitAsked) and self._scene.match is not None:
            self._scene.match.quit()
            return None
        return super().handle(event)

    def back(self) -> None:
        self.engine.pop()

    def start(self, event: MenuInput) -> None:
        self.engine.pop()

    def draw(self, canvas: pygame.Surface) -> None:
        theme.dim(canvas)
        theme.draw_panel(canvas, BOX, edge=theme.EDGE)
        middle = BOX.centerx
        theme.draw_text(canvas, "Paused", (middle, BOX.top + 46), size=theme.TITLE, bold=True, anchor="center")
        lines = [self.why, "Plug it in again, or choose"] if self._missing else [self.why]
        for place, words in enumerate(lines):
            colour = theme.WARNING if self._missing else theme.MUTED
            at = (middle, BOX.top + 92 + place * 28)
            theme.draw_text(canvas, words, at, colour=colour, anchor="center", width=BOX.w - 40)
        self.focus.draw(canvas)
        foot = pygame.Rect(0, canvas.get_height() - 44, canvas.get_width(), 44)
        pygame.draw.rect(canvas, theme.NIGHT, foot)
        draw_foot(canvas, self.focus.hint, self.legend)
        self.lobby.toasts.draw(canvas)

    def _restart(self) -> None:
        from arcade.scenes.match import MatchScene

        scene = self._scene
        stage = scene.release_stage()
        self._pop_both()
        self.engine.push(MatchScene(self.lobby, scene.spec, scene.lineup, stage=stage))

    def _seats(self) -> None:
        from arcade.scenes.seats import SeatsScene

        spec = self._scene.spec
        self._pop_both()
        if not isinstance(self.engine.scene, SeatsScene):
            self.engine.push(SeatsScene(self.lobby, spec))

    def _settings(self) -> None:
        from arcade.scenes.settings import SettingsScene

        self.engine.push(SettingsScene(self.lobby))

    def _quit(self) -> None:
        self._pop_both()

    def _pop_both(self) -> None:
        """Take the pause and the match below it off, without resuming the match in between."""
        scene = self._scene
        if scene.match is not None:
            scene.match.quit()
        self.engine.pop()
        self.engine.pop()
