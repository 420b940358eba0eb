"""OnlineHost: a match that this window offers."""

from __future__ import annotations

import secrets

from agents.seats.controller import AgentID, Controller, SeatChoice
from arcade.games.spec import GameSpec
from arcade.session.online.seating import OnlineSeating, online_seating
from arcade.session.online.session import OnlineSession, Say
from arcade.session.services import Services
from arcade.together.codes import SECRET_BYTES, SessionCode
from arcade.together.host import HostSession, new_match_id
from arcade.together.links import HostLink
from arcade.together.messages import Player
from arcade.together.preparing import Prepared, as_players
from arcade.together.running import code_of, usual_rate
from arcade.together.terms import Terms, check_game


class OnlineHost(OnlineSession):
    """Offers seats from the moment that the game is ready here; `code` is for those who join."""

    def __init__(
        self, services: Services, spec: GameSpec, first: SeatChoice, *, again: SessionCode | None = None,
        say: Say = lambda text: None,
    ) -> None:  # fmt: skip
        """`first`: the device that gets the first seat; `again`: the code of an earlier match, which stays the same.

        Raises SessionError for a game that several machines cannot play.
        """
        super().__init__(services, say)
        check_game(spec)
        self.game = spec
        self.code: SessionCode | None = None
        self._first, self._again = first, again
        self._secret = again.secret if again is not None else secrets.token_bytes(SECRET_BYTES)
        made = spec.for_people()
        terms = Terms(
            match=new_match_id(), game=spec.id, kwargs=made.kwargs, seed=services.setup.next_seed(),
            rate=usual_rate(spec), max_ticks=services.opening.max_ticks or 0,
        )  # fmt: skip
        self._make(made, terms)

    @property
    def host(self) -> HostSession | None:
        """The session, while it is open."""
        return self._session if isinstance(self._session, HostSession) else None

    def choose(self, agent: AgentID, choice: SeatChoice) -> None:
        """Give a seat to a player of this machine, or leave it open."""
        self.seating.put(agent, choice)
        if self.host is not None and not self.is_ready:
            self.host.reserve(self._reserved())

    @property
    def _ready_machines(self) -> list[int]:
        host = self.host
        if host is None:
            return []
        return [*([0] if host.is_ready else []), *(guest.number for guest in host.guests if guest.is_ready)]

    @property
    def _round_trip(self) -> float:
        return self.host.guests.slowest if self.host is not None else 0.0

    @property
    def _agreement(self) -> tuple[bool | None, str]:
        why = self.host.agreement.why_not if self.host is not None else ""
        return not why, why

    def _make_seating(self) -> OnlineSeating:
        return online_seating(self.services, self.spec, {self.spec.agents[0]: self._first})

    def _open(self, prepared: Prepared) -> None:
        port = self._again.port if self._again is not None else 0
        link = HostLink(f"tcp://0.0.0.0:{port or '*'}")
        self.code = self._again or code_of(link, self._secret)
        self._session = HostSession(
            link, prepared.play, prepared.digests, secret=self._secret, name=self.services.people.owner.name,
            say=self.say,
        )  # fmt: skip
        self._session.reserve(self._reserved())

    def _seat(self, own: dict[AgentID, Controller]) -> None:
        host = self.host
        if host is None:
            return
        host.reserve(as_players(own))
        host.ready(own)

    def _is_elsewhere(self, player: Player, agent: AgentID, own: set[AgentID]) -> bool:
        return player.peer != 0
