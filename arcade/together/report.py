"""Report: a guest's result at the end of a match, sent until its host answers with what was agreed on."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from arcade.together.hosting.reasons import another_result
from arcade.together.local_play import LocalPlay, as_result
from arcade.together.messages import Agreed, Message, Result, printable
from arcade.together.signatures import sign

AGREE_PATIENCE = 30.0
"""Seconds after the end within which the host must say what was agreed on; a host that is silent has gone."""

REPORT_EVERY = 1.0


class Report:
    """Of one guest."""

    def __init__(self, send: Callable[[Message], None]) -> None:
        self._send, self._send_at = send, 0.0
        self.agreed: Agreed | None = None  # None: the host has not said, or is gone
        self.over_at: float | None = None  # when the match was over here

    def withdraw(self) -> None:
        """The match is played anew: it may have another result."""
        self.over_at, self.agreed = None, None

    def update(self, play: LocalPlay, now: float, *, sends: bool) -> None:
        """Send the signed result, each second until the host has answered."""
        assert play.result is not None
        if self.over_at is None:
            self.over_at = now
        if self.agreed is None and sends and now >= self._send_at:
            self._send_at = now + REPORT_EVERY
            self._send(Result(**as_result(play.result), signature=sign(play.result, play.terms.match)))

    def on_agreed(self, message: Agreed) -> None:
        if self.over_at is not None:
            self.agreed = message

    def verdict(self, names: Mapping[str, str]) -> tuple[bool | None, str]:
        """Whether all machines have the same result, None before the host has said, and why not; `names` by number."""
        agreed = self.agreed
        if agreed is None:
            return None, ""
        other = names.get(str(agreed.machine))
        return agreed.ok, printable(another_result(other) if other is not None else agreed.why)

    def is_answered(self, now: float) -> bool:
        """Whether the host has answered, or was waited for long enough."""
        return self.agreed is not None or (self.over_at is not None and now - self.over_at > AGREE_PATIENCE)
