"""The messages of the wire, version 1; docs/wire.md of the source has the protocol, for clients in any language."""

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
    """A message that cannot be taken; `code` is one of the error codes of the protocol."""

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
