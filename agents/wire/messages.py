"""The wire: every message between a seat, a policy server, a trainer and the arcade.  Version 1.

One page, enough to write a client in any language.

TRANSPORT  ZeroMQ 4, sockets DEALER (client) to ROUTER (server) for requests and replies, PUB to SUB for events.  A
message is one frame, with no empty frame before it; a server also takes and mirrors the empty frame of a REQ.
Servers bind to loopback unless told otherwise: nothing on the wire is encrypted or authenticated.

FRAME      One msgpack list ``[version, kind, id, body]``: version int; kind str; id int, 0 <= id < 2**63, chosen by the
client and repeated in the reply; body a map with str keys.  Keys that are not known are ignored, so that fields may
be added within a version; a missing required key is an error.  An event has topic as a frame of its own before it
(its name, UTF-8, for SUB's filter) and id 0.

ARRAY      msgpack extension type 1, all little-endian: byte 0 the dtype, an index into bool int8 uint8 int16 uint16
int32 uint32 int64 uint64 float16 float32 float64; byte 1 the number of axes d <= 8; bytes 2-3 zero; d sizes as
uint32; zero bytes up to a multiple of 8; then the values, last axis fastest.

LIMITS     message 16 MiB (256 MiB + 1 MiB for a ``snapshot`` reply), str 65,536 bytes, list 4,096 entries, map 1,024
entries; names 200 characters; 256 transitions in a log.  A larger message may close the connection.

REQUESTS (client to server) and what answers them
  hello      seat int (any number of the client's; several seats may share a socket), game str, agent str or int,
             policy str ("" for the server's own choice, "latest", "best" or a name), observation {shape [int], dtype
             str}, action {kind "discrete" n [start] | "box" shape dtype low high | "multi_discrete" nvec [shape] |
             "multi_binary" n [shape]}, seed int or nil.  Opens or reopens the seat: a new episode, memory cleared;
             all that is drawn for the seat in it follows from the seed, whoever else plays.
             -> welcome: seat, policy str (the name of what will play), server str
  act        seat int, tick int, observation array, mask array int8 (n,) or nil
             -> action: tick, action int or array, policy str.  Of several acts of one seat that wait together only
             the newest is answered.
  bye        seat int.  No answer; the seat is forgotten.
  log        seat int, transitions [{tick, observation, mask or nil, action, reward float, terminated bool,
             truncated bool}], source str ("human", a policy's name, ...).  Kept as demonstrations.
             -> logged: count int, how many are kept; refused where the server keeps none
  list       game str ("" for all)                       -> snapshots: cards [str], JSON of each SnapshotCard
  get        name str (or "latest", "best"), game str    -> snapshot: card str, JSON; onnx bin
  control    name str, params map                        -> done: result map
  any of these may be answered by
             error: code str, text str (for people)

CODES      malformed (no such frame, a field missing or of a wrong type), too_large, version, unknown_kind,
unknown_seat (say hello first: a server that was replaced knows nobody), no_policy, mismatch (signature and policy, or
array and signature), failed (the policy raised), refused (not offered here, or not now).

EVENTS     event: name str, data map.  From a trainer: snapshot_frozen {name, game, step}, metrics {...}, win_rates
{...}, status {state "running" | "paused" | "stopped", step}.

TIME       No message blocks its sender.  A client sends the act of each tick when the tick is there, takes what has
come when the action is due and else plays its last action; replies that come later carry their tick.  A client that
has heard nothing for a second says hello again, at most once a second, and sends no act until something is heard.

VERSION    A frame of another version is answered with error ``version``, whose text names those spoken, in a frame of
version 1.  Fields are added without a new version; a changed meaning needs one.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import numpy as np
import pydantic
from pydantic import BaseModel, ConfigDict, Field

from agents.snapshots.card import ActionSignature, ObservationSignature
from agents.wire.acts import ACT_HEAD, REPLY_HEAD, Act, ActionReply, read_act, read_reply, write_act, write_reply
from agents.wire.encoding import MAX_MESSAGE_BYTES, WireError, pack, unpack

VERSION = 1
MAX_TRANSITIONS = 256

Name = Annotated[str, Field(max_length=200)]
SeatNumber = Annotated[int, Field(ge=0, lt=2**63, strict=True)]


class ProtocolError(Exception):
    """A message that cannot be taken; `code` is one of CODES in the module's text."""

    def __init__(self, code: str, text: str, *, id: int = 0) -> None:
        super().__init__(text)
        self.code, self.text, self.id = code, text, id


class CheckedMessage(BaseModel):
    """A message that is not on the hot path: checked field by field by pydantic."""

    model_config = ConfigDict(frozen=True, extra="ignore", arbitrary_types_allowed=True)
    KIND: ClassVar[str] = ""

    def body(self) -> dict[str, Any]:
        return self.model_dump(exclude_none=True)

    @classmethod
    def read(cls, body: dict[str, Any]) -> Any:
        return cls.model_validate(body)


class Hello(CheckedMessage):
    KIND: ClassVar[str] = "hello"
    seat: SeatNumber
    game: Name
    agent: Annotated[str, Field(max_length=200)] | Annotated[int, Field(strict=True)]
    policy: Name = ""
    observation: ObservationSignature
    action: ActionSignature
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None


class Welcome(CheckedMessage):
    KIND: ClassVar[str] = "welcome"
    seat: SeatNumber
    policy: Name
    server: Name = ""


class Bye(CheckedMessage):
    KIND: ClassVar[str] = "bye"
    seat: SeatNumber


class Transition(BaseModel):
    """One decision that a seat took, and what came of it."""

    model_config = ConfigDict(extra="ignore", arbitrary_types_allowed=True)
    tick: Annotated[int, Field(ge=0)]
    observation: Any
    mask: Any = None
    action: Any
    reward: float = 0.0
    terminated: bool = False
    truncated: bool = False


class Log(CheckedMessage):
    KIND: ClassVar[str] = "log"
    seat: SeatNumber
    transitions: Annotated[list[Transition], Field(max_length=MAX_TRANSITIONS)]
    source: Name = ""


class Logged(CheckedMessage):
    KIND: ClassVar[str] = "logged"
    count: Annotated[int, Field(ge=0)]


class ListSnapshots(CheckedMessage):
    KIND: ClassVar[str] = "list"
    game: Name = ""


class Snapshots(CheckedMessage):
    KIND: ClassVar[str] = "snapshots"
    cards: list[str]


class GetSnapshot(CheckedMessage):
    KIND: ClassVar[str] = "get"
    name: Name
    game: Name = ""


class SnapshotReply(CheckedMessage):
    KIND: ClassVar[str] = "snapshot"
    card: str
    onnx: bytes


class Control(CheckedMessage):
    KIND: ClassVar[str] = "control"
    name: Name
    params: dict[str, Any] = Field(default_factory=dict)


class Done(CheckedMessage):
    KIND: ClassVar[str] = "done"
    result: dict[str, Any] = Field(default_factory=dict)


class Event(CheckedMessage):
    KIND: ClassVar[str] = "event"
    name: Name
    data: dict[str, Any] = Field(default_factory=dict)


class Error(CheckedMessage):
    KIND: ClassVar[str] = "error"
    code: Name
    text: str = ""


Message = (
    Hello | Welcome | Act | ActionReply | Bye | Log | Logged | ListSnapshots | Snapshots | GetSnapshot
    | SnapshotReply | Control | Done | Event | Error
)  # fmt: skip
KINDS: dict[str, type[Message]] = {kind.KIND: kind for kind in Message.__args__}


def encode(message: Message, *, id: int = 0) -> bytes:
    """The frame of a message; raises ProtocolError where it holds what cannot travel."""
    try:
        if type(message) is ActionReply:
            if type(message.action) is int and (frame := write_reply(message, id)) is not None:
                return frame
        elif type(message) is Act and type(message.observation) is np.ndarray:
            return write_act(message, id)
        return pack((VERSION, message.KIND, id, message.body()))
    except WireError as error:
        raise ProtocolError("malformed", str(error), id=id) from error


def decode(frame: bytes, *, limit: int = MAX_MESSAGE_BYTES) -> tuple[int, Message]:
    """(id, message) of a frame; raises ProtocolError, never anything else, for whatever bytes come."""
    if len(frame) > limit:
        raise ProtocolError("too_large", f"expected at most {limit} bytes, got {len(frame)}")
    return _read_turn(frame) or _read_any(frame, limit)


def _read_turn(frame: bytes) -> tuple[int, Message] | None:
    """An act or its answer in the layout that a seat and a server of ours write 60 times a second, else None."""
    if frame.startswith(ACT_HEAD):
        return read_act(frame)
    return read_reply(frame) if frame.startswith(REPLY_HEAD) else None


def _read_any(frame: bytes, limit: int) -> tuple[int, Message]:
    try:
        value = unpack(frame, limit=limit)
    except WireError as error:
        raise ProtocolError("malformed", str(error)) from error
    kind, id, body = _envelope(value)
    try:
        return id, KINDS[kind].read(body)
    except KeyError as error:
        raise ProtocolError("malformed", f"expected {error} in {kind}, got none", id=id) from error
    except pydantic.ValidationError as error:
        raise ProtocolError("malformed", f"{kind}: {_first(error)}", id=id) from error
    except (ValueError, TypeError, RecursionError) as error:
        raise ProtocolError("malformed", f"{kind}: {error}", id=id) from error


def _envelope(value: Any) -> tuple[str, int, dict[str, Any]]:
    if type(value) is not list or len(value) != 4:
        raise ProtocolError("malformed", "expected [version, kind, id, body], got something else")
    version, kind, id, body = value
    if type(id) is not int or not 0 <= id < 2**63:
        raise ProtocolError("malformed", "expected id as an int from 0 to 2**63 - 1, got something else")
    if type(version) is not int or version != VERSION:  # an array compares to an array
        raise ProtocolError("version", f"expected version {VERSION}, got: {_quoted(version)}", id=id)
    if type(kind) is not str or kind not in KINDS:
        raise ProtocolError("unknown_kind", f"expected one of {', '.join(KINDS)}, got: {_quoted(kind)}", id=id)
    if type(body) is not dict:
        raise ProtocolError("malformed", f"expected a map as the body of {kind}, got something else", id=id)
    return kind, id, body


def _first(error: pydantic.ValidationError) -> str:
    first = error.errors(include_input=False, include_url=False)[0]
    return f"{'.'.join(str(part) for part in first['loc'])[:200]}: {first['msg']}"


def _quoted(value: Any) -> str:
    return repr(value)[:80] if isinstance(value, (str, int, float, bool)) else f"a {type(value).__name__}"
