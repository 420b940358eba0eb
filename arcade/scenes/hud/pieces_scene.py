"""PiecesScene: the pieces of the HUD, to be turned on and off during a match."""

from __future__ import annotations

import pygame

from arcade.engine.ui.controls import Button
from arcade.engine.ui.layout import Column, Panel
from arcade.engine.ui.scroll import Scroll
from arcade.engine.ui.texts import Label
from arcade.engine.ui.widget import Widget
from arcade.language import N_, _
from arcade.scenes.foot import Foot
from arcade.scenes.screen import Overlay
from arcade.scenes.settings.pages import setting_rows
from arcade.session.settings import Page


class PiecesScene(Overlay):
    """Turns pieces on and off, over the match and without dimming it, so that each change is seen at once."""

    key = "f4"
    has_back = False
    legend = (("accept", N_("On or off")), ("back", N_("Back to the game")))

    def build(self) -> Widget:
        rows = setting_rows(Page.HUD, self.engine, self.refresh)
        close = Button(_("Resume"), self.engine.pop, primary=True, hint=_("Back to the game"))
        inside = Column([Label(_("View"), bold=True), Scroll(Column(rows, gap=6)), close])
        box = Panel(inside, width=500, edge="edge", grow=1)
        foot = Foot(self.engine, self.legend, lambda: self.focus.hint)
        return Column([Panel(Column([box], align="start", grow=1), padding=40, fill="", grow=1), foot], gap=0)

    def draw_behind(self, canvas: pygame.Surface) -> None:
        """The match stays as it is."""
