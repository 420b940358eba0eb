"""Gate: which messages a host reads at all, so that neither strangers nor a guest take the time of its match."""

from __future__ import annotations

import hmac

from agents.wire.keys import Keys
from arcade.together import messages
from arcade.together.hosting.guests import Guest
from arcade.together.messages import Message

MAX_STRANGERS = 16
"""Messages of machines that are no guests, yet, that one update reads; a hello is repeated each second."""

COSTLY = (messages.Hello, messages.Claim, messages.Diverged, messages.Result)
"""Messages whose answers cost much more than they do."""


class Gate:
    """Of a host; `open` is called at the start of each update."""

    def __init__(self, secret: bytes) -> None:
        self._secret, self._strangers = secret, 0

    def open(self) -> None:
        """Count strangers anew."""
        self._strangers = 0

    def lets_in(self, guest: Guest | None) -> bool:
        """Whether a message is read; None for a stranger's."""
        self._strangers += guest is None
        return guest is not None or self._strangers <= MAX_STRANGERS

    def allows(self, guest: Guest | None, message: Message, now: float) -> bool:
        """Whether a message is answered now: of those that cost most, a guest may send a few a second."""
        return guest is None or not isinstance(message, COSTLY) or guest.requests.take(1, now)

    def is_invited(self, key: str, secret: bytes) -> bool:
        """Whether a stranger may become a guest."""
        has_secret = bool(self._secret and hmac.compare_digest(secret, self._secret))
        return has_secret or not key or Keys().admits(bytes.fromhex(key))
