"""Arrays of impossible sizes, types and values, by every encoding, to every loop that reads them; each comes twice."""

from __future__ import annotations

import struct
from contextlib import contextmanager

import msgpack
import numpy as np
import pytest
import zmq

from agents.seats.controller import ControllerError, Turn
from agents.wire.client import RemoteController
from agents.wire.control import EventSubscriber
from agents.wire.messages import ActionReply, Error, Hello, Welcome, decode, encode
from tests.support.attacks import OBSERVATION, SEAT, frame, greeting, wait_until


def array(
    dtype: int, sizes: list[int], data: bytes = b"", *, axes: int | None = None, kind: int = 1
) -> msgpack.ExtType:
    head = struct.pack(f"<BBxx{len(sizes)}I", dtype, len(sizes) if axes is None else axes, *sizes)
    return msgpack.ExtType(kind, head + bytes(-len(head) % 8) + data)


HUGE = 2**32 - 1
ARRAYS = {
    "overflow of the product": array(10, [HUGE] * 8),
    "empty, with huge sizes": array(10, [0, HUGE, HUGE, HUGE]),
    "empty, huge sizes first": array(10, [HUGE, HUGE, HUGE, 0]),
    "product that wraps to 4": array(10, [2**31, 2**31, 4], OBSERVATION.tobytes()),
    "more values than bytes": array(10, [5], OBSERVATION.tobytes()),
    "fewer values than bytes": array(10, [3], OBSERVATION.tobytes()),
    "dtype 255": array(255, [4], OBSERVATION.tobytes()),
    "255 axes": array(10, [4], OBSERVATION.tobytes(), axes=255),
    "axes beyond the bytes": msgpack.ExtType(1, b"\x0a\x08\0\0"),
    "no bytes": msgpack.ExtType(1, b""),
    "one byte": msgpack.ExtType(1, b"\x0a"),
    "another extension": array(10, [4], OBSERVATION.tobytes(), kind=2),
    "the timestamp extension": msgpack.ExtType(127, b"\xff" * 8),
    "NaN": array(10, [4], np.full(4, np.nan, np.float32).tobytes()),
    "float64": array(11, [4], np.zeros(4).tobytes()),
    "two axes": array(10, [2, 2], OBSERVATION.tobytes()),
    "no axis": array(10, [], b"\0\0\0\0"),
    "booleans of 255": array(0, [4], b"\xff" * 4),
    "nil": None,
    "text": "0000",
    "bytes": OBSERVATION.tobytes(),
    "a list": [0.0, 0.0, 0.0, 0.0],
    "nested lists": [[[[[[[[[[0.0]]]]]]]]]],
    "a map": {"0": 0.0},
    "a huge number": 2**64 - 1,
    "an infinite number": float("inf"),
    "NaN alone": float("nan"),
}


@contextmanager
def bound(kind):
    """A socket of ours without keys, and the address of it."""
    with zmq.Context.instance().socket(kind) as socket:
        socket.linger = 0
        yield socket, f"tcp://insecure@127.0.0.1:{socket.bind_to_random_port('tcp://127.0.0.1')}"


each = pytest.mark.parametrize("bad", ARRAYS.values(), ids=ARRAYS.keys())


@each
def test_a_policy_server_refuses_it_as_an_observation_and_as_a_mask(served, peer, bad):
    hostile = peer(served.endpoint)
    assert isinstance(hostile.ask(greeting()), Welcome)
    good = array(10, [4], OBSERVATION.tobytes())
    for body in ({"observation": bad}, {"observation": good, "mask": bad if bad is not None else "x"}):
        for _ in range(2):
            assert isinstance(hostile.ask(frame("act", {"seat": 1, "tick": 0, **body})), Error)
    served.play()


@each
def test_a_hello_takes_no_harm_from_it(served, peer, bad):
    hostile = peer(served.endpoint)
    whole = greeting().model_dump(exclude_none=True)
    for field in ("seat", "game", "agent", "observation", "action", "seed"):
        for _ in range(2):
            reply = hostile.ask(frame("hello", whole | {field: bad}))
            assert isinstance(reply, (Error, Welcome))
    served.play()


@each
def test_a_trainers_control_takes_no_harm_from_it(controlled, peer, bad):
    hostile = peer(controlled.endpoint)
    for body in ({"name": "stop", "params": bad}, {"name": bad}, {"name": "dance", "params": {"x": bad}}, bad):
        for _ in range(2):
            hostile.ask(frame("control", body))
    controlled.obeys()


@each
def test_a_subscriber_goes_on_to_the_next_event(bad):
    events = []
    with bound(zmq.PUB) as (publisher, address), EventSubscriber(address) as subscriber:

        def publish():
            publisher.send_multipart([b"metrics", frame("event", {"name": "metrics", "data": bad}, id=0)])
            publisher.send_multipart([b"metrics", frame("event", {"name": "metrics", "data": {"x": bad}}, id=0)])
            publisher.send_multipart([b"good", frame("event", {"name": "good", "data": {}}, id=0)])
            events.extend(event.name for event in subscriber.poll(0.05))

        wait_until(lambda: events.count("good") >= 2, publish)


@each
def test_a_players_match_is_told_that_the_server_is_no_good(bad):
    now = [0.0]
    with bound(zmq.ROUTER) as (server, address):
        remote = RemoteController(address, clock=lambda: now[0])
        remote.reset(SEAT, seed=1)
        remote.observe(Turn("one", 3, OBSERVATION))

        def serve():
            now[0] += 0.05
            if not server.poll(10):
                return
            client, data = server.recv_multipart()
            id, message = decode(data)
            reply = encode(Welcome(seat=message.seat, policy="x"), id=id) if isinstance(message, Hello) else None
            server.send_multipart([client, reply or frame("action", {"tick": 3, "action": bad}, id=id)])

        with pytest.raises(ControllerError, match="3 wrong answers"):
            wait_until(lambda: remote.act() is not None, serve)
        remote.close()


def test_a_good_reply_is_an_action():
    """The bytes of `frame` themselves are in order."""
    assert decode(frame("action", {"tick": 3, "action": 1}))[1] == ActionReply(3, 1, "")
