"""PlayersScene: the players of a running match."""

from __future__ import annotations

from agents.seats.controller import SeatChoice
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button
from arcade.engine.ui.layout import Column, Row
from arcade.engine.ui.scroll import Scroll
from arcade.engine.ui.texts import Paragraph
from arcade.engine.ui.widget import Widget
from arcade.language import N_, _
from arcade.scenes import routes
from arcade.scenes.setup.seat_list import SeatListScreen
from arcade.session.services import Services


class PlayersScene(SeatListScreen):
    """Edits the seats of a running match: Done applies the changes, Esc drops them; names apply at once."""

    heading = N_("Players")
    has_back = False

    def __init__(self, services: Services, route: routes.Players) -> None:
        self._session = route.session
        super().__init__(services, route, route.session.spec, route.session.lineup)

    def body(self) -> Widget:
        words = _("F2, or Select on a gamepad, takes a seat over or gives it back at once.")
        buttons = Row([
            Button(_("Done"), self._done, primary=True, grow=1, hint=_("Change the seats and continue")),
            Button(_("Cancel"), self.back, grow=1, hint=_("Keep the seats as they are")),
        ])  # fmt: skip
        rows = Scroll(Column(self.seat_rows(), gap=8))
        return Column([Paragraph(words, size=themes.SMALL, colour="muted"), rows, buttons], grow=1)

    def name(self, device: SeatChoice, name: str) -> None:
        self._session.seats.name(device, name)
        self.refresh()

    def _done(self) -> None:
        before = dict(self._session.lineup)
        for agent, choice in self.seating.lineup.items():
            if choice != before[agent]:
                self._session.seats.seat(agent, choice)
        self.engine.pop()
