"""Absences: guests that are silent, and what becomes of their seats."""

from __future__ import annotations

from arcade.language import _
from arcade.together.hosting.guests import ABSENT_AFTER, LOBBY_PATIENCE, Guest
from arcade.together.hosting.host_view import HostView
from arcade.together.hosting.reasons import FROM_GUEST, reason_text
from arcade.together.messages import Absent, Leave
from arcade.together.seats import forfeited_seat

TELL_EVERY = 1.0

INPUT_PATIENCE = 120.0
"""Seconds, beyond the grace period, without an input of a machine that answers: it may play a long match anew."""


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
                guest.served_at = now
                if silence > LOBBY_PATIENCE:
                    self.gone(guest, "silent")
            elif silence > ABSENT_AFTER and session.play.result is None:
                left = session.terms.grace - silence
                if left <= 0 or not guest.seats:
                    self.gone(guest, "away")
                elif tells or not guest.is_absent:
                    self._tell(guest, left)
            else:
                self._note_inputs(guest, now)
                if now - guest.served_at > session.terms.grace + INPUT_PATIENCE:
                    self.gone(guest, "idle")

    def _note_inputs(self, guest: Guest, now: float) -> None:
        """Note when the match last did not wait for a machine's inputs; in turns people may think."""
        play = self._session.play
        known = play.pending.at(len(play.log))
        is_to_blame = play.result is None and not play.spec.turn_based and all(agent in known for agent in play.own)
        if not is_to_blame or all(agent in known for agent in guest.seats):
            guest.served_at = now

    def _tell(self, guest: Guest, left: float) -> None:
        words = _("{machine} is absent; the match waits for {seconds:.0f} s")
        text = "" if guest.is_absent else words.format(machine=guest.title, seconds=left)
        guest.is_absent = True
        self._session.tell(Absent(peer=guest.number, seconds=left), text)

    def left(self, guest: Guest, message: Leave) -> None:
        """A guest has left, by itself or for one of FROM_GUEST."""
        cause = message.cause if message.cause in FROM_GUEST else "left"
        self.gone(guest, cause, seat=message.seat, detail=message.detail)

    def gone(self, guest: Guest, cause: str, *, seat: str = "", detail: str = "") -> None:
        """A guest is gone for good, for one of REASONS: its seats are free before the match, and forfeit in it."""
        session = self._session
        spec, grace = session.play.spec, session.terms.grace
        why = reason_text(cause, guest.title, grace, spec=spec, seat=seat, detail=detail)
        session.guests.remove(guest)
        session.urgent.forget(guest)
        if not session.begun:
            for agent in guest.seats:
                session.lineup.pop(str(agent), None)
            session.tell_lobby()
            seats = ", ".join(map(spec.seat_title, session.free))
            session.say(_("{why}; free seats: {seats}").format(why=why, seats=seats))
        elif session.play.result is None and guest.seats:
            session.say(why)
            session.end_match(
                "forfeit", forfeited_seat(session.lineup, guest.number), why,
                cause=cause, machine=guest.number, seat=seat, detail=detail,
            )  # fmt: skip
