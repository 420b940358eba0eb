"""LocalEndpoints: where a process listens for others of the same person on the same machine."""

from __future__ import annotations

import contextlib
import shutil
import socket
import tempfile
from pathlib import Path

import zmq

from agents.closing import Closing
from agents.platform import system

_PREFIX = "arcade-"


class LocalEndpoints(Closing):
    """Local sockets in a folder that only its owner can open; ports on loopback where the platform has none.

    `close` removes the folder, and the next process what a killed one has left.
    """

    def __init__(self) -> None:
        self._folder: Path | None = None
        if hasattr(socket, "AF_UNIX") and zmq.has("ipc"):
            _remove_abandoned(Path(tempfile.gettempdir()))
            self._folder = Path(tempfile.mkdtemp(prefix=_PREFIX))  # mode 0700, with a short path: sockets need one

    def endpoint(self, name: str) -> str:
        """An endpoint to bind; the port ``*`` is a free one."""
        return "tcp://127.0.0.1:*" if self._folder is None else f"ipc://{self._folder}/{name}"

    def close(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def _remove_abandoned(root: Path) -> None:
    """Remove our folders in which no process listens any more."""
    for folder in root.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):
            sockets = [path for path in folder.iterdir() if path.is_socket()]
            if sockets and system.owns(folder) and not any(map(_is_heard, sockets)):
                shutil.rmtree(folder, ignore_errors=True)


def _is_heard(path: Path) -> bool:
    """Whether a process listens at the socket, also one that is suspended and gives no answer."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.setblocking(False)
        try:
            with contextlib.suppress(BlockingIOError):  # as many wait for it as can
                probe.connect(str(path))
        except ConnectionRefusedError:
            return False
    return True
