"""Absences: guests that are silent, and what becomes of their seats."""

from __future__ import annotations

from arcade.language import _
from arcade.together.guests import ABSENT_AFTER, LOBBY_PATIENCE, Guest
from arcade.together.host_view import HostView
from arcade.together.messages import Absent

TELL_EVERY = 1.0


class Absences:
    """Of a host's guests; `update` is called in its loop."""

    def __init__(self, session: HostView) -> None:
        self._session = session
        self._tell_at = 0.0

    def update(self, now: float) -> None:
        """Note who is silent, tell the others, and end the wait for those that do not come back."""
        session, tells = self._session, now >= self._tell_at
        if tells:
            self._tell_at = now + TELL_EVERY
        for guest in session.guests:
            silence = now - guest.heard_at
            if not session.begun or not guest.is_seated:
                if silence > LOBBY_PATIENCE:
                    self.gone(guest, _("{machine} does not answer").format(machine=guest.title))
            elif silence > ABSENT_AFTER and session.play.result is None:
                left = session.terms.grace - silence
                if left <= 0 or not guest.seats:
                    self.gone(guest, self._too_long(guest))
                elif tells or not guest.is_absent:
                    self._tell(guest, left)

    def _too_long(self, guest: Guest) -> str:
        words = _("{machine} did not come back within {seconds:g} s")
        return words.format(machine=guest.title, seconds=self._session.terms.grace)

    def _tell(self, guest: Guest, left: float) -> None:
        words = _("{machine} is absent; the match waits for {seconds:.0f} s")
        text = "" if guest.is_absent else words.format(machine=guest.title, seconds=left)
        guest.is_absent = True
        self._session.tell(Absent(peer=guest.number, seconds=left), text)

    def gone(self, guest: Guest, why: str) -> None:
        """A guest is gone for good: its seats are free before the match, and forfeit in it."""
        session = self._session
        session.guests.remove(guest)
        session.hurry.forget(guest)
        if not session.begun:
            for agent in guest.seats:
                session.lineup.pop(str(agent), None)
            session.tell_lobby()
            session.say(_("{why}; free seats: {seats}").format(why=why, seats=", ".join(session.free)))
        elif session.play.result is None and guest.seats:
            session.say(why)
            session.end_match("forfeit", str(guest.seats[0]), why)
