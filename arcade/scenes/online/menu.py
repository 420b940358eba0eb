"""OnlineScene: host a match, or join one: of the local network, by a code, or the one that was left."""

from __future__ import annotations

from agents.errors import UserError
from agents.wire.addresses import AddressError
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button
from arcade.engine.ui.layout import Column, Grid, Row
from arcade.engine.ui.texts import Label, Paragraph
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host
from arcade.games.spec import GameSpec
from arcade.language import N_, _
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.session.online.membership import Membership
from arcade.session.online.nearby import Finder
from arcade.session.services import Services
from arcade.together.terms import SessionError, check_game
from arcade.together.ways.codes import parse_code
from arcade.together.ways.nearby import NearbyMatch

CODE_LONGEST = 400
"""Characters of a code or an address."""


class OnlineScene(Screen):
    """Lists the matches of the local network while it is on top."""

    heading = N_("Play online")

    def __init__(self, services: Services, route: routes.Online) -> None:
        super().__init__(services, route)
        self._left = Membership.read()
        self._finder: Finder | None = None
        self._shown: list[NearbyMatch] = []

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        self._look()

    def resume(self) -> None:
        self._left = Membership.read()
        self._look()
        self.refresh()

    def leave(self) -> None:
        if self._finder is not None:
            self._finder.close()
            self._finder = None

    def update(self, now: float) -> None:
        super().update(now)
        found = self._finder.found if self._finder is not None else []
        if found != self._shown:
            self._shown = found
            self.refresh()

    def _look(self) -> None:
        if self._finder is None:
            self._finder = Finder(self.services.worker)

    def body(self) -> Widget:
        back = Button(
            _("Return to the match"), self._return, primary=True, key="return",
            hint=_("The match that was interrupted here, with your seats"),
        )  # fmt: skip
        ways = [
            *([back] if self._left is not None else []),
            Button(_("Host a match"), self._choose_game, primary=self._left is None, key="host",
                   hint=_("Choose the game; others join you")),
            Button(_("Enter a code"), self._ask_code, key="code", hint=_("The code that the host was shown")),
        ]  # fmt: skip
        matches: list[Widget] = [self._match_button(one) for one in self._shown]
        return Column([
            Paragraph(_("Play with people on other computers, on this network or anywhere. AI can fill seats, too.")),
            Grid(ways, cell=260, gap=8),
            Label(_("On this network"), bold=True),
            *(matches or [Paragraph(lambda: self._looking, size=themes.SMALL, colour="muted")]),
        ], gap=16)  # fmt: skip

    @property
    def _looking(self) -> str:
        trouble = self._finder.trouble if self._finder is not None else ""
        if trouble:
            return _("Matches on this network cannot be found: {reason}").format(reason=trouble)
        return _("No match is hosted here yet. A new one appears by itself.")

    def _match_button(self, one: NearbyMatch) -> Widget:
        spec = self.services.library.find(one.game)
        title = _(spec.title) if spec is not None else one.game
        words, hint = _("{game}, hosted by {host}"), _("Join this match")
        if one.has_begun:
            words, hint = (
                _("{game}, hosted by {host}, under way"),
                _("Watch this match, or take over the seat of an AI"),
            )
        text = words.format(game=title, host=one.host or _("a player"))
        return Row([Button(text, lambda: self._join(one.code), key=one.code, hint=hint, grow=1)])

    def _choose_game(self) -> None:
        self.engine.push(routes.Games(self._host, N_("Game to host")))

    def _host(self, spec: GameSpec) -> None:
        try:
            check_game(spec)
        except SessionError as error:
            self.engine.say(str(error))
            return
        self.engine.push(routes.Lobby(spec=spec))

    def _ask_code(self) -> None:
        self.engine.push(routes.EnterText(
            _("Code of the match"), "", self._join, limit=CODE_LONGEST,
            hint=_("Ask the host to send it, copy it, and paste it here"), pastes=True,
        ))  # fmt: skip

    def _join(self, code: str) -> None:
        """Raises UserError for a code that is none."""
        try:
            parse_code(code)
        except AddressError as error:
            raise UserError(_("This is not the whole code of a match. Copy it again, to its last letter.")) from error
        self.engine.push(routes.Lobby(code=code))

    def _return(self) -> None:
        if self._left is not None:
            self.engine.push(routes.Lobby(code=self._left.code, back=self._left))
