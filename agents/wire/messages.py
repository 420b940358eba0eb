"""The messages of the wire, version 1; docs/wire.md of the source has the protocol, for clients in any language."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Unpack

import msgspec
import numpy as np
import pydantic
from pydantic import BaseModel, ConfigDict, Field

from agents.snapshots.card import ActionSignature, ObservationSignature
from agents.wire.encoding import MAX_MESSAGE_BYTES, WireError, pack, read_array, unpack

VERSION = 1
MAX_TRANSITIONS = 256

Name = Annotated[str, Field(max_length=200)]
SeatNumber = Annotated[int, Field(ge=0, lt=2**63, strict=True)]


class ProtocolError(Exception):
    """A message that cannot be taken; `code` is one of the error codes of the protocol."""

    def __init__(self, code: str, text: str, *, id: int = 0) -> None:
        super().__init__(text)
        self.code, self.text, self.id = code, text, id


if TYPE_CHECKING:
    Number = Any
    Mask = Any
    Anything = Any
else:  # arrays as extensions, values of any type as bytes for `unpack`, which has limits
    Number = msgspec.msgpack.Ext | int | float | bool
    Mask = msgspec.msgpack.Ext | None
    Anything = msgspec.Raw


class Act(msgspec.Struct):
    """The request of every turn.  msgspec reads it several times as fast as pydantic would."""

    KIND: ClassVar[str] = "act"
    seat: int
    tick: int
    observation: Number
    mask: Mask = None

    def __post_init__(self) -> None:
        if type(self.observation) is msgspec.msgpack.Ext:
            self.observation = read_array(self.observation.code, self.observation.data)
        if type(self.mask) is msgspec.msgpack.Ext:
            self.mask = read_array(self.mask.code, self.mask.data)
            if self.mask.ndim != 1:
                raise ValueError(f"expected mask as an array (n,), got one of {self.mask.ndim} axes")


class ActionReply(msgspec.Struct):
    """The answer to an act."""

    KIND: ClassVar[str] = "action"
    tick: int
    action: Anything
    policy: Annotated[str, msgspec.Meta(max_length=200)] = ""

    def __post_init__(self) -> None:
        if type(self.action) is msgspec.Raw:
            self.action = unpack(self.action)
            if not isinstance(self.action, (int, float, list, dict, np.ndarray)):
                raise ValueError(f"expected action as an int or an array, got a {type(self.action).__name__}")


class CheckedMessage(BaseModel):
    """A message that is not on the hot path, with its `kind`: checked field by field by pydantic."""

    model_config = ConfigDict(frozen=True, extra="ignore", arbitrary_types_allowed=True)
    KIND: ClassVar[str]

    def __init_subclass__(cls, *, kind: str, **config: Unpack[ConfigDict]) -> None:
        super().__init_subclass__(**config)
        cls.KIND = kind


class Hello(CheckedMessage, kind="hello"):
    seat: SeatNumber
    game: Name
    agent: Annotated[str, Field(max_length=200)] | Annotated[int, Field(strict=True)]
    policy: Name = ""
    observation: ObservationSignature
    action: ActionSignature
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None


class Welcome(CheckedMessage, kind="welcome"):
    seat: SeatNumber
    policy: Name
    server: Name = ""


class Bye(CheckedMessage, kind="bye"):
    seat: SeatNumber


class Transition(BaseModel):
    """One decision of a seat, with its outcome."""

    model_config = ConfigDict(extra="ignore", arbitrary_types_allowed=True)
    tick: Annotated[int, Field(ge=0)]
    observation: Any
    mask: Any = None
    action: Any
    reward: float = 0.0
    terminated: bool = False
    truncated: bool = False


class Log(CheckedMessage, kind="log"):
    seat: SeatNumber
    transitions: Annotated[list[Transition], Field(max_length=MAX_TRANSITIONS)]
    source: Name = ""


class Logged(CheckedMessage, kind="logged"):
    count: Annotated[int, Field(ge=0)]


class ListSnapshots(CheckedMessage, kind="list"):
    game: Name = ""


class Snapshots(CheckedMessage, kind="snapshots"):
    cards: list[str]


class GetSnapshot(CheckedMessage, kind="get"):
    name: Name
    game: Name = ""


class SnapshotReply(CheckedMessage, kind="snapshot"):
    card: str
    onnx: bytes


class Control(CheckedMessage, kind="control"):
    name: Name
    params: dict[str, Any] = Field(default_factory=dict)


class Done(CheckedMessage, kind="done"):
    result: dict[str, Any] = Field(default_factory=dict)


class Event(CheckedMessage, kind="event"):
    name: Name
    data: dict[str, Any] = Field(default_factory=dict)


class Error(CheckedMessage, kind="error"):
    code: Name
    text: str = ""


Message = (
    Hello | Welcome | Act | ActionReply | Bye | Log | Logged | ListSnapshots | Snapshots | GetSnapshot
    | SnapshotReply | Control | Done | Event | Error
)  # fmt: skip


def _reader(kind: Any) -> Callable[[msgspec.Raw], Message]:
    if issubclass(kind, CheckedMessage):
        return lambda body: kind.model_validate(unpack(body))
    return msgspec.msgpack.Decoder(kind).decode


_ENVELOPE = msgspec.msgpack.Decoder(tuple[int, str, Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)], msgspec.Raw])
_READERS = {kind.KIND: _reader(kind) for kind in Message.__args__}


def encode(message: Message, *, id: int = 0) -> bytes:
    """The frame of a message; raises ProtocolError for values that msgpack cannot encode."""
    body = message.model_dump(exclude_none=True) if isinstance(message, CheckedMessage) else message
    try:
        return pack((VERSION, message.KIND, id, body))
    except WireError as error:
        raise ProtocolError("malformed", str(error), id=id) from error


def decode(frame: bytes) -> tuple[int, Message]:
    """(id, message) of a frame; raises ProtocolError alone for invalid bytes."""
    if len(frame) > MAX_MESSAGE_BYTES:
        raise ProtocolError("too_large", f"expected at most {MAX_MESSAGE_BYTES} bytes, got {len(frame)}")
    try:
        version, kind, id, body = _ENVELOPE.decode(frame)
    except (ValueError, RecursionError) as error:
        raise ProtocolError("malformed", f"expected [version, kind, id, body], got: {error}") from error
    if version != VERSION:
        raise ProtocolError("version", f"expected version {VERSION}, got: {version}", id=id)
    if kind not in _READERS:
        raise ProtocolError("unknown_kind", f"expected one of {', '.join(_READERS)}, got: {kind[:80]!r}", id=id)
    try:
        return id, _READERS[kind](body)
    except pydantic.ValidationError as error:
        raise ProtocolError("malformed", f"{kind}: {_first(error)}", id=id) from error
    except (ValueError, RecursionError) as error:
        raise ProtocolError("malformed", f"{kind}: {error}", id=id) from error


def _first(error: pydantic.ValidationError) -> str:
    first = error.errors(include_input=False, include_url=False)[0]
    return f"{'.'.join(str(part) for part in first['loc'])[:200]}: {first['msg']}"
