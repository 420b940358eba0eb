"""Guests: the machines that have joined a host's match, and their seats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from agents.seats.controller import AgentID
from agents.wire.peers import Allowance
from arcade.language import _
from arcade.together.digest_book import Comparison
from arcade.together.messages import MAX_PEERS, Place, Player, Result

ABSENT_AFTER = 2.0
"""Seconds of silence after which a machine counts as absent, in a match."""

LOBBY_PATIENCE = 120.0
"""The same before it: a machine that makes its game says nothing."""

TAKEOVER_AFTER = 0.8
"""Seconds of silence after which a new process with the same key may have the seats."""


REQUESTS_A_SECOND, REQUESTS_AT_ONCE = 10, 30
"""Hellos, claims and the like of one guest, each of which the host answers with much more; others are ignored."""

DATAGRAMS_A_SECOND = 1_000
"""Of one guest, each of which repeats inputs; others are dropped."""

KEPT_TRIPS, ENOUGH_TRIPS = 15, 6
"""Round trips whose median counts, and from how many on; one that was held up by a lost packet is not typical."""

LONGEST_TRIP = 60.0
"""Seconds that a round trip is believed to take."""


@dataclass(eq=False)
class Guest:
    """One machine beside the host."""

    number: int
    key: str
    instance: bytes  # b"": it was with an earlier host, and has not come over yet
    sender: bytes  # its present connection
    name: str
    heard_at: float
    channel: bytes = b""  # the name of its datagrams
    channel_key: bytes = field(default=b"", repr=False)
    seats: tuple[AgentID, ...] = ()
    chosen: dict[str, Player] = field(default_factory=dict)  # seats that it will claim, as far as it has said
    is_seated: bool = False  # its claim was accepted
    is_ready: bool = False
    is_live: bool = False  # new ticks are sent by themselves
    is_absent: bool = False
    round_trip: float = 0.0  # seconds, the median of the newest few; the shortest while there are too few
    trips: list[float] = field(default_factory=list)
    spoke_at: float = 0.0
    served_at: float = 0.0  # when the match last did not wait for its inputs
    paced_at: float = 0.0  # when its tick was last heard of
    at: int = 0  # its present tick, as heard last
    first: int = 0  # the first tick that it decides, where it has its seats since mid-match
    pinged_at: float = 0.0  # when its last ping came; a machine that has become the host sends none
    foretold: int = 0  # the first tick whose inputs of it the others were not told
    wanted: int | None = None  # the first tick of those that it asked for
    place: Place | None = None  # where it can be reached, should it become the host
    result: Result | None = None
    comparison: Comparison = field(default_factory=Comparison)
    differed_at: int | None = None  # the tick for which it was told to play anew
    differences: int = 0  # so far
    requests: Allowance = field(init=False)
    datagrams: Allowance = field(init=False)

    def __post_init__(self) -> None:
        self.datagrams = Allowance(DATAGRAMS_A_SECOND, burst=DATAGRAMS_A_SECOND, now=self.heard_at)
        self.requests = Allowance(REQUESTS_A_SECOND, burst=REQUESTS_AT_ONCE, now=self.heard_at)

    @property
    def title(self) -> str:
        """The name for people."""
        return self.name or _("machine {number}").format(number=self.number)

    def heard(self, now: float) -> bool:
        """Note a message; returns whether it was absent."""
        was_absent, self.is_absent, self.heard_at = self.is_absent, False, now
        return was_absent

    def measured(self, seconds: float) -> None:
        """Note a round trip."""
        self.trips = [*self.trips[-(KEPT_TRIPS - 1) :], min(max(0.0, seconds), LONGEST_TRIP)]
        middle = len(self.trips) // 2 if len(self.trips) >= ENOUGH_TRIPS else 0
        self.round_trip = sorted(self.trips)[middle]


class Guests:
    """By number, 0 to 7; the host, 0 at first, has one, too."""

    def __init__(self, host: int = 0) -> None:
        """`host`: the number of the host."""
        self._guests: dict[int, Guest] = {}
        self._numbers = [number for number in range(MAX_PEERS) if number != host]

    def __iter__(self) -> Iterator[Guest]:
        return iter(tuple(self._guests.values()))

    def __len__(self) -> int:
        return len(self._guests)

    def of(self, sender: bytes) -> Guest | None:
        """The guest with that connection."""
        return next((guest for guest in self._guests.values() if guest.sender == sender), None)

    def with_channel(self, channel: bytes) -> Guest | None:
        return next((guest for guest in self._guests.values() if guest.channel == channel), None)

    def with_instance(self, instance: bytes) -> Guest | None:
        return next((guest for guest in self._guests.values() if guest.instance == instance), None)

    def add(self, sender: bytes, key: str, instance: bytes, name: str, now: float) -> Guest | None:
        """A new guest; None where all places are taken."""
        free = [number for number in self._numbers if number not in self._guests]
        if not free:
            return None
        guest = self._guests[free[0]] = Guest(free[0], key, instance, sender, name, now)
        return guest

    def chosen(self, free: Sequence[str]) -> dict[str, Player]:
        """The seats among those that guests have chosen, but not claimed yet."""
        return {word: player for guest in self for word, player in guest.chosen.items() if word in free}

    def at(self, number: int) -> Guest | None:
        return self._guests.get(number)

    def expect(self, number: int, key: str, name: str, seats: tuple[AgentID, ...], heard_at: float) -> None:
        """A machine that was in the match with an earlier host, and is to come over."""
        guest = self._guests[number] = Guest(number, key, b"", b"", name, heard_at, seats=seats, served_at=heard_at)
        guest.is_seated = guest.is_ready = True

    def remove(self, guest: Guest) -> None:
        self._guests.pop(guest.number, None)

    def replaceable(self, key: str, now: float, *, but: Guest) -> list[Guest]:
        """The silent guests with seats whose place a new process with that key may take."""
        return [
            guest for guest in self._guests.values()
            if guest is not but and guest.key == key and guest.seats and now - guest.heard_at > TAKEOVER_AFTER
        ]  # fmt: skip

    def take_over(self, guest: Guest, old: Guest) -> None:
        """Give `guest` the number and the seats of `old`, which is gone."""
        self.remove(guest)
        guest.number, guest.seats, guest.name = old.number, old.seats, old.name or guest.name
        guest.is_ready = guest.is_seated = True
        self._guests[old.number] = guest

    def are_left_to(self, guest: Guest, now: float) -> bool:
        """Whether all other guests are silent, and that one, which may be a host by now, sends no pings."""
        heard = [one.pinged_at if one is guest else one.heard_at for one in self._guests.values()]
        return all(now - at > ABSENT_AFTER for at in heard)

    def measure_anew(self) -> None:
        """Forget the round trips so far but the shortest: a machine that makes its game answers late."""
        for guest in self._guests.values():
            guest.trips = sorted(guest.trips)[:1]
            guest.round_trip = guest.trips[0] if guest.trips else 0.0

    @property
    def slowest(self) -> float:
        """The longest round trip in seconds."""
        return max((guest.round_trip for guest in self._guests.values()), default=0.0)
