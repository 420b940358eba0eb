"""The settings screen, in tabs; each change is applied and saved at once."""

from __future__ import annotations

from arcade.engine.ui import theme as themes
from arcade.engine.ui.layout import Column, Row
from arcade.engine.ui.texts import Label, Paragraph
from arcade.engine.ui.widget import Widget
from arcade.language import N_, _
from arcade.scenes import routes
from arcade.scenes.screens import TabbedScreen
from arcade.scenes.settings.pages import PAGES, SettingsPage
from arcade.session.services import Services


class SettingsScene(TabbedScreen[SettingsPage]):
    """A tab for each of PAGES."""

    heading = N_("Settings")
    pages = PAGES

    def __init__(self, services: Services, route: routes.Settings) -> None:
        super().__init__(services, route)
        self.page = next((page for page in PAGES if page.title == route.page), PAGES[0])

    def actions(self) -> list[Widget]:
        return [Label(_("Changes are saved automatically"), size=themes.SMALL, colour="muted")]

    def body(self) -> Widget:
        rows = Column(self.page.rows(self.engine, self.refresh), gap=8, grow=3)
        sample = self.page.sample() if self.page.sample is not None else None
        side = Column([Paragraph(_(self.page.hint), colour="muted"), sample], gap=24, grow=2)
        return Row([rows, side], gap=32, align="start")

    def resume(self) -> None:
        """The screen above may have changed settings."""
        self.refresh()
