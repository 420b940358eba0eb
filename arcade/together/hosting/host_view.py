"""HostView: what the parts of a host's session use of it."""

from __future__ import annotations

from typing import Protocol

from arcade.together.hosting.guests import Guest, Guests
from arcade.together.local_play import LocalPlay
from arcade.together.messages import End, Hello, Message, Player
from arcade.together.terms import Terms
from arcade.together.urgent_messages import HostUrgentMessages


class TakeoverView(Protocol):
    """A Takeover."""

    kept: int

    def greeted(self, guest: Guest, hello: Hello) -> None: ...


class HostView(Protocol):
    """A HostSession."""

    guests: Guests
    number: int
    era: int
    name: str
    urgent: HostUrgentMessages
    play: LocalPlay
    terms: Terms
    lineup: dict[str, Player]
    end: End | None
    begun: bool

    @property
    def takeover(self) -> TakeoverView | None: ...

    @property
    def names(self) -> dict[str, str]: ...

    @property
    def key(self) -> bytes: ...

    @property
    def free(self) -> list[str]: ...

    def say(self, text: str, /) -> None: ...

    def tell(self, message: Message, text: str) -> None: ...

    def tell_lobby(self) -> None: ...

    def send(self, guest: Guest, message: Message) -> None: ...

    def refuse(self, sender: bytes, code: str, text: str) -> None: ...

    def next_of(self, guest: Guest) -> int: ...

    def end_match(self, ended: str, loser: str, why: str) -> None: ...
