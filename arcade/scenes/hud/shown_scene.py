"""Shown: which pieces of the HUD there are, each turned on and off while the match stands behind."""

from __future__ import annotations

from functools import partial

import pygame

from arcade.engine.input.events import InputEvent, KeyInput, MenuInput
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Toggle, Widget
from arcade.scenes.hud.pieces import PIECES
from arcade.scenes.screen import Screen

BOX = pygame.Rect(60, 92, 500, 560)


class ShownScene(Screen):
    """Lies over the match without dimming it, so that each change is seen at once."""

    transparent = True
    legend = "{enter}, {a} or click: on or off    {esc}, {b} or F4: go on"

    def widgets(self) -> list[Widget]:
        settings = self.engine.settings
        rects = [pygame.Rect(BOX.left + 24, BOX.top + 62 + place * 53, BOX.w - 48, 47) for place in range(8)]
        toggles: list[Widget] = [
            Toggle(rect, words, on=bool(getattr(settings, field)), change=partial(self._set, field), hint=hint)
            for rect, (field, words, hint) in zip(rects, PIECES, strict=True)
        ]
        close = pygame.Rect(BOX.left + 24, BOX.bottom - 62, BOX.w - 48, 47)
        return [*toggles, Button(close, "Go on", self.engine.pop, primary=True, hint="Back to the game")]

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, KeyInput) and event.pressed and event.name == "f4":
            self.back()
            return None
        return super().handle(event)

    def start(self, event: MenuInput) -> None:
        self.engine.pop()

    def draw(self, canvas: pygame.Surface) -> None:
        theme.draw_panel(canvas, BOX, edge=theme.EDGE)
        at = (BOX.left + 26, BOX.top + 18)
        theme.draw_text(canvas, "What the match shows", at, size=theme.BODY, bold=True, width=BOX.w - 52)
        self.focus.draw(canvas)

    def _set(self, field: str, on: bool) -> None:
        self.engine.apply(self.engine.settings.changed(**{field: on}))
