"""The ways to a relay: HostTunnel brings others to this machine's socket, GuestTunnel has ports that lead to others."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from concurrent.futures import Future
from contextlib import suppress

from agents.closing import Closing
from arcade.language import _
from arcade.together.terms import SessionError
from arcade.together.ways.relay import CHUNK, MAX_GUESTS, Stream, accepting, connected, join_streams, room_of

PATIENCE = 15.0
"""Seconds within which the relay must answer."""

SAY_EVERY = 1.0
"""Seconds between two signs of life of a host, each of which the relay answers."""

SILENT_AFTER = 3.0
"""Seconds without an answer after which a relay counts as out of reach."""

RETRY = 2.0
"""Seconds until a host that lost its relay looks for it again."""


class Tunnel(Closing):
    """A loop of connections in a thread of its own."""

    def __init__(self, relay: tuple[str, int]) -> None:
        self._relay = relay
        self._loop = asyncio.new_event_loop()
        self._answered = Future[None]()  # by the relay, for the first time
        self._thread = threading.Thread(target=self._run, name="relay tunnel", daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Wait until the relay has answered; raises SessionError, and closes the tunnel, where it does not."""
        try:
            self._answered.result(PATIENCE)
        except (OSError, TimeoutError, SessionError) as error:
            self.close()
            place = f"{self._relay[0]}:{self._relay[1]}"
            words = _("no relay answers at {place}: {reason}")
            raise SessionError(words.format(place=place, reason=str(error) or _("no answer"))) from error

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
        if not task.cancelled() and (error := task.exception()) is not None:
            self._note(error)

    def _note(self, error: BaseException | None) -> None:
        """The relay has answered, or it does not."""
        if self._answered.done():
            return
        if error is not None:
            self._answered.set_exception(error)
        else:
            self._answered.set_result(None)

    async def _work(self) -> None:
        """Run until it is cancelled."""
        raise NotImplementedError

    def close(self) -> None:
        """End all connections; can be called twice."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
        self._note(SessionError(_("it was closed")))


class HostTunnel(Tunnel):
    """Joins each machine that comes to the room of this one to its own socket on `port`."""

    def __init__(self, relay: tuple[str, int], room: str, port: int) -> None:
        self._room, self._port = room, port
        self._open_since: float | None = None
        self._heard_at = 0.0
        super().__init__(relay)

    def open_for(self, now: float) -> float:
        """Seconds for which the relay has been within reach without a break; `now` by `time.monotonic`."""
        since = self._open_since
        return now - since if since is not None and now - self._heard_at < SILENT_AFTER else 0.0

    async def _work(self) -> None:
        while True:
            try:
                await self._hold()
            except (TimeoutError, OSError, ValueError, SessionError) as error:
                self._note(error)  # of the room: the relay has not noticed yet that an earlier connection is gone
            await asyncio.sleep(RETRY)

    async def _hold(self) -> None:
        """Keep the room until the relay is gone."""
        control = await connected(*self._relay)
        try:
            await control.say(f"HOST {self._room}")
            words = await asyncio.wait_for(control.line(), PATIENCE)
            if words != ["OK"]:
                raise SessionError(" ".join(words[1:]) or _("it closed the connection"))
            self._heard_at = self._open_since = time.monotonic()
            self._note(None)
            await self._serve(control)
        finally:
            self._open_since = None
            await control.close()

    async def _serve(self, control: Stream) -> None:
        alive = asyncio.create_task(self._stay(control))
        guests: set[asyncio.Task[None]] = set()
        try:
            while words := await control.line():
                self._heard_at = time.monotonic()
                if words[0] == "GUEST" and len(words) == 2 and len(guests) < MAX_GUESTS:
                    guest = asyncio.create_task(self._take(words[1]))
                    guests.add(guest)
                    guest.add_done_callback(guests.discard)
        finally:
            alive.cancel()

    async def _stay(self, control: Stream) -> None:
        with suppress(OSError, asyncio.TimeoutError):  # who reads from it notices, too
            while time.monotonic() - self._heard_at < PATIENCE:
                await asyncio.sleep(SAY_EVERY)
                await control.say("HERE")
        await control.close()  # so that it is looked for again

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
    """Local ports; what connects to one reaches a machine that has a room of the same match."""

    def __init__(self, relay: tuple[str, int], secret: bytes) -> None:
        self._secret = secret
        self._ports: dict[bytes, int] = {}
        super().__init__(relay)

    def port_to(self, key: bytes) -> int:
        """The port that leads to the machine with that public key."""
        if key not in self._ports:
            listener = socket.create_server(("127.0.0.1", 0))
            self._ports[key] = listener.getsockname()[1]
            asyncio.run_coroutine_threadsafe(self._listen(listener, room_of(self._secret, key)), self._loop)
        return self._ports[key]

    async def _work(self) -> None:
        trial = await connected(*self._relay)  # so that a relay that is not there is reported at once
        await trial.close()
        self._note(None)

    async def _listen(self, listener: socket.socket, room: str) -> None:
        accept = accepting(lambda own: self._accept(own, room))
        server = await asyncio.start_server(accept, sock=listener, limit=CHUNK)
        async with server:
            await server.serve_forever()

    async def _accept(self, own: Stream, room: str) -> None:
        with suppress(OSError, ValueError, asyncio.TimeoutError):
            far = await connected(*self._relay)
            try:
                await far.say(f"JOIN {room}")
                if await asyncio.wait_for(far.line(), PATIENCE) == ["OK"]:
                    await join_streams(own, far)
            finally:
                await far.close()
        await own.close()
