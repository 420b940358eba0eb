"""OnlineHost: a match that this window offers."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from agents.errors import UserError
from agents.seats.controller import AgentID, Controller, SeatChoice
from arcade.games.spec import GameSpec
from arcade.session.online.seating import OnlineSeating, online_seating
from arcade.session.online.session import OnlineSession, Say
from arcade.session.services import Services
from arcade.together.hosting.host import HostSession
from arcade.together.messages import Player
from arcade.together.modes import mode_of
from arcade.together.preparing import Prepared, as_players
from arcade.together.running import code_of, usual_rate
from arcade.together.terms import check_game, draw_seed, hosted_terms
from arcade.together.ways.codes import SECRET_BYTES, SessionCode, parse_relay
from arcade.together.ways.connector import Connector
from arcade.together.ways.links import HostLink


class OnlineHost(OnlineSession):
    """Offers seats from the moment that the game is ready here, through the relay of the settings, if there is one."""

    hosts = True

    def __init__(
        self, services: Services, spec: GameSpec, first: SeatChoice, *, again: SessionCode | None = None,
        by_views: bool = False, seats: Mapping[AgentID, SeatChoice] | None = None, say: Say = lambda text: None,
    ) -> None:  # fmt: skip
        """`first`: the device that gets the first seat, where there are no `seats`; `again`: the code of an earlier
        match, which stays the same; `by_views`: this machine alone runs the game, also where each one could.

        Raises SessionError for a game that several machines cannot play.
        """
        check_game(spec)
        super().__init__(services, say)
        self._far: SessionCode | None = None
        self._seats = seats if seats is not None else {spec.agents[0]: first}
        self._again = again
        self._secret = again.secret if again is not None else secrets.token_bytes(SECRET_BYTES)
        made = spec.for_people()
        # the seed that a host has told at the end of one match is no hint of the next one
        seed = draw_seed(made) if made.secret else services.setup.next_seed()
        terms = hosted_terms(
            made, seed=seed, rate=usual_rate(spec), max_ticks=services.opening.max_ticks or 0, by_views=by_views
        )
        self._make(made, terms)

    @property
    def code(self) -> SessionCode | None:
        """The code for those who join from anywhere."""
        return self._far or self.near

    @property
    def host(self) -> HostSession | None:
        """The session, while it is open."""
        return self._session if isinstance(self._session, HostSession) else None

    @property
    def may_run_alone(self) -> bool:
        """Whether this machine can run the game alone or not, as people here like."""
        return not mode_of(self.spec).has_views

    def may_choose(self, agent: AgentID) -> bool:
        """Also a seat that a guest has chosen, but not claimed."""
        return super().may_choose(agent) or (self.host is not None and str(agent) not in self.host.lineup)

    def choose(self, agent: AgentID, choice: SeatChoice) -> None:
        """Give a seat to a player of this machine, or leave it open; a guest that has only chosen it gets another."""
        self.seating.others = {other: player for other, player in self.seating.others.items() if other != agent}
        self.seating.put(agent, choice)
        if self.host is not None and not self.is_ready:
            self.host.reserve(self._reserved())

    def _make_seating(self) -> OnlineSeating:
        return online_seating(self.services, self.spec, self._seats)

    def _open(self, prepared: Prepared) -> None:
        port = self._again.port if self._again is not None else 0
        link = HostLink(f"tcp://0.0.0.0:{port or '*'}")
        self.near = self._again or code_of(link, self._secret)
        word = self.services.settings().relay
        relay, connector = parse_relay(word) if word else None, Connector(self._secret, link)
        self._session = HostSession(
            link, prepared.play, prepared.digests, secret=self._secret, name=self.services.people.owner.name,
            say=self.say, connector=connector,
        )  # fmt: skip
        self._session.reserve(self._reserved())
        if relay is not None:
            self.services.worker.submit(
                lambda: connector.use(relay, wait=True), done=partial(self._through, relay),
                failed=self._without_relay, errors=UserError,
            )  # fmt: skip

    def _through(self, relay: tuple[str, int], _answered: None) -> None:
        """The relay is there: from now on the code leads through it."""
        if self.near is not None:
            self._far = replace(self.near, host=relay[0], port=relay[1], by_relay=True)
        if self.host is not None:
            self.host.tell_lobby()

    def _without_relay(self, error: BaseException) -> None:
        if not self._closed:
            self.say(str(error))

    def _seat(self, own: dict[AgentID, Controller]) -> None:
        host = self.host
        if host is None:
            return
        host.reserve(as_players(own))
        host.ready(own)
        self._remember()

    def _is_elsewhere(self, player: Player, agent: AgentID, own: set[AgentID]) -> bool:
        return self._session is not None and player.peer != self._session.number
