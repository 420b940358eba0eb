"""DigestBook: the digests of a match's ticks, by which machines that differ are found."""

from __future__ import annotations

from collections import deque

from arcade.match.stage.tick import Tick, TickParts, first_unlike, tick_digest, tick_parts
from arcade.together.messages import MAX_TICKS, Differs, Digests

PARTS_SECONDS = 4.0
"""How long the parts of ticks are kept, to say what differs."""

EVERY = 1.0
"""Seconds between two messages with digests."""


class DigestBook:
    """One machine's digests of tick 0, 1, 2 …; `run` counts how often they began anew."""

    def __init__(self, rate: float) -> None:
        """`rate`: ticks a second."""
        self.values: list[int] = []
        self.run = 0
        self._parts: deque[tuple[int, TickParts]] = deque(maxlen=max(8, round(PARTS_SECONDS * rate)))
        self._sent = 0
        self._send_at = 0.0

    def note(self, tick: Tick) -> None:
        """Add the next tick."""
        self.values.append(tick_digest(tick))
        self._parts.append((tick.index, tick_parts(tick)))

    def begin_anew(self) -> None:
        """The match is played again from its start."""
        self.values, self._sent, self.run = [], 0, self.run + 1
        self._parts.clear()

    def due(self, now: float, *, at_once: bool = False) -> Digests | None:
        """The digests that were not sent yet, each second."""
        if (now < self._send_at and not at_once) or self._sent >= len(self.values):
            return None
        self._send_at = now + EVERY
        values = self.values[self._sent : self._sent + MAX_TICKS]
        message = Digests(first=self._sent, values=values, run=self.run)
        self._sent += len(values)
        return message

    def send_again(self, first: int) -> None:
        """Send the digests from that tick on once more: the host does not have them."""
        self._sent = min(self._sent, first)

    def parts(self, tick: int) -> TickParts:
        """The parts of a recent tick; {} for one that is too old."""
        return next((parts for index, parts in self._parts if index == tick), {})

    def what_differs(self, message: Differs) -> str:
        """The part of a tick that differs from the host's, in words."""
        own = self.parts(message.tick)
        if not own or not message.parts:
            return "a part that is no longer known"
        return first_unlike(message.parts, own) or "nothing that still shows"


class Comparison:
    """Compares a peer's digests with the host's own."""

    def __init__(self) -> None:
        self.values: list[int] = []
        self.run = 0
        self.differs_at: int | None = None  # the first tick that differs, in this run
        self._compared = 0

    def add(self, message: Digests, *, most: int) -> None:
        """Add digests of the peer, `most` in all; those of an earlier run are dropped."""
        if message.run < self.run or message.first + len(message.values) > most:
            return
        if message.run > self.run:
            self.values, self._compared, self.run, self.differs_at = [], 0, message.run, None
        if message.first <= len(self.values):
            del self.values[message.first :]
            self.values.extend(message.values)
            self._compared = min(self._compared, message.first)

    def find(self, own: list[int]) -> int | None:
        """The first tick that differs, reported once a run; None while all agree."""
        if self.differs_at is not None:
            return None
        until = min(len(own), len(self.values))
        for tick in range(self._compared, until):
            if own[tick] != self.values[tick]:
                self.differs_at = tick
                return tick
        self._compared = max(self._compared, until)
        return None

    def compare_anew(self) -> None:
        """The host's own digests began anew."""
        self._compared, self.differs_at = 0, None
