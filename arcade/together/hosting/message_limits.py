"""MessageLimits: which messages a host reads and answers, so that neither strangers nor a guest hold up its match."""

from __future__ import annotations

from arcade.together import messages
from arcade.together.hosting.guests import Guest
from arcade.together.messages import Message

MAX_STRANGERS = 16
"""Messages of machines that are no guests, yet, that one update reads; a hello is repeated each second."""

COSTLY = (messages.Hello, messages.Choose, messages.Claim, messages.Diverged, messages.Result)
"""Messages whose answers cost much more than they do."""


class MessageLimits:
    """Of a host; `begin` is called at the start of each update."""

    def __init__(self) -> None:
        self._strangers = 0

    def begin(self) -> None:
        """Count strangers anew."""
        self._strangers = 0

    def reads(self, guest: Guest | None) -> bool:
        """Whether a message is read; None for a stranger's."""
        self._strangers += guest is None
        return guest is not None or self._strangers <= MAX_STRANGERS

    def answers(self, guest: Guest | None, message: Message, now: float) -> bool:
        """Whether a message is answered now: of those that cost most, a guest may send a few a second."""
        return guest is None or not isinstance(message, COSTLY) or guest.requests.take(1, now)
