"""LateSeats: gives AI seats of the host to machines that have joined in mid-match."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

from agents.seats.controller import HUMAN_KINDS
from arcade.together.hosting.guests import Guest
from arcade.together.hosting.host_view import HostView
from arcade.together.messages import Handover, Player

LEAD = 0.5
"""Seconds, beyond a round trip, between the news of a handover and its tick."""

CLOSE = 1.0
"""Seconds behind the host from which on a machine has caught up with the match."""


class LateSeats:
    """Of a host.  A seat changes at a tick that no machine has sealed yet, the same at all of them."""

    def __init__(self, session: HostView) -> None:
        self._session = session
        self._wishes: dict[int, Mapping[str, Player]] = {}  # of guests, by number

    @property
    def takeable(self) -> list[str]:
        """The seats that machines may take in mid-match."""
        session = self._session
        if not session.begun or session.play.result is not None:
            return []
        given = {one.seat for one in session.play.handovers}
        return [
            str(agent) for agent in session.play.own
            if str(agent) not in given and session.lineup[str(agent)].kind not in HUMAN_KINDS
        ]  # fmt: skip

    def wish(self, guest: Guest, seats: Mapping[str, Player]) -> bool:
        """Note what a guest without seats wants; returns whether it can have that."""
        can = not guest.seats and set(seats) <= set(self.takeable)
        if can:
            self._wishes[guest.number] = dict(seats)
        return can

    def update(self) -> None:
        """Hand over what is wanted, once the machine has caught up with the match."""
        for number, seats in tuple(self._wishes.items()):
            guest = self._session.guests.at(number)
            if guest is None or not set(seats) <= set(self.takeable):
                del self._wishes[number]
                if guest is not None:
                    self._session.refuse(guest.sender, "taken", "expected seats of AI players, got one that is taken")
            elif guest.is_live and self._has_caught_up(guest):
                del self._wishes[number]
                self._hand_over(guest, seats)

    def _has_caught_up(self, guest: Guest) -> bool:
        play = self._session.play
        is_shown = play.terms.mode.has_views  # the present, by the views
        return is_shown or guest.at >= play.present - 1 - CLOSE * play.terms.rate

    def _hand_over(self, guest: Guest, seats: Mapping[str, Player]) -> None:
        session = self._session
        play, seconds = session.play, LEAD + 2 * session.guests.slowest
        tick = max(play.inputs.next, len(play.log) + 1) + ceil(seconds * play.terms.rate)
        guest.seats = tuple(agent for agent in play.spec.agents if str(agent) in seats)
        guest.first = tick
        for word, player in seats.items():
            session.lineup[word] = player
            self._announce(handover := Handover(tick=tick, seat=word, player=player))
            session.say(play.handover_text(handover))

    def _announce(self, message: Handover) -> None:
        self._session.play.hand_over(message)
        self._session.tell(message, "")

    def send(self, guest: Guest) -> None:
        """Send what has been handed over so far: some of it may be lost."""
        for message in self._session.play.handovers:
            self._session.send(guest, message)

    def settle(self) -> None:
        """Let a new host's handovers count at the first tick for which the earlier host has told no input."""
        play = self._session.play
        agents = {str(agent): agent for agent in play.spec.agents}
        for one in tuple(play.handovers):
            tick = len(play.log)
            while tick < one.tick and agents[one.seat] in play.pending.at(tick):
                tick += 1
            if tick < one.tick:
                self._announce(Handover(tick=tick, seat=one.seat, player=one.player))
