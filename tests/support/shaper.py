"""Shaper: TCP and UDP on loopback with the delay, jitter and loss of a longer way, in the space of this process."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from errno import EADDRINUSE
from functools import partial
from random import Random

from agents.closing import Closing

CHUNK = 2**16
STEP = 1e-5
"""Seconds between two segments: timers of the same time would end in any order."""

TICK = 1 / 60
"""Seconds after which a sender of inputs sends again, which is what tells TCP of a loss."""


class Shaper(Closing):
    """Listens at `port` and passes bytes, and datagrams, to `target` and back.

    `round_trip` and `jitter` in seconds, both ways together; `loss` is a share of the segments.  TCP delivers in order,
    so a lost segment holds up those behind it until it is sent again: after the acknowledgement of a later one and a
    quarter of a round trip (RACK, RFC 8985), which with that segment's own way is 1.25 round trips later.  A datagram
    that is lost stays so, and others overtake it.
    """

    def __init__(self, target: int, *, round_trip: float, jitter: float, loss: float, seed: int = 0) -> None:
        self.target, self.port = target, 0
        self._round_trip, self._jitter, self._loss = round_trip, jitter, loss
        self._random = Random(seed)
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="shaper", daemon=True)
        self._thread.start()
        self._ready.wait()

    def close(self) -> None:
        """End all connections; can be called twice."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(self._listen())
        self._ready.set()
        self._loop.run_forever()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        server.close()
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    async def _listen(self) -> asyncio.Server:
        """Listen at a port that is free for TCP and for UDP."""
        while True:
            server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
            place = server.sockets[0].getsockname()
            try:
                await self._loop.create_datagram_endpoint(lambda: _Near(self), local_addr=place)
            except OSError as error:
                server.close()
                if error.errno != EADDRINUSE:  # another program has the port for datagrams
                    raise
                continue
            self.port = place[1]
            return server

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):  # one side is gone
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self.target)
            await asyncio.gather(self._pass(reader, there_writer), self._pass(there_reader, writer))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One direction, in order."""
        loop, last = self._loop, 0.0
        while data := await reader.read(CHUNK):
            delay = self._round_trip / 2 + self._random.uniform(0, self._jitter / 2)
            if self._random.random() < self._loss:
                delay += 1.25 * self._round_trip + TICK
            last = max(last + STEP, loop.time() + delay)
            loop.call_at(last, self._write, writer, data)
        loop.call_at(last, writer.close)

    def carry(self, send: Callable[[bytes], None], data: bytes) -> None:
        """Pass on a datagram, or lose it."""
        if self._random.random() >= self._loss:
            delay = self._round_trip / 2 + self._random.uniform(0, self._jitter / 2)
            self._loop.call_later(delay, send, data)

    def open_far(self, near: Callable[[bytes], None]) -> asyncio.Task[_Far]:
        """A socket of its own to the target, for one sender; `near` gets what comes back."""

        async def connect() -> _Far:
            made = await self._loop.create_datagram_endpoint(
                lambda: _Far(self, near), remote_addr=("127.0.0.1", self.target)
            )
            return made[1]

        return self._loop.create_task(connect())

    def _write(self, writer: asyncio.StreamWriter, data: bytes) -> None:
        if not writer.is_closing():
            writer.write(data)


class _Near(asyncio.DatagramProtocol):
    """The side of those who send to the shaper."""

    def __init__(self, shaper: Shaper) -> None:
        self._shaper = shaper
        self._fars: dict[object, asyncio.Task[_Far]] = {}

    def connection_made(self, transport: asyncio.DatagramTransport) -> None:
        self._transport = transport

    def datagram_received(self, data: bytes, place: object) -> None:
        if place not in self._fars:
            self._fars[place] = self._shaper.open_far(lambda back: self._transport.sendto(back, place))
        self._fars[place].add_done_callback(partial(self._forward, data))

    def _forward(self, data: bytes, far: asyncio.Task[_Far]) -> None:
        self._shaper.carry(far.result().send, data)


class _Far(asyncio.DatagramProtocol):
    """The side of the target, for one sender."""

    def __init__(self, shaper: Shaper, near: Callable[[bytes], None]) -> None:
        self._shaper, self._near = shaper, near

    def connection_made(self, transport: asyncio.DatagramTransport) -> None:
        self._transport = transport

    def send(self, data: bytes) -> None:
        self._transport.sendto(data)

    def datagram_received(self, data: bytes, place: object) -> None:
        self._shaper.carry(self._near, data)
