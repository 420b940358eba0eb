"""PaceBar: a match that stands, and is gone on with by hand: a tick at a time, slower, faster, back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

from arcade.engine import theme
from arcade.engine.events import InputEvent, KeyInput, MenuInput
from arcade.engine.widgets import Button, Widget
from arcade.scenes.lobby import Lobby
from arcade.scenes.pace import moment_words, speed_words
from arcade.scenes.screen import Screen

if TYPE_CHECKING:
    from arcade.scenes.match import MatchScene

BAR = pygame.Rect(0, 650, 1280, 70)
BUTTON = pygame.Rect(396, 660, 160, 50)


class PaceBar(Screen):
    """Lies over the match, which hears its players: what they hold counts for the tick that is taken.

    Directions of a device that plays are the game's alone; Tab, or a pad's L and R, move along the bar.
    """

    transparent = True
    magnified = False  # the game is what one looks at
    updates_below = True

    def __init__(self, lobby: Lobby, scene: MatchScene) -> None:
        super().__init__(lobby)
        self._scene = scene

    def widgets(self) -> list[Widget]:
        entries = (
            ("One tick  F7", self._scene.pace.step),
            ("Slower  F5", self._slower),
            ("Faster  F6", self._faster),
            ("Back  F8", self._back),
            ("Go on  Esc", self.engine.pop),
        )
        return [
            Button(BUTTON.move(place * (BUTTON.w + theme.GAP), 0), words, press, primary=not place)
            for place, (words, press) in enumerate(entries)
        ]

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, KeyInput) and event.pressed:
            self._key(event.name)
        elif isinstance(event, MenuInput) and event.action in ("next", "previous"):
            self._move(1 if event.action == "next" else -1)
        elif not (isinstance(event, MenuInput) and self._is_game(event)):
            return super().handle(event)
        return None

    def back(self) -> None:
        self.engine.pop()

    def start(self, event: MenuInput) -> None:
        self.engine.pop()

    def update(self, now: float) -> None:
        """The match below is updated, and the lobby by it; a match that ends is left to it."""
        if self._scene.match is None or self._scene.match.over:
            self.engine.pop()

    def draw(self, canvas: pygame.Surface) -> None:
        pygame.draw.rect(canvas, theme.PANEL, BAR)
        match = self._scene.match
        if match is not None and match.tick is not None:
            words = "Going back …" if match.rewinding else f"Stands at {moment_words(match)}"
            at = (theme.MARGIN, BAR.top + 24)
            theme.draw_text(canvas, words, at, bold=True, anchor="midleft", width=BUTTON.left - theme.MARGIN - 16)
            words = f"tick {match.tick.index}    speed {speed_words(self._scene.pace.speed)}"
            at = (theme.MARGIN, BAR.top + 50)
            theme.draw_text(canvas, words, at, size=theme.SMALL, colour=theme.MUTED, anchor="midleft", width=340)
        self.focus.draw(canvas)

    def draw_over(self, canvas: pygame.Surface) -> None:
        """No foot: the bar lies there."""
        self.lobby.toasts.draw(canvas)

    def _key(self, name: str) -> None:
        pace, now = self._scene.pace, self.engine.clock()
        match name:
            case "f5":
                pace.slower(now)
            case "f6":
                pace.faster(now)
            case "f7":
                pace.step()
            case "f8":
                pace.back()

    def _back(self) -> None:
        self._scene.pace.back()

    def _slower(self) -> None:
        self._scene.pace.slower(self.engine.clock())

    def _faster(self) -> None:
        self._scene.pace.faster(self.engine.clock())

    def _move(self, by: int) -> None:
        widgets, focused = self.focus.widgets, self.focus.focused
        place = widgets.index(focused) if focused is not None else 0
        self.focus.focus(widgets[(place + by) % len(widgets)])

    def _is_game(self, event: MenuInput) -> bool:
        """A direction of somebody who plays."""
        directions = ("up", "down", "left", "right")
        return event.action in directions and bool(self.engine.devices.hearing(event.device))
