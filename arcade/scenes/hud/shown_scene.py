"""HUD pieces, turned on and off over the match."""

from __future__ import annotations

import pygame

from arcade.engine.input.events import InputEvent, KeyInput, MenuInput
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Widget
from arcade.scenes.screen import Screen
from arcade.scenes.settings.pages import place_rows, setting_rows
from arcade.session.settings import Page

BOX = pygame.Rect(60, 92, 500, 560)
ROW = pygame.Rect(BOX.left + 24, BOX.top + 62, BOX.w - 48, 47)


class ShownScene(Screen):
    """Lies over the match without dimming it, so that each change is seen at once."""

    transparent = True
    legend = "{enter}, {a} or click: on or off    {esc}, {b} or F4: back to the game"

    def widgets(self) -> list[Widget]:
        close = ROW.move(0, BOX.bottom - 62 - ROW.top)
        toggles = place_rows(setting_rows(Page.HUD, self.engine, self.refresh), ROW, bottom=close.top - 6, gap=6)
        return [*toggles, Button(close, "Resume", self.engine.pop, primary=True, hint="Back to the game")]

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
        theme.draw_text(canvas, "HUD", at, size=theme.BODY, bold=True, width=BOX.w - 52)
        self.focus.draw(canvas)
