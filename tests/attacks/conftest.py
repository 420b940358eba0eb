"""Servers that are attacked, and the peers that do it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.support.attacks import Controlled, Peer, Served


@pytest.fixture
def served(patient: None) -> Iterator[Served]:
    served = Served()
    yield served
    served.close()


@pytest.fixture
def controlled() -> Iterator[Controlled]:
    controlled = Controlled()
    yield controlled
    controlled.close()


@pytest.fixture
def peer() -> Iterator[Callable[[str], Peer]]:
    peers: list[Peer] = []

    def connect(endpoint: str) -> Peer:
        peers.append(Peer(endpoint))
        return peers[-1]

    yield connect
    for one in peers:
        one.socket.close(linger=0)
