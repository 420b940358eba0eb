"""Messages of the wire, and what servers and seats do with them first."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
from gymnasium import spaces

from agents.seats.controller import SeatSpec
from agents.spaces import action_signature, conform, observation_signature
from agents.wire.encoding import WireError, unpack
from agents.wire.messages import (
    Act,
    ActionReply,
    Bye,
    Control,
    Done,
    Error,
    Event,
    GetSnapshot,
    Hello,
    ListSnapshots,
    Message,
    ProtocolError,
    SnapshotReply,
    Snapshots,
    Welcome,
    decode,
    encode,
    id_of,
)
from agents.wire.peers import Peers
from agents.wire.served_policies import FunctionPolicies
from agents.wire.served_seats import ServedSeats
from tests.fuzz.parser import Parser

_ACTIONS = (
    spaces.Discrete(5),
    spaces.Discrete(3, start=-1),
    spaces.Box(-1, 1, (2, 2), np.float32),
    spaces.Box(0, 255, (3,), np.uint8),
    spaces.MultiDiscrete([3, 4]),
    spaces.MultiBinary(4),
    spaces.Dict({"a": spaces.Discrete(2)}),
)
_OBSERVATIONS = spaces.Box(-1, 1, (4,), np.float32)


def read(data: bytes) -> None:
    """Decode the bytes as a value and as a message, and act on the message."""
    with suppress(WireError):
        unpack(data)
    id_of(data)
    id, message = decode(data)
    decode(encode(message, id=id))
    if isinstance(message, ActionReply):
        _conform(message.action)
    elif isinstance(message, Hello):
        FunctionPolicies(_play).find(message)
    elif isinstance(message, Act):
        _SEAT.fault(message)


def _play(observation: Any) -> int:
    return 0


def _conform(action: Any) -> None:
    for space in _ACTIONS:
        with suppress(ValueError):
            conform(action, space, np.array([1, 0, 1, 0, 1], np.int8) if space is _ACTIONS[0] else None)


def _hello(space: Any = _ACTIONS[0]) -> Hello:
    seat = SeatSpec(game="house/volley", agent="left_0", observation_space=_OBSERVATIONS, action_space=space)
    return Hello(
        seat=1,
        game=seat.game,
        agent="left_0",
        policy="latest",
        observation=observation_signature(_OBSERVATIONS),
        action=action_signature(space),
        seed=3,
    )


def _messages() -> dict[str, Message]:
    observation, mask = np.zeros(4, np.float32), np.ones(5, np.int8)
    return {
        "hello": _hello(),
        "hello-box": _hello(_ACTIONS[2]),
        "hello-multi": _hello(_ACTIONS[4]),
        "hello-binary": _hello(_ACTIONS[5]),
        "welcome": Welcome(seat=1, policy="ppo-7", server="policy server"),
        "act": Act(1, 2, observation, mask),
        "act-image": Act(1, 2, np.zeros((2, 3, 3), np.uint8)),
        "act-number": Act(1, 2, 3),
        "action": ActionReply(2, 4, "ppo-7"),
        "action-array": ActionReply(2, np.zeros((2, 2), np.float32), "ppo-7"),
        "action-list": ActionReply(2, [1, 2, [True, None, "x"]], "ppo-7"),
        "bye": Bye(seat=1),
        "list": ListSnapshots(game="house/volley"),
        "snapshots": Snapshots(cards=["{}"]),
        "get": GetSnapshot(name="ppo-7", game="house/volley", offset=65536),
        "snapshot": SnapshotReply(card="{}", onnx=b"\x08\x0a", offset=0),
        "control": Control(name="stop", params={"now": True, "speed": 1.5, "array": mask}),
        "done": Done(result={"steps": 2**40}),
        "event": Event(name="metrics", data={"loss": {"value": [0.5, -1e300]}}),
        "error": Error(code="mismatch", text="expected 4 values, got 3"),
    }


def make_seeds() -> dict[str, bytes]:
    """A message of each kind."""
    return {name: encode(message, id=7) for name, message in _messages().items()}


_SEAT = ServedSeats().open((b"client", 1), _hello(), FunctionPolicies(_play), Peers().of(b"client", 0.0), 0.0)

PARSER = Parser(
    "wire",
    read,
    (ProtocolError,),
    make_seeds,
    (
        b"\xc1", b"\xc0", b"\xc7\x0c\x01", b"\xc9\xff\xff\xff\xff\x01", b"\xd8\x01", b"\xdd\xff\xff\xff\xff",
        b"\x91" * 40,
        b"\xdf\xff\xff\xff\xff", b"\xcb\x7f\xf8\0\0\0\0\0\0", b"\xcb\x7f\xf0\0\0\0\0\0\0", b"\xcf" + b"\xff" * 8,
        b"\x0a\x08\0\0", b"\xa6discrete", b"\xabmulti_binary", b"\xaemulti_discrete", b"\xa3box", b"\xa4nvec",
        b"\xa5shape", b"\xa5dtype", b"\xa3low", b"\xa4high", b"\xa7float32", b"\xa4bool", b"\xa5start", b"\xa1n",
        b"\xa4mask", b"\xa6params",
    ),
)  # fmt: skip
