"""SessionCode: the address, the key and the secret of a match, as one word to be copied."""

from __future__ import annotations

import base64
import binascii
import zlib
from dataclasses import dataclass

from agents.wire.addresses import KEY_BYTES, Address, AddressError, parse_address
from arcade.language import _
from arcade.together.messages import Place

SECRET_BYTES = 10
_DIRECT, _BY_RELAY = 1, 2
_HEAD = 1 + SECRET_BYTES + KEY_BYTES + 2
_LONGEST_HOST = 253


@dataclass(frozen=True, slots=True)
class SessionCode:
    """Names the host of one match.

    >>> code = SessionCode("192.168.1.5", 5777, bytes(32), bytes(10))
    >>> parse_code(code.text) == code
    True
    """

    host: str  # name or address, as it is reached
    port: int
    key: bytes  # public, of the host
    secret: bytes = b""  # b"": only peers whose key the host allows
    by_relay: bool = False  # `host` and `port` are those of a relay, which leads to the host

    @property
    def text(self) -> str:
        """The code, in lower case without padding."""
        head = bytes([_BY_RELAY if self.by_relay else _DIRECT]) + self.secret + self.key + self.port.to_bytes(2, "big")
        data = head + self.host.encode()
        return base64.b32encode(data + zlib.crc32(data).to_bytes(4, "big")).decode().rstrip("=").lower()

    @property
    def place(self) -> Place:
        """Where the host is reached; of no use where a relay is between."""
        return Place(self.host, self.port, self.key)

    @property
    def address(self) -> str:
        """The address for a socket; of no use where a relay is between."""
        return str(Address(f"tcp://{self.host}:{self.port}", self.key))

    @property
    def is_on_loopback(self) -> bool:
        """Whether only this machine reaches the host."""
        return not self.by_relay and Address(f"tcp://{self.host}:{self.port}").is_on_loopback


def parse_code(text: str) -> SessionCode:
    """Read a code, or an address ``tcp://KEY@HOST:PORT``; raises AddressError."""
    text = text.strip()
    if "://" in text:
        return _of_address(text)
    word = "".join(text.split()).upper()
    try:
        data = base64.b32decode(word + "=" * (-len(word) % 8))
    except (binascii.Error, ValueError):
        data = b""
    body, check = data[:-4], data[-4:]
    if not _HEAD < len(body) <= _HEAD + _LONGEST_HOST or zlib.crc32(body) != int.from_bytes(check, "big"):
        raise AddressError(f"expected the whole code that arcade host prints, got: {text[:120]!r}; copy it again")
    if body[0] not in (_DIRECT, _BY_RELAY):
        raise AddressError(f"expected a code of version {_DIRECT} or {_BY_RELAY}, got {body[0]}; update the arcade")
    secret, key = body[1 : 1 + SECRET_BYTES], body[1 + SECRET_BYTES : _HEAD - 2]
    try:
        host = body[_HEAD:].decode()
    except UnicodeDecodeError as error:
        raise AddressError("expected a host's name in the code, got none; copy it again") from error
    return SessionCode(host, int.from_bytes(body[_HEAD - 2 : _HEAD], "big"), key, secret, body[0] == _BY_RELAY)


def parse_relay(text: str) -> tuple[str, int]:
    """The host and port of a relay, as in ``relay.example:5900``; raises AddressError."""
    host, _colon, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 2**16:
        raise AddressError(_("expected a relay as HOST:PORT, got: {text}").format(text=repr(text)[:120]))
    return host, int(port)


def _of_address(text: str) -> SessionCode:
    address = parse_address(text)
    host, _colon, port = address.place.rpartition(":")
    if address.insecure or not host or not port.isdecimal() or not 0 < int(port) < 2**16:
        raise AddressError(f"expected an address like tcp://KEY@HOST:PORT, got: {text!r}")
    return SessionCode(host, int(port), address.key)
