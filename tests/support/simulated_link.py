"""A network in memory, whose clock is turned by hand: messages come late, in another order, or not at all."""

from __future__ import annotations

import heapq
import itertools
from random import Random

from arcade.together.messages import encode
from arcade.together.ways.links import Heard


class Network:
    """Delays in seconds; `loss` is a share of the messages."""

    def __init__(self, *, seed: int, delay: float, jitter: float, loss: float) -> None:
        self.now = 100.0
        self.delay, self.jitter, self.loss = delay, jitter, loss
        self._random, self._numbers = Random(seed), itertools.count()
        self._on_their_way: dict[bytes, list] = {}

    def clock(self) -> float:
        return self.now

    def send(self, sender: bytes, receiver: bytes, message) -> None:
        if self._random.random() >= self.loss:
            at = self.now + self.delay + self.jitter * self._random.random()
            waiting = self._on_their_way.setdefault(receiver, [])
            heapq.heappush(waiting, (at, next(self._numbers), sender, encode(message)))

    def hear(self, receiver: bytes) -> list[tuple[bytes, bytes]]:
        waiting, found = self._on_their_way.get(receiver, []), []
        while waiting and waiting[0][0] <= self.now:
            _, _, sender, frame = heapq.heappop(waiting)
            found.append((sender, frame))
        return found


class HostEnd:
    """For a HostSession."""

    datagrams = None

    def __init__(self, network: Network) -> None:
        self._network = network

    def hear(self, timeout: float) -> list[Heard]:
        return [Heard(sender, "", frame) for sender, frame in self._network.hear(b"host")]

    def send(self, receiver: bytes, message) -> None:
        self._network.send(b"host", receiver, message)


class GuestEnd:
    """For a GuestSession."""

    refusal, endpoint, datagrams = "", "memory", None

    def __init__(self, network: Network, name: bytes) -> None:
        self._network, self._name = network, name

    def hear(self, timeout: float) -> list[bytes]:
        return [frame for _, frame in self._network.hear(self._name)]

    def send(self, message) -> None:
        self._network.send(self._name, b"host", message)
