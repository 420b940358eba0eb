"""Address: where a peer listens and the key it must have, ``tcp://KEY@HOST:PORT``."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from agents.errors import UserError

KEY_BYTES = 32
INSECURE = "insecure"
"""In place of a key: the peer has none, and nothing is encrypted or checked."""

_ADDRESS = re.compile(r"(?P<scheme>[a-z]+)://(?:(?P<key>[^@/]+)@)?(?P<place>.+)", re.DOTALL)


class AddressError(UserError):
    """A text that is no address."""


@dataclass(frozen=True, slots=True)
class Address:
    """An address without a key is one's own: of a server with the same ARCADE_HOME."""

    endpoint: str  # for ZeroMQ and for people: without the key
    key: bytes = b""  # of the server; b"": our own
    insecure: bool = False

    def __str__(self) -> str:
        key = INSECURE if self.insecure else self.key.hex()
        return self.endpoint.replace("://", f"://{key}@", 1) if key else self.endpoint

    @property
    def place(self) -> str:
        """Host and port, or the path."""
        return self.endpoint.partition("://")[2]

    def seen_from_elsewhere(self, host: str) -> Address:
        """The address on `host` where the endpoint is that of all its networks."""
        return replace(self, endpoint=re.sub(r"//(0\.0\.0\.0|\[::\]|\*):", f"//{host}:", self.endpoint))

    @property
    def is_on_loopback(self) -> bool:
        """Whether only this machine reaches it."""
        return not self.endpoint.startswith("tcp://") or self.place.startswith(("127.", "localhost:", "[::1]:"))


def parse_address(text: str) -> Address:
    """The address of ``SCHEME://[KEY@]PLACE``, where KEY is 64 hexadecimal digits or "insecure"."""
    match = _ADDRESS.fullmatch(text)
    if match is None:
        raise AddressError(f"expected an address like tcp://127.0.0.1:5555, got: {text!r}")
    endpoint, key = f"{match['scheme']}://{match['place']}", match["key"] or ""
    return Address(endpoint, b"", True) if key == INSECURE else Address(endpoint, parse_key(key) if key else b"")


def parse_key(text: str) -> bytes:
    """The public key of 64 hexadecimal digits."""
    if not re.fullmatch(r"[0-9a-fA-F]{64}", text):
        raise AddressError(
            f"expected a key of 64 hexadecimal digits, got: {text[:80]!r}; its owner sees it with: arcade keys show"
        )
    return bytes.fromhex(text)


def without_key(text: str) -> str:
    """An address as people read it; any other text as it is."""
    match = _ADDRESS.fullmatch(text)
    return f"{match['scheme']}://{match['place']}" if match else text
