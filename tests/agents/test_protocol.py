"""Whatever bytes come, the decoder answers with a message or a ProtocolError; whatever it writes, it reads."""

from __future__ import annotations

import contextlib
import pickle
import struct

import msgpack
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from agents.snapshots.card import ActionSignature, ObservationSignature
from agents.wire.encoding import ARRAY_TYPE, DTYPES, WireError, pack, unpack
from agents.wire.messages import (
    Act,
    ActionReply,
    Control,
    Error,
    Event,
    Hello,
    Message,
    ProtocolError,
    decode,
    encode,
)

ARRAYS = hnp.arrays(
    dtype=st.sampled_from([np.dtype(name) for name in DTYPES] + [np.dtype(">f4"), np.dtype(">i8")]),
    shape=hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5),
)
NUMBERS = st.integers(0, 2**63 - 1)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text(max_size=20)
    | st.binary(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip
KINDS = {kind.KIND: kind for kind in Message.__args__}
FIELDS = ["seat", "tick", "observation", "mask", "action", "policy", "game", "agent", "transitions", "name", "params"]


def is_same(one, two):
    return one.dtype.newbyteorder("<") == two.dtype.newbyteorder("<") and np.array_equal(one, two, equal_nan=True)


@given(st.binary(max_size=300))
@settings(max_examples=400, deadline=None)
def test_random_bytes_never_crash(data):
    with pytest.raises(ProtocolError):
        decode(data)


@given(
    st.sampled_from(list(KINDS)),
    st.dictionaries(st.sampled_from(FIELDS), VALUES | ARRAYS, max_size=6),
    VALUES | ARRAYS,
)
@settings(max_examples=400, deadline=None)
def test_well_formed_nonsense_is_a_message_or_an_error(kind, body, id):
    for frame in ([1, kind, 5, body], [1, kind, id, body], [id, kind, 5, body], [1, id, 5, body], [1, kind, 5, id]):
        try:
            message = decode(pack(frame))[1]
        except (ProtocolError, WireError):  # WireError: the nonsense itself does not fit msgpack
            continue
        assert type(message) is KINDS[kind]


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_a_damaged_message_never_crashes(data):
    frame = bytearray(encode(Act(3, 4, np.ones((2, 3), np.float32), np.ones(5, np.int8)), id=9))
    for _ in range(data.draw(st.integers(1, 4))):
        frame[data.draw(st.integers(0, len(frame) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(ProtocolError):
        decode(bytes(frame[: data.draw(st.integers(0, len(frame)))]))


@pytest.mark.parametrize("spoil", ["longer", "shorter", "great id", "flat mask"])
def test_a_spoiled_turn_is_malformed(spoil):
    mask = np.ones((5, 1) if spoil == "flat mask" else 5, np.int8)
    for message in (Act(3, 4, np.ones(3, np.float32), mask), ActionReply(4, 2, "somebody")):
        frame = encode(message, id=2**63 if spoil == "great id" else 9)
        spoiled = {"longer": frame + b"\xc0", "shorter": frame[:-1]}.get(spoil, frame)
        if spoil == "flat mask" and isinstance(message, ActionReply):
            continue
        with pytest.raises(ProtocolError) as caught:
            decode(spoiled)
        assert caught.value.code == "malformed"


@given(NUMBERS, NUMBERS, NUMBERS, ARRAYS, st.none() | hnp.arrays(np.int8, st.integers(0, 9)))
@settings(deadline=None)
def test_an_act_comes_through_whole(id, seat, tick, observation, mask):
    for _ in range(2):  # the second time from the cache of headers
        found, act = decode(encode(Act(seat, tick, observation, mask), id=id))
        assert (found, act.seat, act.tick) == (id, seat, tick)
        assert is_same(act.observation, observation)
        assert (act.mask is None) == (mask is None)
        assert mask is None or is_same(act.mask, mask)


@given(ARRAYS)
@settings(deadline=None)
def test_arrays_come_through_whole(array):
    assert is_same(unpack(pack({"a": [array]}))["a"][0], array)


@given(NUMBERS, st.integers(-5, 5) | ARRAYS, st.text(max_size=50))
@settings(deadline=None)
def test_replies_and_events_come_through_whole(tick, action, policy):
    reply = decode(encode(ActionReply(tick, action, policy), id=1))[1]
    assert np.array_equal(reply.action, action, equal_nan=np.asarray(action).dtype.kind == "f")
    event = decode(encode(Event(name="metrics", data={policy: [1, 2.5, None]})))[1]
    assert event.data == {policy: [1, 2.5, None]}


def test_a_hello_with_infinite_bounds_comes_through():
    action = ActionSignature(kind="box", shape=(1,), dtype="float32", low=(-np.inf,), high=(np.inf,))
    hello = Hello(
        seat=1, game="a/b", agent=0, observation=ObservationSignature(shape=(2,), dtype="uint8"), action=action
    )
    assert decode(encode(hello, id=4)) == (4, hello)


def extension(dtype, sizes, data, kind=ARRAY_TYPE):
    header = struct.pack(f"<BBxx{len(sizes)}I", dtype, len(sizes), *sizes)
    return msgpack.ExtType(kind, header + bytes(-len(header) % 8) + data)


@pytest.mark.parametrize(
    "array",
    [
        extension(99, [1], b"0" * 8),
        extension(11, [2], b"0" * 8),
        extension(11, [2**32 - 1] * 8, b"0" * 8),
        extension(11, [0, 2**32 - 1, 2**32 - 1, 2**32 - 1], b""),
        extension(11, [1] * 9, b"0" * 8),
        extension(11, [1], b"0" * 8, kind=7),
        msgpack.ExtType(1, b""),
        msgpack.ExtType(1, b"\x0b\x08\0\0"),
    ],
)
def test_a_bad_array_is_malformed(array):
    with pytest.raises(ProtocolError, match=r"array|extension|msgpack|observation"):
        decode(msgpack.packb([1, "act", 5, {"seat": 1, "tick": 1, "observation": array}]))


def test_an_empty_array_of_huge_sizes_is_malformed_each_time_that_it_comes(huge_empty_act):
    for _ in range(3):
        with pytest.raises(ProtocolError) as caught:
            decode(huge_empty_act)
        assert caught.value.code == "malformed"


@pytest.mark.parametrize("place", range(4))
def test_an_array_in_place_of_a_part_of_the_envelope_is_refused(place):
    frame = [1, "act", 5, {}]
    frame[place] = np.ones(2)
    with pytest.raises(ProtocolError):
        decode(pack(frame))


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (list(range(5000)), "malformed"),
        (["x" * 70_000], "malformed"),
        ({str(i): i for i in range(2000)}, "malformed"),
        ([2, "act", 5, {}], "version"),
        ([1, "dance", 5, {}], "unknown_kind"),
        ([1, "act", -1, {}], "malformed"),
        ([1, "act", 5, {"seat": 1}], "malformed"),
        ([1, "act", 5, {"seat": True, "tick": 1, "observation": 1}], "malformed"),
        ([1, "log", 5, {"seat": 1, "transitions": []}], "unknown_kind"),
    ],
)
def test_what_is_beyond_a_limit_is_refused_with_its_code(value, code):
    with pytest.raises(ProtocolError) as caught:
        decode(msgpack.packb(value))
    assert caught.value.code == code


def test_deep_nesting_and_long_frames_are_refused():
    for data in (
        b"\x91" * 100_000,
        b"\x81\xa1a" * 50_000,
        b"\xdd\xff\xff\xff\xff",
        b"\xdc\x10\x00" * 5000,
        b"\xc7\x03\xff123",
    ):
        with pytest.raises(ProtocolError):
            decode(data)
    with pytest.raises(ProtocolError) as caught:
        decode(bytes(17 * 2**20))
    assert caught.value.code == "too_large"


def test_nothing_that_could_run_code_travels():
    with pytest.raises(ProtocolError):
        decode(pickle.dumps([1, "act", 5, {}]))
    for value in (object(), np.array([object()]), np.array(["text"]), np.zeros(2, complex)):
        with pytest.raises(ProtocolError):
            encode(Control(name="x", params={"value": value}))
        if isinstance(value, np.ndarray):
            with pytest.raises(ProtocolError):
                encode(Act(1, 1, value))


def test_a_field_that_is_not_known_is_ignored():
    assert decode(pack([1, "error", 3, {"code": "failed", "text": "x", "since": 2}]))[1] == Error(
        code="failed", text="x"
    )
