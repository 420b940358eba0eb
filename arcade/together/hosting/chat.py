"""Chat: passes on the phrases that machines say."""

from __future__ import annotations

from collections.abc import Callable

from arcade.together.hosting.guests import Guest
from arcade.together.hosting.host_view import HostView
from arcade.together.messages import Phrase
from arcade.together.phrases import EVERY, phrase_text


class Chat:
    """Of a host."""

    def __init__(self, session: HostView, clock: Callable[[], float]) -> None:
        self._session, self._clock = session, clock

    def say(self, number: int) -> None:
        """Say one of PHRASES to all."""
        session = self._session
        session.tell(
            Phrase(number=number, peer=session.number), phrase_text(session.names[str(session.number)], number)
        )

    def on_phrase(self, guest: Guest, message: Phrase) -> None:
        """Pass on what a guest says, unless it says too much."""
        now = self._clock()
        if now - guest.spoke_at < EVERY:
            return
        guest.spoke_at = now
        for other in self._session.guests:
            if other is not guest:
                self._session.send(other, Phrase(number=message.number, peer=guest.number))
        if text := phrase_text(guest.title, message.number):
            self._session.say(text)
