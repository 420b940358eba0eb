"""The messages of the wire, version 1; docs/build/protocol.md has the protocol, for clients in any language."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Unpack

import msgpack
import msgspec
import numpy as np
import pydantic
from pydantic import BaseModel, ConfigDict, Field

from agents.snapshots.card import MAX_ONNX_BYTES, ActionSignature, ObservationSignature
from agents.wire.encoding import WireError, pack, read_array, unpack
from agents.wire.limits import MAX_MESSAGE_BYTES, MAX_NAME

VERSION = 1
HEAD_BYTES = 256  # of a message, which hold version, kind and id

Name = Annotated[str, Field(max_length=MAX_NAME)]
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
    policy: Annotated[str, msgspec.Meta(max_length=MAX_NAME)] = ""

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
    agent: Name | Annotated[int, Field(strict=True)]
    policy: Name = ""
    observation: ObservationSignature
    action: ActionSignature
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None
    sticks: bool = False  # as in SeatSpec
    others: Annotated[dict[Name, ObservationSignature], Field(max_length=16)] = Field(default_factory=dict)
    """Of observations that the client can send instead, by type."""

    def observation_of(self, obs_type: str) -> ObservationSignature | None:
        """Return the signature of the observations of that type, "" for the usual ones; None where there are none."""
        return self.others.get(obs_type) if obs_type else self.observation


class Welcome(CheckedMessage, kind="welcome"):
    seat: SeatNumber
    policy: Name
    server: Name = ""
    obs_type: Name = ""  # the observations that it wants, of the hello's `others`; "": the usual ones


class Bye(CheckedMessage, kind="bye"):
    seat: SeatNumber


class ListSnapshots(CheckedMessage, kind="list"):
    game: Name = ""


class Snapshots(CheckedMessage, kind="snapshots"):
    cards: list[str]


class GetSnapshot(CheckedMessage, kind="get"):
    name: Name
    game: Name = ""
    offset: Annotated[int, Field(ge=0, le=MAX_ONNX_BYTES)] = 0


class SnapshotReply(CheckedMessage, kind="snapshot"):
    """A part of a snapshot; the card has the size of the whole."""

    card: str
    onnx: bytes
    offset: int = 0


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
    Hello | Welcome | Act | ActionReply | Bye | ListSnapshots | Snapshots | GetSnapshot | SnapshotReply | Control
    | Done | Event | Error
)  # fmt: skip


def _reader(kind: Any) -> Callable[[msgspec.Raw], Message]:
    if issubclass(kind, CheckedMessage):
        return lambda body: kind.model_validate(unpack(body))
    return msgspec.msgpack.Decoder(kind).decode


_ENVELOPE = msgspec.msgpack.Decoder(tuple[int, str, Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)], msgspec.Raw])
_READERS = {kind.KIND: (kind, _reader(kind)) for kind in Message.__args__}


def encode(message: Message, *, id: int = 0) -> bytes:
    """The frame of a message; raises ProtocolError for values that msgpack cannot encode."""
    body = message.model_dump(exclude_none=True) if isinstance(message, CheckedMessage) else message
    try:
        return pack((VERSION, message.KIND, id, body))
    except WireError as error:
        raise ProtocolError("malformed", str(error), id=id) from error


@functools.lru_cache(256)
def _error_body(code: str, text: str) -> msgspec.Raw:
    return msgspec.Raw(pack(Error(code=code, text=text).model_dump()))


def encode_error(code: str, text: str, *, id: int) -> bytes:
    """The frame of an Error; the same texts come again and again."""
    return pack((VERSION, Error.KIND, id, _error_body(code, text)))


def decode(
    frame: bytes, kinds: Sequence[type[Message]] | None = None, *, most: int = MAX_MESSAGE_BYTES
) -> tuple[int, Message]:
    """(id, message) of a frame, which must be one of `kinds`, None for all, and have at most so many bytes.

    Raises ProtocolError, and nothing else, for any other bytes; the body of another kind is not read.
    """
    if len(frame) > most:
        raise ProtocolError("too_large", f"expected at most {most} bytes, got {len(frame)}", id=id_of(frame))
    id, reader, body = _open(frame, kinds)
    try:
        return id, reader(body)
    except pydantic.ValidationError as error:
        raise ProtocolError("malformed", _first(error), id=id) from error
    except (ValueError, RecursionError) as error:
        raise ProtocolError("malformed", str(error), id=id) from error
    except Exception as error:  # bytes of a stranger must never end the loop that reads them
        raise ProtocolError("malformed", f"expected a message, got: {type(error).__name__}", id=id) from error


def _open(frame: bytes, kinds: Sequence[type[Message]] | None) -> tuple[int, Callable[[msgspec.Raw], Message], Any]:
    """The id, the reader and the bytes of a body; raises ProtocolError."""
    try:
        version, word, id, body = _ENVELOPE.decode(frame)
    except Exception as error:
        raise ProtocolError("malformed", f"expected [version, kind, id, body], got: {error}") from error
    if version != VERSION:
        raise ProtocolError("version", f"expected version {VERSION}, got: {version}", id=id)
    kind, reader = _READERS.get(word, (None, None))
    if reader is None or (kinds is not None and kind not in kinds):
        words = ", ".join(one.KIND for one in kinds or Message.__args__)
        raise ProtocolError("unknown_kind", f"expected one of {words}, got: {word[:80]!r}", id=id)
    return id, reader, body


def id_of(frame: bytes) -> int:
    """The id of a message that is too large to be read; 0 where it has none."""
    unpacker = msgpack.Unpacker(max_str_len=HEAD_BYTES)
    unpacker.feed(frame[:HEAD_BYTES])
    try:
        unpacker.read_array_header()
        unpacker.skip()
        unpacker.skip()
        id = unpacker.unpack()
    except Exception:  # noqa: BLE001  # any bytes may come
        return 0
    return id if type(id) is int and 0 <= id < 2**63 else 0


def _first(error: pydantic.ValidationError) -> str:
    first = error.errors(include_input=False, include_url=False)[0]
    return f"{'.'.join(str(part) for part in first['loc'])[:200]}: {first['msg']}"
