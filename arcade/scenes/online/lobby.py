"""LobbyScene: who plays where, before a match over the network begins."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from textwrap import wrap

from agents.errors import UserError
from agents.seats.controller import AgentID, SeatChoice
from arcade.engine.input.events import DeviceAdded, DeviceRemoved, InputEvent
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button, Toggle
from arcade.engine.ui.layout import Column, Panel, Row
from arcade.engine.ui.scroll import Scroll
from arcade.engine.ui.texts import Label, Paragraph
from arcade.engine.ui.widget import Widget
from arcade.engine.window.clipboard import copy_text
from arcade.engine.window.scene import Host
from arcade.games.seat_colours import seat_colour
from arcade.language import N_, _
from arcade.scenes import routes
from arcade.scenes.foot import Legend
from arcade.scenes.online.other_game import other_game
from arcade.scenes.screen import Screen
from arcade.scenes.setup.seat_list import SeatRow
from arcade.session.online.hosting import OnlineHost
from arcade.session.online.joining import OnlineGuest
from arcade.session.online.session import OnlineSession
from arcade.session.people import seat_choice_of
from arcade.session.seating import sentence
from arcade.session.services import Services
from arcade.together.phrases import PHRASES


class LobbyScene(Screen):
    """Owns the session until the match begins, and gives it to the match then."""

    heading = N_("Play online")
    has_back = False
    session: OnlineSession | None = None

    def __init__(self, services: Services, route: routes.Lobby) -> None:
        super().__init__(services, route)
        self._route = route
        self._shown: object = None
        self._trouble = ""
        self._machines = 0
        self._ready_button: Button | None = None

    @property
    def legend(self) -> Legend:  # type: ignore[override]
        """Ready, as long as there is something to press it for."""
        session = self.session
        may_press = session is not None and session.is_open and not session.is_ready
        first = (("start", N_("Ready")),) if may_press else ()
        return (*first, ("accept", N_("Choose")), ("back", N_("Leave")))

    @property
    def host(self) -> OnlineHost | None:
        return self.session if isinstance(self.session, OnlineHost) else None

    def enter(self, engine: Host) -> None:
        route, first = self._route, seat_choice_of(engine.last_device.word)
        try:
            if route.spec is not None:
                self.session = OnlineHost(
                    self.services, route.spec, first, again=route.again, by_views=route.by_views, seats=route.seats,
                    say=engine.say,
                )  # fmt: skip
            else:
                self.session = OnlineGuest(self.services, route.code, first, back=route.back, say=engine.say)
        except (UserError, OSError) as error:
            self._trouble = str(error)
        super().enter(engine)

    def leave(self) -> None:
        if self.session is not None:
            self.session.close()

    def resume(self) -> None:
        self.refresh()

    def update(self, now: float) -> None:
        super().update(now)
        session = self.session
        if session is None:
            return
        if session.match is not None:
            while self.engine.scene is not self:  # phrases
                self.engine.pop()
            self.session = None  # the match has it
            self.engine.replace(routes.OnlineMatch(session))
            return
        code = self.host.code if self.host is not None else None
        shown = session.error, session.is_open, session.is_ready, dict(session.players), session.machines, code
        if len(session.machines) > self._machines:
            self.engine.sound.play("join")
        self._machines = len(session.machines)
        if shown != self._shown:
            was_open = isinstance(self._shown, tuple) and self._shown[1]
            self._shown = shown
            if self.engine.scene is self:
                self.refresh()
                if session.is_open and not was_open and self._ready_button is not None:
                    self.focus.focus(self._ready_button, silently=True)

    # The page

    def body(self) -> Widget:
        session = self.session
        if session is None or session.error:
            trouble = session.error if session is not None else self._trouble
            again = Button(
                _("Try again"), lambda: self.engine.replace(self._route), key="again",
                hint=_("A host who has chosen another game is found by the same code"),
            )  # fmt: skip
            back = Button(_("Back"), self.back, primary=True, key="back")
            return Column([
                Paragraph(sentence(trouble), colour="warning"), Row([back, again if self._route.code else None]),
            ], gap=20)  # fmt: skip
        if not session.is_open:
            is_known = hasattr(session, "spec")
            doing = _("Preparing the game on this machine …") if is_known else _("Looking for the host …")
            return Column([
                Paragraph(doing), Row([Button(_("Leave"), self.back, hint=_("Back to the page before"), key="leave")]),
            ], gap=20)  # fmt: skip
        rows = Scroll(Column([self._row(agent) for agent in session.spec.agents], gap=8))
        return Column([Row([rows, self._side()], gap=24, align="stretch", grow=1), self._buttons()], grow=1)

    def actions(self) -> list[Widget]:
        spec = getattr(self.session, "spec", None)
        return [Label(_(spec.title), size=themes.LARGE, colour="muted")] if spec is not None else []

    def _row(self, agent: AgentID) -> Widget:
        session = self.session
        assert session is not None
        spec, seating = session.spec, session.seating
        present, title = seating.lineup[agent], spec.seat_title(agent)
        names = self.services.library.player_names(spec)
        value = names.of_seat(agent, seating.lineup)
        if present.is_human:
            value = f"{session.person_in(agent)}  ·  {value}"
        if agent in seating.takeable and not present.is_human and str(agent) in session.players:
            value = _("{player}, whose seat you can take").format(player=session.players[str(agent)].name)
        if agent in seating.others:
            hint = _("{player} has this seat").format(player=value)
        else:
            hint = _("Choose who plays {seat}").format(seat=title)
        colour = seat_colour(spec, agent, self.theme.colours.teams)
        return SeatRow(title, value, partial(self._pick, agent), colour=colour, hint=hint)

    def _pick(self, agent: AgentID) -> None:
        session = self.session
        if session is None or session.is_ready or not session.may_choose(agent):
            self.engine.sound.play("warning")
            return
        self.engine.push(routes.PickPlayer(session.seating, agent, partial(self._put, agent)))

    def _put(self, agent: AgentID, choice: SeatChoice) -> None:
        if isinstance(self.session, OnlineHost | OnlineGuest):
            self.session.choose(agent, choice)
        self.refresh()

    def _side(self) -> Widget:
        host, parts = self.host, list[Widget | None]()
        if host is not None and host.code is not None:
            parts += [
                Label(_("Invite others"), size=themes.LARGE, bold=True),
                Paragraph(_("On this network they see your match in their list. Elsewhere they need this code:"),
                          size=themes.SMALL, colour="muted"),
                Paragraph(" ".join(wrap(host.code.text, 4)), size=themes.SMALL),
                Row([Button(_("Copy the code"), self._copy, key="copy", hint=_("Then send it to a friend"))]),
                Row([Button(_("Another game"), self._choose_game, key="game",
                            hint=_("The others join it with the same code"))]),
            ]  # fmt: skip
        assert self.session is not None
        parts.append(Label(_("Who is here"), bold=True))
        for name, is_ready in self.session.machines:
            state = _("ready") if is_ready else _("choosing")
            parts.append(Paragraph(f"{name}: {state}", size=themes.SMALL, colour="ink" if is_ready else "muted"))
        words = self.session.mode.words
        choice = self._run_alone() if host is not None and host.may_run_alone and not host.is_ready else None
        if words or choice is not None:
            parts += [Label(_("Where the game runs"), bold=True), choice]
            parts.append(Paragraph(_(words) if words else _("Each machine runs the game."), size=themes.SMALL))
        return Panel(Scroll(Column(parts, gap=10)), grow=1, least=300)

    def _run_alone(self) -> Widget:
        return Toggle(
            _("On this machine alone"), on=self._route.by_views, change=self._choose_where, key="alone",
            hint=_("For machines that are too slow for the game, or compute another result than this one"),
        )  # fmt: skip

    def _buttons(self) -> Widget:
        session = self.session
        assert session is not None
        waits = Paragraph(lambda: self._waiting_words, grow=2)
        ready = Button(
            _("Ready"), self._ready, primary=True, grow=2, height=56, key="ready", hint=_("Play as the seats are now")
        )
        watch = Button(_("Watch only"), self._watch, grow=1, key="watch", hint=_("See the match without a seat"))
        self._ready_button = None if session.is_ready else ready
        return Row([
            waits if session.is_ready else ready,
            watch if isinstance(session, OnlineGuest) and not session.is_ready else None,
            Button(_("Fill with AI"), self._fill, grow=1, key="fill", hint=_("AI plays the seats that are open"))
            if self.host is not None and not session.is_ready and session.seating.open else None,
            Button(_("Say …"), self._say, grow=1, key="say", hint=_("A few words to the others")),
            Button(_("Leave"), self.back, grow=1, key="leave", hint=_("Back to the page before")),
        ])  # fmt: skip

    @property
    def _waiting_words(self) -> str:
        session = self.session
        if session is None or not session.is_open:
            return ""
        late = session.late_machines
        if session.seating.takeable:
            return _("The match is under way; this machine catches up with it …")
        if session.seating.open:
            return _("Waiting for people in the open seats …")
        return _("Waiting for {machines} …").format(machines=", ".join(late)) if late else _("The match begins …")

    # What a player does

    def start(self, event: object) -> None:
        self._ready()

    def _ready(self) -> None:
        if self.session is not None and self.session.is_open:
            self.session.ready()
            self.refresh()

    def _watch(self) -> None:
        if isinstance(self.session, OnlineGuest):
            self.session.watch()
            self.refresh()

    def _fill(self) -> None:
        host = self.host
        if host is not None:
            for agent in host.seating.open:
                host.choose(agent, host.seating.substitute)
            self.refresh()
            if self._ready_button is not None:
                self.focus.focus(self._ready_button)

    def _choose_game(self) -> None:
        if self.host is not None and self.host.near is not None:
            self.engine.push(other_game(self.engine, self.host.near))

    def _choose_where(self, alone: bool) -> None:
        """Offer the match anew, with the same code and seats: those who are here join it again."""
        host = self.host
        if host is not None and host.near is not None:
            self.engine.replace(replace(self._route, again=host.near, by_views=alone, seats=host.seating.own))

    def _copy(self) -> None:
        if self.host is not None and self.host.code is not None:
            done = copy_text(self.host.code.text)
            self.engine.say(_("The code is on the clipboard") if done else _("There is no clipboard here"))

    def _say(self) -> None:
        session = self.session
        if session is not None:
            self.engine.push(routes.Pick(_("Say …"), lambda: [_(one) for one in PHRASES], 0, session.phrase))

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, DeviceAdded | DeviceRemoved) and self.session is not None and self.session.is_open:
            self.session.seating.set_devices(self.services.devices.seats)
            self.refresh()
            return None
        return super().handle(event)
