"""OnlineGuest: a match that this window joins."""

from __future__ import annotations

from functools import partial

from agents.errors import UserError
from agents.seats.controller import AgentID, Controller, SeatChoice
from arcade.session.match.trust_texts import running_words
from arcade.session.online.membership import Membership
from arcade.session.online.seating import OnlineSeating, online_seating
from arcade.session.online.session import OnlineSession, Say
from arcade.session.services import Services
from arcade.together.guest import GuestSession
from arcade.together.messages import Player
from arcade.together.offer import Offer
from arcade.together.preparing import Prepared, as_players, offered_game, seats_named
from arcade.together.ways.codes import SessionCode, parse_code
from arcade.together.ways.connector import Connector


class OnlineGuest(OnlineSession):
    """Joins the host of a code.  A match that is under way is joined with the seats that this machine had in it."""

    def __init__(
        self, services: Services, code: str, first: SeatChoice, *, back: Membership | None = None,
        say: Say = lambda text: None,
    ) -> None:  # fmt: skip
        """`first`: the device that gets the first free seat.  Raises AddressError for a code that is none."""
        known = parse_code(code)
        super().__init__(services, say)
        self._first, self._back = first, back
        self._offer: Offer | None = None
        self._told: dict[AgentID, SeatChoice] | None = None  # the choices that the host knows
        services.worker.submit(
            lambda: Connector.of(known), done=partial(self._reach, known), failed=self._fail, errors=UserError
        )

    def _reach(self, code: SessionCode, connector: Connector) -> None:
        """The way to the host is there."""
        if self._closed:
            self.services.worker.submit(connector.close)
            return
        self._session = guest = GuestSession(
            connector.dial(code.place), secret=code.secret, name=self.services.people.owner.name, say=self.say,
            connector=connector, standby=connector.own,
        )  # fmt: skip
        if self._back is not None and guest.succession is not None:
            others = {number: parse_code(one).place for number, one in enumerate(self._back.others)}
            guest.succession.look_for(others, self._back.match)

    @property
    def guest(self) -> GuestSession | None:
        """The session, while it is open."""
        return self._session if isinstance(self._session, GuestSession) else None

    def update(self, now: float) -> None:
        super().update(now)
        guest = self.guest
        if guest is None or self.error or guest.offer is None:
            return
        if self._offer is not None:
            self._tell_choices(guest)
            return
        self._offer = guest.offer
        try:
            spec = offered_game(self._offer.terms)
        except UserError as error:
            self._fail(error)
            return
        self._make(spec, self._offer.terms)

    def _tell_choices(self, guest: GuestSession) -> None:
        """Tell the host which seats are chosen here, before they are claimed."""
        if not self.is_open or self.is_ready or guest.begun:
            return
        self.seating.yield_taken()
        if (own := self.seating.own) != self._told:
            self._told = own
            guest.joining.choose(self._reserved())

    def choose(self, agent: AgentID, choice: SeatChoice) -> None:
        """Give a free seat to a player of this machine, or leave it open."""
        self.seating.put(agent, choice)

    def watch(self) -> None:
        """Look on without a seat."""
        for agent in self.seating.own:
            self.seating.put(agent, self.seating.default)
        self.ready()

    def _make_seating(self) -> OnlineSeating:
        assert self._offer is not None
        free = seats_named(self.spec, self._offer.free)
        left = self._back.seats if self._back is not None and self._back.match == self._offer.terms.match else {}
        own = {agent: left[str(agent)] for agent in free if str(agent) in left}
        if running_words(self.spec, own):  # that file is no leave to run them
            own = {}
        takeable = seats_named(self.spec, self._offer.takeable) if not own else []
        if not own and (offered := takeable if self._offer.begun else free):
            own = {offered[0]: self._first}
        seating = online_seating(self.services, self.spec, own)
        seating.takeable = frozenset(takeable)
        return seating

    def _open(self, prepared: Prepared) -> None:
        assert self._offer is not None
        if self._offer.begun and not self.seating.takeable:  # nothing is left to be chosen
            self.ready()

    def _seat(self, own: dict[AgentID, Controller]) -> None:
        guest, prepared = self.guest, self._prepared
        if guest is None or prepared is None:
            return
        prepared.play.seat(own)
        guest.join(prepared.play, as_players(own), prepared.digests)
        self._remember()

    def _is_elsewhere(self, player: Player, agent: AgentID, own: set[AgentID]) -> bool:
        if self.is_ready:  # the number of this machine may be that of an earlier process by now
            return agent not in self._claimed
        if agent in self.seating.takeable:
            return False
        return self._session is not None and player.peer != self._session.number
