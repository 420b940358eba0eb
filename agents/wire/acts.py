"""Act and ActionReply, the two messages of every turn: checked by hand, written and read by fixed layout.

The layouts are msgpack like any other frame, with every int as a uint64 or int64 and every length as a uint32.  What
another client writes in msgpack's shorter forms is read the general way, in `messages`, with the same outcome.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from agents.wire.encoding import WireError, pack, pack_whole_array, read_whole_array, unpack

MAX_POLICY_NAME = 200  # characters
ACT_HEAD, REPLY_HEAD = b"\x94\x01\xa3act\xcf", b"\x94\x01\xa6action\xcf"
"""How a frame begins that may have the fixed layout: list of 4, version 1, the kind, a uint64 id."""

_ACT = struct.Struct(f">{len(ACT_HEAD)}sQ7sQ6sQ12s")
_ACT_KEYS = (ACT_HEAD, b"\x84\xa4seat\xcf", b"\xa4tick\xcf", b"\xabobservation")
_MASK, _NO_MASK = b"\xa4mask", b"\xa4mask\xc0"
_REPLY = struct.Struct(f">{len(REPLY_HEAD)}sQ7sQ8sq")
_REPLY_KEYS = (REPLY_HEAD, b"\x83\xa4tick\xcf", b"\xa6action\xd3")
_POLICY = b"\xa6policy"
_ENDS: dict[str, bytes] = {}  # a policy's name to the end of its replies
_NAMES: dict[bytes, str] = {}  # and back
_CACHE_LIMIT = 256


@dataclass(slots=True)
class Act:
    """On the hot path, so checked by hand."""

    KIND: ClassVar[str] = "act"
    seat: int
    tick: int
    observation: Any
    mask: Any = None

    def body(self) -> dict[str, Any]:
        return {"seat": self.seat, "tick": self.tick, "observation": self.observation, "mask": self.mask}

    @classmethod
    def read(cls, body: dict[str, Any]) -> Act:
        act = cls(body["seat"], body["tick"], body["observation"], body.get("mask"))
        if type(act.seat) is not int or type(act.tick) is not int:
            raise ValueError(f"expected seat and tick as ints, got: {act.seat!r} and {act.tick!r}")
        if not isinstance(act.observation, (np.ndarray, int, float)):
            raise ValueError(f"expected observation as an array, got a {type(act.observation).__name__}")
        if act.mask is not None and not (isinstance(act.mask, np.ndarray) and act.mask.ndim == 1):
            raise ValueError("expected mask as an array (n,) or nil, got something else")
        return act


@dataclass(slots=True)
class ActionReply:
    KIND: ClassVar[str] = "action"
    tick: int
    action: Any
    policy: str = ""

    def body(self) -> dict[str, Any]:
        return {"tick": self.tick, "action": self.action, "policy": self.policy}

    @classmethod
    def read(cls, body: dict[str, Any]) -> ActionReply:
        reply = cls(body["tick"], body["action"], body.get("policy", ""))
        if type(reply.tick) is not int or not isinstance(reply.policy, str) or len(reply.policy) > MAX_POLICY_NAME:
            raise ValueError("expected tick as an int and policy as a name, got something else")
        if not isinstance(reply.action, (int, float, list, dict, np.ndarray)):
            raise ValueError(f"expected action as an int or an array, got a {type(reply.action).__name__}")
        return reply


def write_act(act: Act, id: int) -> bytes:
    """The frame of an act whose observation is an array; raises WireError for what cannot travel."""
    mask = b"\xc0" if act.mask is None else pack_whole_array(act.mask)
    try:
        start = _ACT.pack(_ACT_KEYS[0], id, _ACT_KEYS[1], act.seat, _ACT_KEYS[2], act.tick, _ACT_KEYS[3])
    except struct.error as error:
        raise WireError(f"expected 0 <= id, seat, tick < 2**64, got: {error}") from error
    return b"".join((start, pack_whole_array(act.observation), _MASK, mask))


def write_reply(reply: ActionReply, id: int) -> bytes | None:
    """The frame of a reply whose action is an int; None where a number does not fit the layout."""
    try:
        start = _REPLY.pack(_REPLY_KEYS[0], id, _REPLY_KEYS[1], reply.tick, _REPLY_KEYS[2], reply.action)
    except struct.error:
        return None
    end = _ENDS.get(reply.policy)
    if end is None:
        end = _POLICY + pack(reply.policy)
        if len(_ENDS) < _CACHE_LIMIT:
            _ENDS[reply.policy] = end
    return start + end


def read_act(frame: bytes) -> tuple[int, Act] | None:
    """(id, act) of a frame in the layout of `write_act`; None for any other, good or bad."""
    if len(frame) < _ACT.size:
        return None
    head, id, seat_key, seat, tick_key, tick, key = _ACT.unpack_from(frame)
    if (head, seat_key, tick_key, key) != _ACT_KEYS or id >= 2**63:
        return None
    found = read_whole_array(frame, _ACT.size)
    if found is None:
        return None
    observation, end = found
    if frame[end:] == _NO_MASK:
        return id, Act(seat, tick, observation)
    if not frame.startswith(_MASK, end):
        return None
    found = read_whole_array(frame, end + len(_MASK))
    if found is None or found[1] != len(frame) or found[0].ndim != 1:
        return None
    return id, Act(seat, tick, observation, found[0])


def read_reply(frame: bytes) -> tuple[int, ActionReply] | None:
    """(id, reply) of a frame in the layout of `write_reply`; None for any other, good or bad."""
    if len(frame) < _REPLY.size:
        return None
    head, id, tick_key, tick, action_key, action = _REPLY.unpack_from(frame)
    if (head, tick_key, action_key) != _REPLY_KEYS or id >= 2**63:
        return None
    end = frame[_REPLY.size :]
    name = _NAMES.get(end)
    if name is None:
        name = _read_name(end)
        if name is None:
            return None
    return id, ActionReply(tick, action, name)


def _read_name(end: bytes) -> str | None:
    if not end.startswith(_POLICY):
        return None
    try:
        name = unpack(end[len(_POLICY) :])
    except WireError:
        return None
    if type(name) is not str or len(name) > MAX_POLICY_NAME:
        return None
    if len(_NAMES) < _CACHE_LIMIT:
        _NAMES[end] = name
    return name
