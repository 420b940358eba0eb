"""The peers of a server: what each has sent lately, and how many seats it has."""

from __future__ import annotations

from agents.wire.limits import (
    BURST_BYTES,
    BURST_MESSAGES,
    BYTES_A_SECOND,
    IDLE_SECONDS,
    MAX_PEERS,
    MAX_SMALL_BYTES,
    MESSAGES_A_SECOND,
)


class Allowance:
    """So many units a second, `burst` at once (a token bucket).

    >>> allowance = Allowance(10, burst=2, now=0.0)
    >>> [allowance.take(1, now=at) for at in (0.0, 0.0, 0.0, 0.1)]
    [True, True, False, True]
    """

    __slots__ = ("_at", "_burst", "_rate", "left")

    def __init__(self, rate: float, *, burst: float, now: float) -> None:
        self._rate, self._burst, self.left, self._at = rate, burst, burst, now

    def refill(self, now: float) -> None:
        """Add what the time since the last call has brought to `left`."""
        left = self.left + (now - self._at) * self._rate
        self.left = left if left < self._burst else self._burst
        self._at = now

    def take(self, amount: float, now: float) -> bool:
        """Take `amount` units; False, and nothing is taken, where fewer are left."""
        self.refill(now)
        is_enough = self.left >= amount
        if is_enough:
            self.left -= amount
        return is_enough


class Peer:
    """One client's connection, one identity that several use, or all connections with one key of another."""

    __slots__ = ("_bytes", "_messages", "beyond", "largest", "seats", "seen")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._messages = Allowance(rate, burst=burst, now=now)
        self._bytes = Allowance(BYTES_A_SECOND, burst=BURST_BYTES, now=now)
        self.beyond = 0  # messages beyond the limits since its connection was last slowed down
        self.seats = 0
        self.largest = MAX_SMALL_BYTES  # bytes of a request that its seats may need
        self.seen = now

    def take(self, size: int, now: float) -> bool:
        """Count a message of `size` bytes; False for one beyond the limits."""
        messages, sizes = self._messages, self._bytes
        if now != self.seen:  # once for all messages of a poll
            self.seen = now
            messages.refill(now)
            sizes.refill(now)
        is_within = messages.left >= 1 and sizes.left >= size
        if is_within:
            messages.left -= 1
            sizes.left -= size
        else:
            self.beyond += 1
        return is_within

    def pay(self, cost: int, now: float) -> bool:
        """Count a request that costs as much as `cost` messages; False where that is beyond the limits."""
        return self._messages.take(cost, now)


class Peers:
    """The peers by the identity of their connection; idle ones without a seat are forgotten where there are many.

    All connections with the same key are one peer.
    """

    def __init__(self, *, rate: float = MESSAGES_A_SECOND, burst: float = BURST_MESSAGES) -> None:
        self._rate, self._burst = rate, burst
        self._peers: dict[bytes, Peer] = {}
        self._keys: dict[str, Peer] = {}  # as many as the owner has allowed

    def __len__(self) -> int:
        return len(self._peers)

    def get(self, identity: bytes) -> Peer | None:
        """The peer with that identity, None for a new one."""
        return self._peers.get(identity)

    def of(self, identity: bytes, now: float, *, key: str = "") -> Peer:
        """The peer with that identity; one with a `key` that is new shares what the key's other connections have."""
        peer = self._peers.get(identity)
        if peer is None:
            if len(self._peers) >= MAX_PEERS:
                self._forget_idle(now)
            peer = self._keys.get(key) or Peer(self._rate, self._burst, now)
            self._peers[identity] = peer
            if key:
                self._keys[key] = peer
        return peer

    def _forget_idle(self, now: float) -> None:
        """Forget the peers that are idle and have no seat; where all were heard lately, half of those without one."""
        seen = sorted((peer.seen, identity) for identity, peer in self._peers.items() if not peer.seats)
        idle = [identity for at, identity in seen if now - at > IDLE_SECONDS]
        for identity in idle or [identity for _, identity in seen[: len(seen) // 2 + 1]]:
            del self._peers[identity]
