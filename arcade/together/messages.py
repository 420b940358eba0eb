"""The messages of a session, version 1; docs/build/online-protocol.md of the source has the protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, TypeVar

import msgspec

from agents.wire.encoding import WireError, pack, unpack
from agents.wire.messages import ProtocolError

T = TypeVar("T")

VERSION = 1
MAX_PEERS = 8
_NUMBERS = frozenset(map(str, range(MAX_PEERS + 1)))
MAX_PEER_BYTES = 64 * 2**10  # a message to the host
MAX_HOST_BYTES = 2**20  # a message of the host
MAX_TICKS = 1024  # of one message
MAX_SEATS = 256
MAX_TEXT = 400
MAX_SEEN_BYTES = 2**18  # of an observation, compressed
MAX_SIDE = 4096  # rows or columns of a picture
MAX_WORDS = 2**14

Line = Annotated[str, msgspec.Meta(max_length=80)]
Text = Annotated[str, msgspec.Meta(max_length=MAX_TEXT)]
Count = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]
Number = Annotated[int, msgspec.Meta(ge=0, le=MAX_PEERS)]
Digest = Annotated[int, msgspec.Meta(ge=0, lt=2**32)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=86_400)]  # so that NaN and infinity are refused
Moment = Annotated[float, msgspec.Meta(ge=-1e12, le=1e12)]  # on the sender's clock
Rate = Annotated[float, msgspec.Meta(ge=0, le=10_000)]
Versions = Annotated[dict[Line, Line], msgspec.Meta(max_length=64)]


def printable(text: str) -> str:
    """A text of another machine as people may see it: without control characters, which a terminal would obey."""
    return "".join(letter for letter in text if letter.isprintable())


def by_number(found: dict[str, T]) -> dict[str, T]:
    """What belongs to machines, without what is at no machine's number."""
    return {number: one for number, one in found.items() if number in _NUMBERS}


class Message(msgspec.Struct):
    """A message, with its `kind`; `encode` and `decode` carry it."""

    KIND: ClassVar[str] = ""


class Player(msgspec.Struct, frozen=True):
    """A player in a seat, as its own machine describes it."""

    label: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    kind: Line
    rated: bool = True
    peer: Number = 0  # the number of its machine, by the host

    @property
    def name(self) -> str:
        """The printable characters of the label."""
        return printable(self.label) or "?"


Players = Annotated[dict[Line, Player], msgspec.Meta(max_length=MAX_SEATS)]
"""Agent id as text → player."""


class Place(msgspec.Struct, frozen=True):
    """Where a machine can be reached, should it become the host."""

    host: Text
    port: Annotated[int, msgspec.Meta(gt=0, lt=2**16)]
    key: Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]


class Hello(Message):
    KIND: ClassVar[str] = "hello"
    instance: Annotated[bytes, msgspec.Meta(min_length=8, max_length=64)]
    port: Annotated[int, msgspec.Meta(ge=0, lt=2**16)] = 0  # where it listens, should it become the host; 0: nowhere
    number: Annotated[int, msgspec.Meta(ge=-1, le=MAX_PEERS)] = -1  # that it has in the match already
    sealed: Count = 0  # ticks that it has
    secret: Annotated[bytes, msgspec.Meta(max_length=64)] = b""
    name: Line = ""
    versions: Versions = {}


class Welcome(Message):
    KIND: ClassVar[str] = "welcome"
    peer: Number
    match: Line
    game: Line
    seed: Annotated[int, msgspec.Meta(ge=0, lt=2**32)]
    kwargs: dict[str, Any] = {}
    rate: Rate = 0.0  # ticks a second; 0: as fast as inputs come
    max_ticks: Count = 0  # 0: until the game ends
    grace: Seconds = 60.0
    versions: Versions = {}
    free: Annotated[list[Line], msgspec.Meta(max_length=MAX_SEATS)] = []  # seats that this peer may have
    begun: bool = False
    takeable: Annotated[list[Line], msgspec.Meta(max_length=MAX_SEATS)] = []  # AI seats, in mid-match
    next: Count = 0  # the first tick without an input of this peer
    host: Number = 0  # the number of the host
    era: Count = 0  # how many hosts there were before
    kept: Annotated[int, msgspec.Meta(ge=-1, lt=2**53)] = -1  # ticks of earlier eras that count; -1: all
    channel: Annotated[bytes, msgspec.Meta(max_length=8)] = b""  # the name of its datagrams, b"" for none
    channel_key: Annotated[bytes, msgspec.Meta(max_length=32)] = b""
    mode: Line = "inputs"  # of `modes.MODES`
    commitment: Annotated[bytes, msgspec.Meta(max_length=32)] = b""  # to the seed, where `seed` is for the probe alone


class Refused(Message):
    KIND: ClassVar[str] = "refused"
    code: Line
    text: Text = ""


class Claim(Message):
    KIND: ClassVar[str] = "claim"
    seats: Players = {}
    probe: Annotated[list[Digest], msgspec.Meta(max_length=64)] = []


class Choose(Message):
    """Before a claim: the seats that this machine has chosen so far."""

    KIND: ClassVar[str] = "choose"
    seats: Players = {}


class Lobby(Message):
    KIND: ClassVar[str] = "lobby"
    lineup: Players = {}
    chosen: Players = {}  # seats that machines have chosen, but not claimed yet
    names: Annotated[dict[Line, Line], msgspec.Meta(max_length=MAX_PEERS + 1)] = {}  # of the machines, by number
    ready: Annotated[list[Number], msgspec.Meta(max_length=MAX_PEERS)] = []  # machines that wait for the others
    places: Annotated[dict[Line, Place], msgspec.Meta(max_length=MAX_PEERS + 1)] = {}
    """Of machines that can become the host, by number."""

    relay: Text = ""  # HOST:PORT of the one by which they are reached; "": directly


class Ready(Message):
    KIND: ClassVar[str] = "ready"


class Begin(Message):
    KIND: ClassVar[str] = "begin"
    lineup: Players
    next: Count = 0
    peer: Annotated[int, msgspec.Meta(ge=-1, le=MAX_PEERS)] = -1  # the receiver's number; -1: as in the welcome


class Handover(Message):
    """From that tick on another player decides a seat."""

    KIND: ClassVar[str] = "handover"
    tick: Count
    seat: Line
    player: Player


class Input(Message):
    KIND: ClassVar[str] = "input"
    tick: Count
    seats: Annotated[dict[Line, Annotated[list[Any], msgspec.Meta(max_length=MAX_TICKS)]],
                     msgspec.Meta(max_length=MAX_SEATS)]  # fmt: skip


class Foretold(Message):
    KIND: ClassVar[str] = "foretold"
    tick: Count
    seats: Annotated[dict[Line, Annotated[list[Any], msgspec.Meta(max_length=MAX_TICKS)]],
                     msgspec.Meta(max_length=MAX_SEATS)]  # fmt: skip


class Want(Message):
    KIND: ClassVar[str] = "want"
    tick: Count


class Ticks(Message):
    KIND: ClassVar[str] = "ticks"
    first: Count
    inputs: Annotated[list[list[Any]], msgspec.Meta(max_length=MAX_TICKS)] = []  # seat, action, seat, action …


class SeatView(msgspec.Struct, frozen=True):
    """What one seat sees, and may do."""

    seen: Annotated[bytes, msgspec.Meta(max_length=MAX_SEEN_BYTES)] = b""  # its observation, packed; b"" for none
    mask: Annotated[bytes, msgspec.Meta(max_length=MAX_SEEN_BYTES)] = b""  # its legal actions, packed; b"" for all
    table: Any = None  # what it knows of a table that is drawn


class Picture(msgspec.Struct, frozen=True):
    """A picture, or its difference from the one before."""

    rows: Annotated[int, msgspec.Meta(gt=0, le=MAX_SIDE)]
    columns: Annotated[int, msgspec.Meta(gt=0, le=MAX_SIDE)]
    number: Count
    whole: bool
    data: Annotated[bytes, msgspec.Meta(max_length=MAX_HOST_BYTES)]  # Zstandard


class View(Message):
    """One tick, as the receiver may know it."""

    KIND: ClassVar[str] = "view"
    tick: Count
    acting: Annotated[list[Line], msgspec.Meta(max_length=MAX_SEATS)]
    returns: Annotated[dict[Line, Moment], msgspec.Meta(max_length=MAX_SEATS)] = {}  # sums of rewards up to now
    ends: Annotated[dict[Line, Line], msgspec.Meta(max_length=MAX_SEATS)] = {}  # of seats, "terminated" or "truncated"
    score: Annotated[list[Moment | None], msgspec.Meta(max_length=MAX_SEATS)] = []
    seats: Annotated[dict[Line, SeatView], msgspec.Meta(max_length=MAX_SEATS)] = {}  # of the receiver
    table: Any = None  # as a spectator knows it
    picture: Picture | None = None
    text: Annotated[str, msgspec.Meta(max_length=MAX_WORDS)] = ""  # of a game that shows words


class Reveal(Message):
    """What was secret before the end."""

    KIND: ClassVar[str] = "reveal"
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
    nonce: Annotated[bytes, msgspec.Meta(max_length=64)] = b""
    actions: Line = ""  # the digest of all actions


class Digests(Message):
    KIND: ClassVar[str] = "digests"
    first: Count
    values: Annotated[list[Digest], msgspec.Meta(max_length=MAX_TICKS)]
    run: Count = 0


class Differs(Message):
    KIND: ClassVar[str] = "differs"
    tick: Count
    parts: dict[str, str | int] = {}
    run: Count = 0


class Diverged(Message):
    KIND: ClassVar[str] = "diverged"
    tick: Count
    what: Text = ""


class Phrase(Message):
    KIND: ClassVar[str] = "phrase"
    number: Count  # of `phrases.PHRASES`
    peer: Number = 0  # who says it, by the host


class Ping(Message):
    KIND: ClassVar[str] = "ping"
    sent: Moment
    at: Count = 0  # the sender's present tick
    slowest: Seconds = 0.0  # the longest round trip between the host and a peer
    sealed: Count = 0  # ticks that the host has sealed
    next: Count = 0  # the first tick for which the host has no input of the receiver
    compared: Count = 0  # digests of the receiver that the host has


class Pong(Message):
    KIND: ClassVar[str] = "pong"
    sent: Moment


class Absent(Message):
    KIND: ClassVar[str] = "absent"
    peer: Number
    seconds: Seconds  # left to come back


class Back(Message):
    KIND: ClassVar[str] = "back"
    peer: Number


class Leave(Message):
    KIND: ClassVar[str] = "leave"
    cause: Line = ""  # of `reasons.FROM_GUEST`, "" where the machine has simply left
    seat: Line = ""  # that cannot play on
    detail: Text = ""


class End(Message):
    KIND: ClassVar[str] = "end"
    tick: Count
    ended: Line
    loser: Line = ""
    why: Text = ""  # in the host's language
    cause: Line = ""  # of `reasons.REASONS`, "" for another reason
    machine: Number = 0  # that is the cause
    seat: Line = ""  # of it that is
    detail: Text = ""  # in no player's language


class Moved(Message):
    """To a host that was lost: the match has another one."""

    KIND: ClassVar[str] = "moved"
    host: Number


class Signature(msgspec.Struct, frozen=True):
    """Of a result, by Ed25519."""

    key: Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
    text: Annotated[bytes, msgspec.Meta(min_length=64, max_length=64)]


class Result(Message):
    KIND: ClassVar[str] = "result"
    ticks: Count
    actions: Line
    placements: Annotated[dict[Line, Count], msgspec.Meta(max_length=MAX_SEATS)]
    signature: Signature | None = None


class Agreed(Message):
    KIND: ClassVar[str] = "agreed"
    ok: bool
    why: Text = ""  # in the host's language
    machine: Annotated[int, msgspec.Meta(ge=-1, le=MAX_PEERS)] = -1  # whose result is another one
    signatures: Annotated[dict[Line, Signature], msgspec.Meta(max_length=MAX_PEERS)] = {}  # by number of the machine


_KINDS: dict[str, type[Message]] = {kind.KIND: kind for kind in Message.__subclasses__()}
FROM_PEER = (
    Hello, Choose, Claim, Ready, Input, Want, Ticks, Digests, Diverged, Phrase, Ping, Pong, Leave, Moved, Result,
)  # fmt: skip
FROM_PEER_BY_VIEWS = (Hello, Choose, Claim, Ready, Input, Want, Phrase, Ping, Pong, Leave, Result)
"""Where the host alone runs the game; it compares no digests, whose parts would tell what others see."""

URGENT_FROM_PEER = (Input, Ping)
URGENT_FROM_HOST = (Foretold, Ticks)
"""What datagrams hold."""

FROM_HOST = (
    Welcome, Refused, Lobby, Begin, Handover, Foretold, Ticks, Want, Differs, Phrase, Ping, Pong, Absent, Back, Leave,
    End, Agreed, View, Reveal,
)  # fmt: skip


def encode(message: Message) -> bytes:
    """The frame of a message; raises WireError for values that msgpack cannot hold."""
    return pack((VERSION, message.KIND, message))


def decode(frame: bytes, kinds: Sequence[type[Message]], *, most: int) -> Message:
    """The message of a frame of at most `most` bytes, one of `kinds`.

    Raises ProtocolError, and nothing else, for any other bytes.
    """
    if len(frame) > most:
        raise ProtocolError("too_large", f"expected at most {most} bytes, got {len(frame)}")
    try:
        value = unpack(frame)
    except WireError as error:
        raise ProtocolError("malformed", str(error)) from error
    if not isinstance(value, list) or len(value) != 3:
        raise ProtocolError("malformed", "expected [version, kind, body]")
    version, word, body = value
    if version != VERSION or isinstance(version, bool):
        raise ProtocolError("version", f"expected version {VERSION} of the session protocol, got: {version!r:.20}")
    kind = _KINDS.get(word) if isinstance(word, str) else None
    if kind is None or kind not in kinds:
        words = ", ".join(one.KIND for one in kinds)
        raise ProtocolError("unknown_kind", f"expected one of {words}, got: {word!r:.80}")
    try:
        return msgspec.convert(body, kind)
    except (msgspec.ValidationError, TypeError, ValueError, RecursionError) as error:
        raise ProtocolError("malformed", str(error)[:MAX_TEXT]) from error
