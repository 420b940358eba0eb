"""Agreement: whether all machines have the same result."""

from __future__ import annotations

from arcade.together.hosting.guests import ABSENT_AFTER, Guest
from arcade.together.hosting.host_view import HostView
from arcade.together.hosting.reasons import another_result
from arcade.together.local_play import as_result
from arcade.together.messages import Agreed, Result, Signature
from arcade.together.signatures import is_valid, sign

PATIENCE = 20.0
"""Seconds that the host waits for the results of guests that are there."""

LAST_WORDS = 1.0
"""Seconds that the host stays after it has said what was agreed on, for those who ask again."""


class Agreement:
    """Of a host with its guests, once the match is over there."""

    def __init__(self, session: HostView) -> None:
        self._session = session
        self._over_at: float | None = None
        self._said_at: float | None = None
        self.signatures: dict[str, Signature] = {}  # of the machines that agree, by number
        self.other: Guest | None = None  # that has another result, so that it does not count

    def on_result(self, guest: Guest, message: Result) -> None:
        guest.result = message
        if self._said_at is not None:
            self._session.send(guest, self._agreed)

    def update(self, now: float) -> None:
        """Say what was agreed on, once all results are there or were waited for."""
        if self._over_at is None:
            self._over_at = now
        if self._said_at is not None:
            return
        waiting = [guest for guest in self._session.guests if guest.seats and guest.result is None]
        there = [guest for guest in waiting if now - guest.heard_at <= ABSENT_AFTER]
        if there and now - self._over_at < PATIENCE:
            return
        self._said_at = now
        self.other = self._disagreeing()
        if self.other is None:
            self._collect()
        for guest in self._session.guests:
            self._session.send(guest, self._agreed)

    @property
    def _agreed(self) -> Agreed:
        machine = self.other.number if self.other is not None else -1
        return Agreed(ok=not self.why_not, why=self.why_not, machine=machine, signatures=self.signatures)

    @property
    def why_not(self) -> str:
        """Why the result does not count; "" where all agree."""
        return another_result(self.other.title) if self.other is not None else ""

    def _collect(self) -> None:
        """Sign the result, and add what the others have signed."""
        session = self._session
        result, match = session.play.result, session.terms.match
        assert result is not None
        facts = result.as_json()
        self.signatures = {str(session.number): sign(result, match)} | {
            str(guest.number): guest.result.signature
            for guest in session.guests
            if guest.result is not None and guest.result.signature is not None
            and is_valid(guest.result.signature, facts, match)
        }  # fmt: skip

    def is_settled(self, now: float) -> bool:
        """Whether the host may leave."""
        if self._said_at is None:
            return False
        guests = [guest for guest in self._session.guests if now - guest.heard_at <= ABSENT_AFTER]
        return not guests or now - self._said_at >= LAST_WORDS

    def _disagreeing(self) -> Guest | None:
        result = self._session.play.result
        assert result is not None
        own = as_result(result)
        for guest in self._session.guests:
            theirs = guest.result
            if theirs is not None and any(getattr(theirs, name) != value for name, value in own.items()):
                return guest
        return None
