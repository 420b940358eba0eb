"""Whatever bytes come, `decode` returns a message or raises ProtocolError, each time that they come."""

from __future__ import annotations

import msgpack
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.wire import messages
from agents.wire.limits import MAX_REQUEST_BYTES
from agents.wire.messages import Act, ActionReply, Bye, Control, Done, Error, Event, ProtocolError, Welcome, decode
from agents.wire.public_text import public_text
from tests.support.attacks import OBSERVATION, greeting

KINDS = messages.Message.__args__
GOOD = [
    messages.encode(one, id=9)
    for one in (
        greeting(),
        Welcome(seat=1, policy="x"),
        Act(3, 4, np.ones((2, 3), np.float32), np.ones(5, np.int8)),
        Act(3, 4, OBSERVATION),
        ActionReply(4, np.arange(3), "somebody"),
        ActionReply(4, 2),
        Bye(seat=1),
        messages.ListSnapshots(game="a/b"),
        messages.GetSnapshot(name="latest", offset=7),
        messages.SnapshotReply(card="{}", onnx=b"123"),
        Control(name="stop", params={"a": [1, None, {"b": np.zeros(2)}]}),
        Done(result={"state": "running"}),
        Event(name="metrics", data={"x": 0.5, "y": np.zeros((2, 2))}),
        Error(code="failed", text="x"),
    )
]


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A good message with bytes changed, inserted, removed, repeated, or two of them joined."""
    data = bytearray(draw(st.sampled_from(GOOD)))
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, max(0, len(data) - 1)))
        until = at + draw(st.integers(0, 9))
        match draw(st.sampled_from(("change", "insert", "remove", "repeat", "join"))):
            case "change" if data:
                data[at] = draw(st.integers(0, 255))
            case "insert":
                data[at:at] = draw(st.binary(max_size=9))
            case "remove":
                del data[at:until]
            case "repeat":
                data[at:at] = data[at:until] * draw(st.integers(1, 50))
            case "join":
                other = draw(st.sampled_from(GOOD))
                data[at:] = other[draw(st.integers(0, len(other))) :]
    return bytes(data)


@st.composite
def extension(draw: st.DrawFn) -> bytes:
    """A message whose array has a header of any numbers."""
    sizes = draw(st.lists(st.integers(0, 2**32 - 1) | st.integers(0, 4), max_size=10))
    head = bytes([draw(st.integers(0, 255)), draw(st.integers(0, 255) | st.just(len(sizes))), 0, 0])
    head += b"".join(size.to_bytes(4, "little") for size in sizes)
    data = head + bytes(-len(head) % 8) + draw(st.binary(max_size=64))
    array = msgpack.ExtType(draw(st.just(1) | st.integers(0, 127)), data)
    kind, field = draw(st.sampled_from([("act", "observation"), ("act", "mask"), ("action", "action")]))
    whole = {"seat": 1, "tick": 2, "observation": 0, "action": 0}
    packed: bytes = msgpack.packb([1, kind, 3, whole | {field: array}])
    return packed


def outcome(data: bytes, kinds: list[type[messages.Message]] | None) -> tuple[str, int]:
    """The kind of message or the code of the error, and the id."""
    try:
        id, message = decode(data, kinds, most=MAX_REQUEST_BYTES)
    except ProtocolError as error:
        reply = Error(code=error.code, text=public_text(error.text))
        decode(messages.encode(reply, id=error.id))
        return error.code, error.id
    assert kinds is None or type(message) in kinds
    return message.KIND, id


@given(mutated() | extension() | st.binary(max_size=400), st.none() | st.lists(st.sampled_from(KINDS), max_size=4))
@settings(max_examples=300, deadline=None)
def test_any_bytes_are_a_message_or_a_protocol_error(data, kinds):
    first = outcome(data, kinds)
    assert first == outcome(data, kinds), "and the same again, from the caches"
