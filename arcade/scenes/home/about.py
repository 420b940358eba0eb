"""About: what this is, its version, and the licences of all that it is made of."""

from __future__ import annotations

from arcade.about import libraries, own_version
from arcade.engine.ui import theme as themes
from arcade.engine.ui.layout import Column
from arcade.engine.ui.tables import Column as TableColumn
from arcade.engine.ui.tables import DataTable
from arcade.engine.ui.texts import Label, Paragraph
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host
from arcade.language import N_, _
from arcade.scenes import routes
from arcade.scenes.screens import Screen
from arcade.session.services import Services

OWN = (("PettingZoo Arcade", "", "MIT"), ("Inter", "", "OFL-1.1"))
"""What comes with the arcade: name, version, licence."""


class AboutScene(Screen):
    """The libraries are listed once their licences are read, in the worker."""

    heading = N_("About")

    def __init__(self, services: Services, route: routes.About) -> None:
        super().__init__(services, route)
        self._rows: list[tuple[str, str, str]] = list(OWN)

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        self.services.worker.submit(libraries, done=self._show)

    def body(self) -> Widget:
        columns = [
            TableColumn(_("Part"), 2, least=150), TableColumn(_("Licence"), 2, least=150),
            TableColumn(_("Version"), 1, least=90),
        ]  # fmt: skip
        rows = [(name, licence, number) for name, number, licence in self._rows]
        found = own_version()
        return Column([
            Label("PettingZoo Arcade", size=themes.LARGE, bold=True),
            Label(_("Version {version}").format(version=found), colour="muted") if found else None,
            Paragraph(_("Play any game with friends or AI, record your matches, and train opponents from them.")),
            Paragraph(_("Free software; each part has its own licence:"), colour="muted"),
            DataTable(columns, rows, hint=_("The parts of the arcade and their licences")),
        ], grow=1)  # fmt: skip

    def _show(self, found: list[tuple[str, str, str]]) -> None:
        if self in self.engine.scenes:  # else it was left meanwhile
            self._rows = [*OWN, *found]
            self.refresh()
