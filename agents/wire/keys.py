"""Keys (CURVE) in ARCADE_HOME/keys: our own pair, made at first use, and the public keys of the peers we let in."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from pathlib import Path

import zmq
from zmq.utils import z85

from agents.errors import UserError
from agents.files import read_file, replace_file
from agents.files.private import PrivateFileError, keys_folder, read_private
from agents.platform import system
from agents.wire.addresses import KEY_BYTES, AddressError, parse_key

SECRET_FILE, ALLOWED_FOLDER = "secret.key", "allowed"
LONGEST_NAME = 64  # characters
_Z85_CHARACTERS = 40
_MAX_BYTES = 1024  # of a file


class KeysError(UserError):
    """A key or a name that cannot be used."""


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A CURVE key pair; each key has 32 bytes."""

    public: bytes
    secret: bytes = field(repr=False)

    def secure(self, socket: zmq.Socket[bytes], *, server_key: bytes = b"") -> None:
        """Make a socket use this pair: as a client of the server with that key, without one as a server."""
        socket.curve_publickey, socket.curve_secretkey = self.public, self.secret
        if server_key:
            socket.curve_serverkey = server_key
        else:
            socket.curve_server = True


def read_key(text: str) -> bytes:
    """A public key, in 64 hexadecimal digits as we write it or in the 40 characters of ZeroMQ's Z85."""
    if len(text) != _Z85_CHARACTERS:
        return parse_key(text)
    try:
        return z85.decode(text)
    except (ValueError, KeyError, UnicodeError) as error:
        raise KeysError(f"expected a key of 40 characters in Z85, got: {text!r}") from error


class Keys:
    """The keys in `folder`, by default ARCADE_HOME/keys, which only their owner can open.

    A peer's key is a file in ``allowed``, named by the key, with the peer's name in it: a change counts from the next
    connection on.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder if folder is not None else keys_folder()
        self._allowed = self.folder / ALLOWED_FOLDER

    def own(self) -> KeyPair:
        """Our own pair.  Processes that ask for the first time together get the same one.  Raises PrivateFileError."""
        path = self.folder / SECRET_FILE
        content = read_private(path, lambda: z85.decode(zmq.curve_keypair()[1]).hex().encode() + b"\n")
        try:
            secret = parse_key(content.decode("ascii").strip())
        except (ValueError, UserError) as error:
            raise PrivateFileError(
                f"expected a secret key in {path}, got none; delete the file for a new key"
            ) from error
        return KeyPair(z85.decode(zmq.curve_public(z85.encode(secret))), secret)

    def admits(self, key: bytes) -> bool:
        """Whether a client with this public key is let in."""
        return len(key) == KEY_BYTES and ((self._allowed / key.hex()).is_file() or key == self.own().public)

    def allowed(self) -> dict[bytes, str]:
        """Public keys of the peers that are let in, to their names, in the order of the names."""
        found = {}
        for path in self._allowed.glob("*") if self._allowed.is_dir() else ():
            with contextlib.suppress(AddressError, OSError, ValueError):  # no file of ours, or just revoked
                found[parse_key(path.name)] = read_file(path, most=_MAX_BYTES).decode().strip()
        return dict(sorted(found.items(), key=lambda item: item[1]))

    def allow(self, key: bytes, *, name: str) -> None:
        """Let a peer in; a key that is in gets the new name.  Raises KeysError for a name that is taken."""
        name = name.strip()
        if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
            raise KeysError(f"expected a name of 1 to {LONGEST_NAME} printable characters, got: {name!r}")
        if any(other == name and theirs != key for theirs, other in self.allowed().items()):
            raise KeysError(f"expected a new name, got {name!r} of another key; first: arcade keys revoke {name!r}")
        if key == self.own().public:
            raise KeysError("expected the key of another person or machine, got our own, which is always let in")
        self._allowed.mkdir(mode=0o700, exist_ok=True)
        replace_file(self._allowed / key.hex(), f"{name}\n")

    def revoke(self, name: str) -> None:
        """Keep a peer out, from its next connection on.  Raises KeysError for an unknown name."""
        allowed = self.allowed()
        if name not in allowed.values():
            there = ", ".join(allowed.values()) or "none yet"
            raise KeysError(f"expected a name that is allowed ({there}), got: {name!r}", code="not_found")
        for key in [key for key, other in allowed.items() if other == name]:
            (self._allowed / key.hex()).unlink(missing_ok=True)
        system.flush_folder(self._allowed)
