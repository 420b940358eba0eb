"""HostView: what the parts of a host's session use of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from arcade.together.hosting.guests import Guest, Guests
from arcade.together.local_play import LocalPlay
from arcade.together.messages import End, Hello, Message, Player
from arcade.together.terms import Terms
from arcade.together.urgent_messages import HostUrgentMessages


class TakeoverView(Protocol):
    """A Takeover."""

    kept: int

    @property
    def is_settled(self) -> bool: ...

    def greeted(self, guest: Guest, hello: Hello) -> None: ...


class LateSeatsView(Protocol):
    """LateSeats."""

    @property
    def takeable(self) -> list[str]: ...

    def wish(self, guest: Guest, seats: Mapping[str, Player]) -> bool: ...

    def send(self, guest: Guest) -> None: ...

    def settle(self) -> None: ...


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
    def late_seats(self) -> LateSeatsView: ...

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

    def end_match(
        self, ended: str, loser: str, why: str, *, cause: str = "", machine: int = 0, seat: str = "", detail: str = ""
    ) -> None: ...  # fmt: skip
