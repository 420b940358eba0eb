"""The settings screen, in tabs; each change is applied and saved at once."""

from __future__ import annotations

import pygame

from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Widget, column
from arcade.scenes import routes
from arcade.scenes.screen import TabbedScreen
from arcade.scenes.settings.pages import PAGES, SettingsPage
from arcade.session.services import Services

ROW = pygame.Rect(theme.MARGIN, 168, 620, 52)
SIDE = pygame.Rect(ROW.right + 40, ROW.top, 1240 - ROW.right - 40, 472)


class SettingsScene(TabbedScreen[SettingsPage]):
    """A tab for each of PAGES."""

    heading = "Settings"
    explains = True
    first_tab = pygame.Rect(theme.MARGIN, 96, 126, 48)
    pages = PAGES

    def __init__(self, services: Services, route: routes.Settings) -> None:
        super().__init__(services, route)
        self.page = next((page for page in PAGES if page.title == route.page), PAGES[0])

    def widgets(self) -> list[Widget]:
        made = column(self.page.rows(self.engine, self.refresh), ROW, bottom=SIDE.bottom)
        return [*made, *self.tabs(), self.back_button()]

    def turn_to(self, page: SettingsPage) -> None:
        """Show `page`; the focus stays on the widget with the same label."""
        focused = getattr(self.focus.focused, "label", "")
        self.page = page
        self.rebuild()
        for widget in self.focus.widgets:
            if getattr(widget, "label", "") == focused:
                self.focus.focus(widget)
                return

    def resume(self) -> None:
        """The screen above may have changed settings."""
        self.turn_to(self.page)

    def draw_page(self, canvas: pygame.Surface) -> None:
        theme.draw_text(canvas, "Changes are saved automatically", (theme.MARGIN + 210, 48), colour=theme.MUTED)
        plate = SIDE if self.page.draw_sample is not None else pygame.Rect(SIDE.topleft, (SIDE.w, ROW.h * 3 + 16))
        theme.draw_panel(canvas, plate)
        inside = SIDE.inflate(-48, -40)
        text = self.focus.hint or self.page.hint
        canvas.blit(theme.paragraph(text, width=inside.w, colour=theme.MUTED), inside)
        if self.page.draw_sample is not None:
            self.page.draw_sample(canvas, inside)
