"""Machines that break the rules of a match over the network: OddHost answers as it is told, OddGuest sends anything."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

import pytest

from agents.wire.encoding import pack
from arcade.games import find_game
from arcade.match.play.result import versions
from arcade.match.stage.local import LocalStage
from arcade.together import messages
from arcade.together.messages import FROM_HOST, FROM_PEER, MAX_HOST_BYTES, MAX_PEER_BYTES, Message, decode
from arcade.together.terms import probe
from arcade.together.ways.codes import SECRET_BYTES, SessionCode, parse_code
from arcade.together.ways.links import HostLink, PeerLink
from tests.support.online import DEADLINE

M = TypeVar("M", bound=Message)

GAME = "house/volley"


@cache
def first_digests(seed: int) -> list[int]:
    """The probe of volley."""
    with LocalStage(find_game(GAME).for_matches()) as stage:
        return probe(stage, seed)


class OddHost(threading.Thread):
    """Answers each hello with a welcome to `game`, and each message of the kinds in `answers` with what these make."""

    def __init__(
        self, game: str = GAME, answers: dict[type[Message], Callable[[Any], Sequence[Message | bytes]]] | None = None,
        **terms: Any,
    ) -> None:  # fmt: skip
        super().__init__(daemon=True)
        self.link, self.stopped = HostLink("tcp://127.0.0.1:*"), threading.Event()
        self.code = SessionCode("127.0.0.1", self.link.port, self.link.address.key, bytes(SECRET_BYTES)).text
        known = {"peer": 1, "match": "m", "seed": 7, "free": ["right_0"], "kwargs": {"team_size": 1}}
        welcome = messages.Welcome(**{**known, "game": game, **terms})
        self._answers = {messages.Hello: lambda hello: [welcome], **(answers or {})}

    def __enter__(self) -> OddHost:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopped.set()
        self.join(DEADLINE)

    def run(self) -> None:
        while not self.stopped.is_set():
            for heard in self.link.hear(0.05):
                message = decode(heard.frame, FROM_PEER, most=MAX_PEER_BYTES)
                for answer in self._answers.get(type(message), lambda message: [])(message):
                    if isinstance(answer, bytes):
                        self.link._outbox.send((heard.sender,), answer)
                    else:
                        self.link.send(heard.sender, answer)
        self.link.close()


class OddGuest:
    """A peer that sends what it likes."""

    def __init__(self, code: str, *, secret: bytes | None = None) -> None:
        known = parse_code(code)
        self.link = PeerLink(known.address)
        self.send = self.link.send
        self.hello = messages.Hello(
            instance=b"%16d" % id(self), secret=known.secret if secret is None else secret, versions=dict(versions())
        )
        self.send(self.hello)
        self.heard: list[Message] = []

    def listen(self) -> list[Message]:
        """All that came so far."""
        self.heard += [decode(frame, FROM_HOST, most=MAX_HOST_BYTES) for frame in self.link.hear(0.0)]
        return self.heard

    def count(self, kind: type[Message]) -> int:
        return sum(isinstance(one, kind) for one in self.listen())

    def wait_for(self, kind: type[M], turn: Callable[[], object] = lambda: time.sleep(0.01)) -> M:
        """The first message of that kind, which is forgotten; `turn` is done between two looks."""
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            for message in self.listen():
                if isinstance(message, kind):
                    self.heard.remove(message)
                    return message
            turn()
        pytest.fail(f"expected {kind}")

    def sit(self, *seats: str, seed: int = 7) -> None:
        """Claim these seats, and say that it is ready."""
        players = {seat: messages.Player("odd", "random") for seat in seats}
        self.send(messages.Claim(seats=players, probe=first_digests(seed)))
        self.send(messages.Ready())


def raw(kind: str, **body: Any) -> bytes:
    """A frame with whatever values."""
    return pack((messages.VERSION, kind, body))
