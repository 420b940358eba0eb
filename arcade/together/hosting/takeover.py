"""Takeover: what a machine does that has become the host because the one before was lost."""

from __future__ import annotations

from collections.abc import Callable

from arcade.language import _
from arcade.together.hosting.guests import ABSENT_AFTER, Guest
from arcade.together.hosting.host_view import HostView
from arcade.together.messages import Hello, Moved, Ticks, Want, Welcome
from arcade.together.ways.host_search import HostSearch

SETTLE = 4.0
"""Seconds that the new host waits for the others, any of which may have sealed ticks that it lacks."""

MOST_LACKING = 256
"""Ticks that another machine may have beyond the new host's."""


class Takeover:
    """Collects the sealed ticks of all machines, then lets the match continue; looks out for the earlier host.

    `kept` is the number of sealed ticks of earlier hosts, which count; -1 while they are being collected.
    """

    def __init__(self, session: HostView, search: HostSearch, before: int, clock: Callable[[], float]) -> None:
        """`before`: the number of the host that was lost."""
        self._session, self.search = session, search
        self._until = clock() + SETTLE
        self._waits_for = {guest.number for guest in session.guests if guest.number != before}
        self.kept = -1
        self.earlier: tuple[int, Welcome] | None = None  # the host to which this machine goes back

    @property
    def is_settled(self) -> bool:
        """Whether ticks may be sealed."""
        return self.kept >= 0

    def greeted(self, guest: Guest, hello: Hello) -> None:
        """Another machine has come over."""
        if self.is_settled:
            return
        if len(self._session.play.log) < hello.sealed:
            self._session.send(guest, Want(tick=len(self._session.play.log)))
        else:
            self._waits_for.discard(guest.number)

    def on_ticks(self, guest: Guest, message: Ticks) -> None:
        """Take the sealed ticks that a machine has beyond ours, where they agree with the inputs that are known here.

        Raises ValueError for what is no input of the game.
        """
        play = self._session.play
        if self.is_settled or message.first > len(play.log) or len(message.inputs) > MOST_LACKING:
            return
        play.take_lacking(message)
        self._waits_for.discard(guest.number)

    def update(self, now: float) -> None:
        """Resume once all are here or were waited for, and answer an earlier host that is back, or another next one."""
        if not self.is_settled and (not self._waits_for or now >= self._until):
            self.kept = len(self._session.play.log)
            self._session.late_seats.settle()
            self._session.say(_("the match continues, hosted by {machine}").format(machine=self._session.name))
        for number, welcome in self.search.heard(now):
            if welcome.match != self._session.terms.match:
                continue
            others = [one for one in self._session.guests if one.instance and one.number != number]
            if any(now - one.heard_at <= ABSENT_AFTER for one in others):
                self.search.at(number).send(Moved(host=self._session.number))
            elif (welcome.era, number) < (self._session.era, self._session.number):  # of two next hosts one stays it
                self.earlier = number, welcome
                return
