"""Proxy: TCP on loopback that can stall what passes through it, and reset its connections."""

from __future__ import annotations

import selectors
import socket
import struct
import threading
from contextlib import suppress

from agents.closing import Closing

CHUNK = 2**16
_RESET = struct.pack("ii", 1, 0)
"""SO_LINGER of zero seconds: closing sends a reset."""


class Proxy(Closing):
    """Listens at `port`; passes bytes to and from `target`, a port that another process may close and open again."""

    def __init__(self, target: int, listener: socket.socket | None = None) -> None:
        self.target = target
        self.stalled = False  # nothing passes while this is set, as when all packets are lost
        self._resets = threading.Event()
        self._closed = threading.Event()
        self._listener = listener or socket.create_server(("127.0.0.1", 0))
        self._listener.setblocking(False)
        self.port: int = self._listener.getsockname()[1]
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._others: dict[socket.socket, socket.socket] = {}
        self._thread = threading.Thread(target=self._run, name="proxy", daemon=True)
        self._thread.start()

    def reset(self) -> None:
        """Reset all connections."""
        self._resets.set()

    def close(self) -> None:
        """End all connections; can be called twice."""
        self._closed.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._closed.is_set():
            if self._resets.is_set():
                self._resets.clear()
                self._drop_all()
            if self.stalled:
                self._closed.wait(0.02)
                continue
            for key, _ in self._selector.select(0.05):
                self._pass_on(key.fileobj)  # type: ignore[arg-type]
        self._drop_all()
        self._selector.close()
        self._listener.close()

    def _pass_on(self, ready: socket.socket) -> None:
        if ready is self._listener:
            self._connect()
        elif ready in self._others:
            try:
                data = ready.recv(CHUNK)
                self._others[ready].sendall(data)
            except OSError:
                data = b""
            if not data:
                self._drop(ready)

    def _connect(self) -> None:
        ours, _ = self._listener.accept()
        try:
            theirs = socket.create_connection(("127.0.0.1", self.target), timeout=1.0)
        except OSError:
            return ours.close()
        self._others |= {ours: theirs, theirs: ours}
        for one in (ours, theirs):
            one.settimeout(1.0)
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._selector.register(one, selectors.EVENT_READ)

    def _drop_all(self) -> None:
        for one in list(self._others):
            self._drop(one)

    def _drop(self, one: socket.socket) -> None:
        other = self._others.pop(one, None)
        for end in (one, other):
            if end is not None:
                self._others.pop(end, None)
                with suppress(OSError, ValueError, KeyError):
                    self._selector.unregister(end)
                with suppress(OSError):
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                end.close()
