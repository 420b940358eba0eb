"""Truth: finds the machines whose ticks differ from the host's, and has them play anew from the sealed inputs."""

from __future__ import annotations

from dataclasses import dataclass

from arcade.language import _
from arcade.together.hosting.guests import Guest
from arcade.together.hosting.host_view import HostView
from arcade.together.hosting.reasons import part_text, reason_text
from arcade.together.messages import Differs, Digests, Diverged, printable

MOST_DIFFERENCES = 8
"""Ticks of one guest that may differ in a match: each is played anew from the start."""

MOST_ANEW = 2
"""Times that the host itself plays a match anew."""


@dataclass
class Difference:
    """A tick of a guest that differed from the host's."""

    tick: int
    machine: str
    what: str = ""  # the part that differs, in words


class Truth:
    """The inputs are what all machines have in common; what they lead to is found by playing them from the start.

    A guest that differs plays anew first, since the host's state is the one that counts; where that comes out as
    before, the host's own was wrong, and the host plays anew.
    """

    def __init__(self, session: HostView) -> None:
        self._session = session
        self._own_at: int | None = None  # the tick for which the host itself played anew
        self._own = 0  # times that it did
        self.differences: list[Difference] = []

    def on_digests(self, guest: Guest, message: Digests) -> None:
        comparison = guest.comparison
        comparison.add(message, most=len(self._session.play.log) + 1)
        if comparison.differs_at is not None and comparison.differs_at == guest.differed_at:
            self._ask(guest, comparison.differs_at)  # it has not played anew yet

    def on_diverged(self, guest: Guest, message: Diverged) -> None:
        asked = Difference(message.tick, guest.title)
        if asked not in self.differences:
            return
        what = self.differences[self.differences.index(asked)].what = printable(message.what) or "?"
        words = _("tick {tick} differs at {machine}: {what}; it plays the match anew")
        self._session.say(
            words.format(tick=message.tick, machine=guest.title, what=part_text(what, self._session.play.spec))
        )

    def update(self, now: float) -> None:
        """Compare what has come since."""
        book = self._session.play.book
        for guest in self._session.guests:
            tick = guest.comparison.find(book.values)
            if tick is not None:
                self._settle(guest, tick)

    def _settle(self, guest: Guest, tick: int) -> None:
        session = self._session
        guest.differences += 1
        if guest.differences > MOST_DIFFERENCES:
            self._give_up(guest, "differs", tick)
        elif guest.differed_at is None or tick > guest.differed_at:
            guest.differed_at, guest.result = tick, None  # it will have another result
            self.differences.append(Difference(tick, guest.title))
            self._ask(guest, tick)
        elif self._own < MOST_ANEW and (self._own_at is None or tick > self._own_at):
            self._own_at, self._own = tick, self._own + 1
            words = _("tick {tick} of {machine} came out as before, so the host plays the match anew")
            session.say(words.format(tick=tick, machine=guest.title))
            session.play.play_anew()
            if session.end is not None and session.play.match is not None:
                session.play.match.end_at(session.end)
            for one in session.guests:
                one.comparison.compare_anew()
        else:
            self._give_up(guest, "diverges", tick)

    def _give_up(self, guest: Guest, cause: str, tick: int) -> None:
        """End the match for one of REASONS."""
        detail = str(tick)
        why = reason_text(cause, guest.title, detail=detail)
        self._session.end_match("failed", "", why, cause=cause, machine=guest.number, detail=detail)

    def _ask(self, guest: Guest, tick: int) -> None:
        parts = dict(self._session.play.book.parts(tick))
        self._session.send(guest, Differs(tick=tick, parts=parts, run=guest.comparison.run))
