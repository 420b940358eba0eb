"""The ways to a relay: HostTunnel brings guests to a host's socket, GuestTunnel is a port that leads to a host."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress

from agents.closing import Closing
from arcade.together.terms import SessionError
from arcade.together.ways.relay import CHUNK, MAX_GUESTS, Stream, connected, join_streams, room_of, without_delay

PATIENCE = 15.0
"""Seconds within which the relay must answer."""

SAY_EVERY = 20.0
"""Seconds between two signs of life of a host."""

RETRY = 2.0
"""Seconds until a host that lost its relay looks for it again."""


class Tunnel(Closing):
    """A loop of connections in a thread of its own.  Raises SessionError where the relay does not answer."""

    def __init__(self, relay: tuple[str, int], secret: bytes) -> None:
        self._relay, self._room = relay, room_of(secret)
        self._loop = asyncio.new_event_loop()
        self._ready: asyncio.Future[None] = self._loop.create_future()
        self._thread = threading.Thread(target=self._run, name="relay tunnel", daemon=True)
        self._thread.start()
        try:
            asyncio.run_coroutine_threadsafe(asyncio.wait_for(self._ready, PATIENCE), self._loop).result()
        except (OSError, TimeoutError, SessionError) as error:
            self.close()
            place = f"{relay[0]}:{relay[1]}"
            raise SessionError(f"expected a relay at {place}: {str(error) or 'no answer'}") from error

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        main = self._loop.create_task(self._work())
        main.add_done_callback(self._ended)
        self._loop.run_forever()
        while tasks := asyncio.all_tasks(self._loop):  # again: up to Python 3.11 wait_for may swallow it
            for task in tasks:
                task.cancel()
            self._loop.run_until_complete(asyncio.wait(tasks, timeout=0.1))
        self._loop.close()

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None and not self._ready.done():
            self._ready.set_exception(error)

    async def _work(self) -> None:
        """Run until it is cancelled; sets `_ready`."""
        raise NotImplementedError

    def close(self) -> None:
        """End all connections; can be called twice."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()


class HostTunnel(Tunnel):
    """Joins each guest that comes to the relay to the host's own socket on `port`."""

    def __init__(self, relay: tuple[str, int], secret: bytes, port: int) -> None:
        self._port = port
        super().__init__(relay, secret)

    async def _work(self) -> None:
        while True:
            try:
                await self._hold()
            except (TimeoutError, OSError, ValueError, SessionError):  # SessionError: it has not noticed the loss yet
                if not self._ready.done():
                    raise
            await asyncio.sleep(RETRY)

    async def _hold(self) -> None:
        """Keep the room until the relay is gone."""
        control = await connected(*self._relay)
        try:
            await control.say(f"HOST {self._room}")
            words = await asyncio.wait_for(control.line(), PATIENCE)
            if words != ["OK"]:
                raise SessionError(" ".join(words[1:]) or "it closed the connection")
            if not self._ready.done():
                self._ready.set_result(None)
            alive = asyncio.create_task(self._stay(control))
            guests: set[asyncio.Task[None]] = set()
            try:
                while words := await control.line():
                    if words[0] == "GUEST" and len(words) == 2 and len(guests) < MAX_GUESTS:
                        guest = asyncio.create_task(self._take(words[1]))
                        guests.add(guest)
                        guest.add_done_callback(guests.discard)
            finally:
                alive.cancel()
        finally:
            await control.close()

    async def _stay(self, control: Stream) -> None:
        while True:
            await asyncio.sleep(SAY_EVERY)
            await control.say("HERE")

    async def _take(self, token: str) -> None:
        with suppress(OSError, asyncio.TimeoutError):
            far = await connected(*self._relay)
            try:
                await far.say(f"TAKE {token}")
                own = await connected("127.0.0.1", self._port)
                await join_streams(own, far)
            finally:
                await far.close()


class GuestTunnel(Tunnel):
    """Listens on a local `port`; what connects there reaches the host."""

    port: int

    async def _work(self) -> None:
        trial = await connected(*self._relay)  # so that a relay that is not there is reported at once
        await trial.close()
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=CHUNK)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set_result(None)
        async with server:
            await server.serve_forever()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        own = Stream(reader, without_delay(writer))
        with suppress(OSError, ValueError, asyncio.TimeoutError):
            far = await connected(*self._relay)
            try:
                await far.say(f"JOIN {self._room}")
                if await asyncio.wait_for(far.line(), PATIENCE) == ["OK"]:
                    await join_streams(own, far)
            finally:
                await far.close()
        await own.close()
