"""Datagrams: what is urgent also goes by UDP, several ticks in each, where no lost packet holds up those behind it.

Nothing depends on it: all of it goes by ZeroMQ, too.  Each machine's datagrams have a key of their own, which comes in
the encrypted welcome.  A datagram is the channel (8 bytes), its number (8 bytes) and a box (XSalsa20-Poly1305) whose
nonce is the direction and the number, so that one that was copied is not taken twice.
"""

from __future__ import annotations

import secrets
import socket
from contextlib import suppress

from nacl.exceptions import CryptoError
from nacl.secret import SecretBox

from agents.closing import Closing

KEY_BYTES = SecretBox.KEY_SIZE
CHANNEL_BYTES = 8
MAX_BYTES = 1200
"""Of a frame: with the box and its head it passes every usual network in one packet."""

MAX_READ = 256
"""Datagrams that one call reads."""

_HEAD = CHANNEL_BYTES + 8
_LARGEST = 2048
_WINDOW = 64
"""How far a datagram may come behind a later one, and still be taken."""


class Channel:
    """The datagrams between the host and one machine; ``open(seal(frame))`` of both ends."""

    def __init__(self, key: bytes, name: bytes, *, is_host: bool) -> None:
        self.name = name
        self._box = SecretBox(key)
        self._own, self._theirs = (b"h", b"p") if is_host else (b"p", b"h")
        self._sent = 0
        self.newest = 0  # number of the newest datagram that came
        self._taken: set[int] = set()  # of the last few

    def seal(self, frame: bytes) -> bytes:
        """The datagram of a frame."""
        self._sent += 1
        number = self._sent.to_bytes(8, "big")
        return self.name + number + self._box.encrypt(frame, _nonce(self._own, number)).ciphertext

    def open(self, datagram: bytes) -> bytes | None:
        """Its frame; None for one that is forged, damaged or came before."""
        number = int.from_bytes(datagram[CHANNEL_BYTES:_HEAD], "big")
        if number in self._taken or number + _WINDOW <= self.newest:
            return None
        try:
            frame = self._box.decrypt(datagram[_HEAD:], _nonce(self._theirs, datagram[CHANNEL_BYTES:_HEAD]))
        except (CryptoError, ValueError):
            return None
        self.newest = max(self.newest, number)
        self._taken = {one for one in self._taken if one + _WINDOW > self.newest} | {number}
        return frame


def _nonce(direction: bytes, number: bytes) -> bytes:
    return direction + bytes(SecretBox.NONCE_SIZE - 1 - len(number)) + number


class DatagramSocket(Closing):
    """A UDP socket that never waits; what cannot be sent is dropped, as on the way."""

    def __init__(self, family: int) -> None:
        self._socket = socket.socket(family, socket.SOCK_DGRAM)
        self._socket.setblocking(False)

    def _read(self) -> list[tuple[bytes, tuple[str, int]]]:
        found = []
        for _ in range(MAX_READ):
            try:
                data, place = self._socket.recvfrom(_LARGEST)
            except BlockingIOError:
                break
            except OSError:  # of an earlier datagram: its port is closed
                continue
            if len(data) > _HEAD:
                found.append((data, place))
        return found

    def _write(self, data: bytes, place: tuple[str, int]) -> None:
        with suppress(OSError):
            self._socket.sendto(data, place)

    def close(self) -> None:
        self._socket.close()


class HostDatagrams(DatagramSocket):
    """The host's end, at the port of its other socket; raises OSError where that is taken."""

    def __init__(self, port: int) -> None:
        super().__init__(socket.AF_INET)
        try:
            self._socket.bind(("0.0.0.0", port))
        except OSError:
            self.close()
            raise
        self._channels: dict[bytes, Channel] = {}
        self._places: dict[bytes, tuple[str, int]] = {}

    def admit(self) -> tuple[bytes, bytes]:
        """A new channel: its name and its key, for the welcome."""
        name, key = secrets.token_bytes(CHANNEL_BYTES), secrets.token_bytes(KEY_BYTES)
        self._channels[name] = Channel(key, name, is_host=True)
        return name, key

    def forget(self, name: bytes) -> None:
        self._channels.pop(name, None)
        self._places.pop(name, None)

    def hear(self) -> list[tuple[bytes, bytes]]:
        """The channel and the frame of each datagram that has come; the newest says where its machine is."""
        found = []
        for data, place in self._read():
            name = data[:CHANNEL_BYTES]
            channel = self._channels.get(name)
            if channel is None:
                continue
            before = channel.newest
            frame = channel.open(data)
            if frame is not None:
                found.append((name, frame))
                if channel.newest > before:
                    self._places[name] = place
        return found

    def send(self, name: bytes, frame: bytes) -> None:
        """Send to a machine from which a datagram has come; dropped where it is too large for one."""
        channel, place = self._channels.get(name), self._places.get(name)
        if channel is not None and place is not None and len(frame) <= MAX_BYTES:
            self._write(channel.seal(frame), place)


class PeerDatagrams(DatagramSocket):
    """Another machine's end.  Raises OSError where the host's name is unknown."""

    def __init__(self, host: str, port: int, name: bytes, key: bytes) -> None:
        family, _, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
        super().__init__(family)
        self._place = (str(place[0]), int(place[1]))
        self._channel = Channel(key, name, is_host=False)
        self.name = name

    def hear(self) -> list[bytes]:
        """The frames that have come."""
        frames = (self._channel.open(data) for data, _ in self._read() if data[:CHANNEL_BYTES] == self.name)
        return [frame for frame in frames if frame is not None]

    def send(self, frame: bytes) -> None:
        """Send to the host; dropped where it is too large for one."""
        if len(frame) <= MAX_BYTES:
            self._write(self._channel.seal(frame), self._place)
