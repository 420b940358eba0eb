"""The page about the arcade: version, data folder, and the licences of its parts."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from agents.files import home
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button
from arcade.engine.ui.layout import Column, Panel, Row
from arcade.engine.ui.tables import Column as Heading
from arcade.engine.ui.tables import DataTable
from arcade.engine.ui.texts import Label, Paragraph
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host
from arcade.language import N_, _, present
from arcade.session import about
from arcade.session.about import open_folder, shown_folder
from arcade.session.settings import Page

NOTE = N_("Each library comes with the full text of its licence.")


class AboutPage:
    """Has no settings."""

    title = Page.ABOUT
    hint = N_("Version, licences and the data folder.")

    def body(self, host: Host, refresh: Callable[[], None], focused: Callable[[], Widget | None]) -> Widget:
        """Make the widgets of the page."""
        parts = _parts(present())
        columns = (Heading(_("Part"), 6), Heading(_("Version"), 3), Heading(_("Licence"), 6))
        rows = [(part.name, part.version, part.licence) for part in parts]
        licences = DataTable(columns, rows, hint=_("Licences of the libraries and assets"), width=720, key="licences")
        table = Panel(licences, padding=0, fill="", least=420, grow=2)
        return Row([table, _side(host, parts[0].version)], gap=32, align="stretch", grow=1)


def _side(host: Host, version: str) -> Widget:
    def open_home() -> None:
        host.say(open_folder(home()))

    return Column([
        Label("PettingZoo Arcade", size=themes.LARGE, bold=True, least=260),
        Label(_("Version {version}").format(version=version), colour="muted"),
        Paragraph(_("Play any game with friends or AI.")),
        Label(_("Data folder"), size=themes.SMALL, colour="muted"),
        Paragraph(shown_folder(home()), size=themes.SMALL),
        Button(_("Open the data folder"), open_home, hint=_("Settings, recordings, snapshots and the ladder")),
        Paragraph(_(NOTE), size=themes.SMALL, colour="muted"),
    ], grow=1)  # fmt: skip


@lru_cache(2)
def _parts(language: str) -> list[about.Part]:
    return about.parts()
