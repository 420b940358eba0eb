"""Patience: decides when the server of a remote seat has failed for good, and says why."""

from __future__ import annotations

from collections.abc import Callable

from agents.seats.controller import FailureCause
from agents.wire.limits import ANSWER_SECONDS, HELLO_SECONDS, LOST_SECONDS, MAX_UNASKED, MAX_WRONG, SILENCE


class Patience:
    """Counts a server's wrong and unasked answers, and the seconds that a seat has waited for an action.

    Only time in which the match asks counts, so that a paused match ends no patience.  `reason` and `cause` are ""
    until the seat is given up.
    """

    def __init__(self, endpoint: str, clock: Callable[[], float]) -> None:
        self._endpoint, self._clock = endpoint, clock
        self._unasked = 0  # replies less requests
        self.begin()

    def begin(self) -> None:
        """Begin an episode."""
        self.reason = ""
        self.cause: FailureCause = ""
        self.is_welcomed = self._has_played = False  # once in this episode
        self._wrong, self._waited = 0, 0.0
        self._unasked = min(0, self._unasked)  # requests of the last episode may be answered in this one
        self._looked_at = self._clock()

    def absence(self, *, is_connected: bool) -> str:
        """Why a match that ends now is lost for the seat: no action came to the end, or none at all; else ""."""
        if self._waited < (LOST_SECONDS if self._has_played and is_connected else SILENCE):
            return ""
        if not self._has_played:
            return "expected actions, got none in the whole match"
        return f"expected actions from {self._endpoint} to the end, got none in the last {self._waited:.0f} s"

    def wait(self) -> None:
        """Count the time since the last call; an action is due."""
        now = self._clock()
        self._waited += min(now - self._looked_at, SILENCE)
        self._looked_at = now
        if not self.is_welcomed and self._waited >= HELLO_SECONDS:
            got = f"no answer within {HELLO_SECONDS:g} s"
            reason = f"expected a policy server at {self._endpoint}, got {got}; start one with: arcade serve"
            self.end("no server", reason)
        elif self._waited >= ANSWER_SECONDS:
            self.end("silent", f"expected an action from {self._endpoint}, got none for {ANSWER_SECONDS:g} s")

    def ask(self) -> None:
        """Count a request, which has one answer."""
        self._unasked -= 1

    def hear(self) -> None:
        """Count a reply; a server that sends too many is given up, since they delay its actions."""
        self._unasked += 1
        if self._unasked > MAX_UNASKED:
            got = f"{MAX_UNASKED} more than that"
            self.end("wrong", f"expected one answer to each request from {self._endpoint}, got {got}")

    def count_wrong(self, text: str) -> None:
        """Count an answer that is no legal action; `text` says why."""
        self._wrong += 1
        if self._wrong >= MAX_WRONG:
            got = f"{MAX_WRONG} wrong answers, the last: {text}"
            self.end("wrong", f"expected actions from {self._endpoint}, got {got}")

    def refuse(self, text: str, cause: FailureCause = "refused") -> None:
        """The server refused the hello: the end before its first welcome, later a wrong answer."""
        if self.is_welcomed:
            self.count_wrong(text)
        else:
            self.end(cause, f"expected {self._endpoint} to play the seat, got: {text}")

    def welcome(self) -> None:
        """The server took the seat."""
        if not self.is_welcomed:
            self.is_welcomed, self._waited = True, 0.0

    def answer(self) -> None:
        """The server answered with a legal action."""
        self._wrong, self._waited, self._has_played = 0, 0.0, True

    def end(self, cause: FailureCause, reason: str) -> None:
        """Give the seat up, unless it is."""
        if not self.reason:
            self.reason, self.cause = reason, cause
