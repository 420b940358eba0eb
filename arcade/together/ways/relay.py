"""The relay: joins connections of machines that cannot reach each other, without reading what they send.

Host and guests connect to it, so that no router needs a port opened.  What passes is encrypted from end to end by
ZeroMQ's CURVE; the relay sees a room's name, sizes and times.  Its own protocol, lines of ASCII:

* each machine of a match has a room of its own, where it can be the host;
* its control connection says ``HOST room`` and hears ``OK``, then ``GUEST token`` for each guest, and says anything at
  all each second, to hear ``OK`` again;
* for each of these the host opens a connection that says ``TAKE token``;
* a guest's connection says ``JOIN room``, and hears ``OK`` once it is joined to the host's, else ``NO reason``.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
import socket
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

MAX_ROOMS = 1024
MAX_GUESTS = 16
"""Connections of one room, its machines and some that come back."""

MAX_CONNECTIONS = 2048
MAX_OF_ADDRESS, MAX_ROOMS_OF_ADDRESS = 256, 64
"""Connections and rooms of one address, which many players may share behind their router."""

LONGEST_LINE = 128
FIRST_WORDS = 10.0
"""Seconds within which a connection must say what it wants, and a host take a guest."""

BETWEEN_LINES = 0.1
"""Seconds between two lines of a host, which says something now and then."""

IDLE = 120.0
"""Seconds without a byte after which a connection ends; both ends send several a second."""

BYTES_A_SECOND = 4 * 2**20
"""Of one direction; what is more waits."""

CHUNK = 64 * 2**10

_ROOM = re.compile(r"[0-9a-f]{32}")


def room_of(secret: bytes, key: bytes) -> str:
    """The name of the room of a match's machine with that public key; the match's secret cannot be told from it.

    >>> room_of(bytes(10), bytes(32)) == room_of(bytes(10), bytes(32)), len(room_of(b"another", bytes(32)))
    (True, 32)
    """
    return hashlib.sha256(b"pettingzoo-arcade room" + secret + key).hexdigest()[:32]


@dataclass(eq=False)
class Stream:
    """One connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def line(self) -> list[str]:
        """The words of the next line; [] where the connection ended.  Raises ValueError for a line that is too long."""
        line = await self.reader.readline()
        if len(line) > LONGEST_LINE:
            raise ValueError(f"expected a line of at most {LONGEST_LINE} bytes, got {len(line)}")
        return line.decode("ascii", "replace").split() if line.endswith(b"\n") else []

    async def say(self, text: str) -> None:
        """Raises TimeoutError where the other end reads nothing."""
        self.writer.write(text.encode() + b"\n")
        await asyncio.wait_for(self.writer.drain(), FIRST_WORDS)

    @property
    def address(self) -> str:
        """Of the other end; of IPv6 the network's part, since one machine has as many addresses as it likes."""
        host = str((self.writer.get_extra_info("peername") or ("?",))[0])
        return ":".join(host.split(":")[:4]) if ":" in host and "." not in host else host

    async def close(self) -> None:
        self.writer.close()
        with suppress(OSError, asyncio.TimeoutError):
            await asyncio.wait_for(self.writer.wait_closed(), 1.0)


async def connected(host: str, port: int) -> Stream:
    """A connection to that address; raises OSError."""
    reader, writer = await asyncio.wait_for(asyncio.open_connection(host, port, limit=CHUNK), FIRST_WORDS)
    return Stream(reader, without_delay(writer))


def without_delay(writer: asyncio.StreamWriter) -> asyncio.StreamWriter:
    """Send small pieces at once."""
    connection = writer.get_extra_info("socket")
    if connection is not None and connection.family in (socket.AF_INET, socket.AF_INET6):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return writer


def accepting(serve: Callable[[Stream], Coroutine[Any, Any, None]]) -> Callable[..., Coroutine[Any, Any, None]]:
    """Have `serve` called with each connection of asyncio's ``start_server``."""

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.CancelledError):  # which asyncio before Python 3.12 reports as an error
            await serve(Stream(reader, without_delay(writer)))

    return accept


async def join_streams(one: Stream, other: Stream, *, idle: float = IDLE, most: float = BYTES_A_SECOND) -> None:
    """Pass on all bytes both ways until either end closes or is silent for too long."""
    pipes = [
        asyncio.create_task(_pipe(source.reader, target.writer, idle, most))
        for source, target in ((one, other), (other, one))
    ]
    try:
        await asyncio.wait(pipes, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for pipe in pipes:
            pipe.cancel()
        await asyncio.gather(*pipes, return_exceptions=True)
        await asyncio.gather(one.close(), other.close())


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, idle: float, most: float) -> None:
    loop = asyncio.get_running_loop()
    free_at = loop.time()
    while data := await asyncio.wait_for(reader.read(CHUNK), idle):
        writer.write(data)
        await asyncio.wait_for(writer.drain(), idle)
        now = loop.time()
        free_at = max(free_at, now - 1.0) + len(data) / most
        if free_at > now:
            await asyncio.sleep(free_at - now)


@dataclass(eq=False)
class _Room:
    control: Stream
    waiting: dict[str, asyncio.Future[Stream]] = field(default_factory=dict)  # token → the host's connection
    guests: int = 0


class Relay:
    """``await serve(host, port)`` runs until it is cancelled; `on_ready` gets the port."""

    def __init__(self, *, first_words: float = FIRST_WORDS, idle: float = IDLE) -> None:
        self._rooms: dict[str, _Room] = {}
        self._first_words, self._idle = first_words, idle
        self._open = Counter[str]()  # connections by address

    async def serve(self, host: str, port: int, on_ready: Callable[[int], None] = lambda port: None) -> None:
        # A line that is too long ends its connection at once, and what is passed on waits in the kernel.
        server = await asyncio.start_server(accepting(self._accept), host, port, limit=LONGEST_LINE)
        on_ready(server.sockets[0].getsockname()[1])
        async with server:
            await server.serve_forever()

    async def _accept(self, stream: Stream) -> None:
        address, is_kept = stream.address, False
        if self._open.total() >= MAX_CONNECTIONS or self._open[address] >= MAX_OF_ADDRESS:
            await stream.close()
            return
        self._open[address] += 1
        try:
            is_kept = await self._serve(stream)
        except (TimeoutError, OSError, ValueError, asyncio.IncompleteReadError):
            pass  # it is gone, or says what is none of the protocol
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]
            if not is_kept:
                await stream.close()

    async def _serve(self, stream: Stream) -> bool:
        """Do what a connection asks for; True where another one has it now, and closes it."""
        words = await asyncio.wait_for(stream.line(), self._first_words)
        match words:
            case ["HOST", room] if _ROOM.fullmatch(room):
                await self._host(room, stream)
            case ["JOIN", room] if _ROOM.fullmatch(room):
                await self._join(room, stream)
            case ["TAKE", token]:
                return self._take(token, stream)
        return False

    async def _host(self, name: str, stream: Stream) -> None:
        own = sum(room.control.address == stream.address for room in self._rooms.values())
        if name in self._rooms or len(self._rooms) >= MAX_ROOMS or own >= MAX_ROOMS_OF_ADDRESS:
            await stream.say("NO room: it is taken, or the relay is full")
            return
        self._rooms[name] = _Room(stream)
        try:
            await stream.say("OK")
            while await asyncio.wait_for(stream.line(), self._idle):  # the host says something now and then
                await stream.say("OK")
                await asyncio.sleep(BETWEEN_LINES)
        finally:
            del self._rooms[name]

    async def _join(self, name: str, stream: Stream) -> None:
        room = self._rooms.get(name)
        if room is None or room.guests >= MAX_GUESTS:
            await stream.say("NO match: there is none of this code here, or it is full")
            return
        token, found = secrets.token_hex(16), asyncio.get_running_loop().create_future()
        room.guests += 1
        room.waiting[token] = found
        try:
            await room.control.say(f"GUEST {token}")
            other = await asyncio.wait_for(found, self._first_words)
            await stream.say("OK")
            await join_streams(stream, other, idle=self._idle)
        finally:
            room.guests -= 1
            room.waiting.pop(token, None)
            if found.done() and not found.cancelled():
                await found.result().close()  # also where the guest has gone meanwhile

    def _take(self, token: str, stream: Stream) -> bool:
        for room in self._rooms.values():
            found = room.waiting.pop(token, None)
            if found is not None and not found.done():
                found.set_result(stream)
                return True
        return False
