"""OnlineMenuScene: the menu over a match over the network, which is not paused."""

from __future__ import annotations

from arcade.engine.ui.controls import Button
from arcade.engine.ui.layout import Column, Grid
from arcade.engine.ui.texts import Paragraph
from arcade.engine.ui.widget import Widget
from arcade.language import N_, _
from arcade.scenes import routes
from arcade.scenes.screen import Dialog
from arcade.session.services import Services
from arcade.together.phrases import PHRASES


class OnlineMenuScene(Dialog):
    """Closes by itself when the match is over."""

    heading = N_("The match continues")
    width = 840

    def __init__(self, services: Services, route: routes.OnlineMenu) -> None:
        super().__init__(services, route)
        self._session = route.session

    def body(self) -> Widget:
        session, engine = self._session, self.engine
        phrases = [
            Button(_(words), lambda number=number: self._say(number), hint=_("Say it to all"), key=words)  # type: ignore[misc]
            for number, words in enumerate(PHRASES)
        ]
        controls = routes.Controls(session.spec, session.lineup, session.match, online=True)
        entries = [
            Button(_("Continue"), self.back, primary=True, hint=_("Back to the match"), key="continue"),
            Button(_("Controls"), lambda: engine.replace(controls), hint=_("F1: the keys and buttons of each player")),
            Button(_("View"), lambda: engine.replace(routes.HudPieces()),
                   hint=_("F4: choose what is shown around the picture")),
            Button(_("Leave the match"), self._ask, danger=True, key="leave", hint=_("You lose it")),
        ]  # fmt: skip
        return Column([
            Paragraph(_("A match with other machines cannot be paused."), colour="muted"),
            Grid(entries, cell=160, most=4, gap=8), Paragraph(_("Say to the others"), bold=True),
            Grid(phrases, cell=160, most=4, gap=8),
        ], gap=14)  # fmt: skip

    def update(self, now: float) -> None:
        super().update(now)
        if self._session.outcome is not None or self._session.error:
            self.engine.pop()

    def _say(self, number: int) -> None:
        self._session.phrase(number)
        self.engine.pop()

    def _ask(self) -> None:
        text = _("Your seats lose it. The others see that you have left.")
        self.engine.push(routes.Confirm(_("Leave the match?"), text, _("Leave"), self._leave))

    def _leave(self) -> None:
        self._session.leave()
        self.engine.pop()
