"""Local sockets of a person's processes."""

from __future__ import annotations

import socket
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Thread

import pytest

from agents.wire.control import ControlServer
from agents.wire.local_endpoints import LocalEndpoints


@pytest.fixture
def root(monkeypatch):
    """The folder of temporary files; paths of sockets are short."""
    with tempfile.TemporaryDirectory() as name:
        monkeypatch.setattr(tempfile, "tempdir", name)
        yield Path(name)


def test_the_folder_is_its_owners_and_goes_with_them(root):
    with LocalEndpoints() as local, ControlServer({}, endpoint=local.endpoint("control")):
        [folder] = root.iterdir()
        assert folder.stat().st_mode & 0o777 == 0o700
        assert [path.name for path in folder.iterdir()] == ["control"]
    assert not list(root.iterdir())


def test_what_a_killed_process_has_left_is_removed_and_what_lives_is_kept(root):
    killed, living = LocalEndpoints(), LocalEndpoints()
    (root / "arcade-new").mkdir()  # of a process that does not listen yet
    (root / "arcade-notes.txt").touch()
    with ControlServer({}, endpoint=living.endpoint("control")):
        kept = {path.name for path in root.iterdir()}
        path = killed.endpoint("control").removeprefix("ipc://")
        with socket.socket(socket.AF_UNIX) as left:  # which leaves its file
            left.bind(path)
        with LocalEndpoints():
            pass
        assert {path.name for path in root.iterdir()} == kept - {path.split("/")[-2]}


def test_a_suspended_process_holds_up_no_other(root):
    """It answers none of those who look whether it is there, until as many wait as can."""
    suspended = LocalEndpoints()
    with socket.socket(socket.AF_UNIX) as silent, ExitStack() as waiting:
        silent.bind(suspended.endpoint("control").removeprefix("ipc://"))
        silent.listen(0)
        with suppress(BlockingIOError):
            while True:
                one = waiting.enter_context(socket.socket(socket.AF_UNIX))
                one.setblocking(False)
                one.connect(silent.getsockname())
        kept = set(root.iterdir())
        newcomer = Thread(target=lambda: LocalEndpoints().close(), daemon=True)
        newcomer.start()
        newcomer.join(30)
        assert not newcomer.is_alive()
        assert set(root.iterdir()) == kept
    suspended.close()


def test_without_local_sockets_a_port_of_loopback_is_used(monkeypatch):
    monkeypatch.setattr("zmq.has", lambda _: False)
    with LocalEndpoints() as local, ControlServer({}, endpoint=local.endpoint("control")) as server:
        assert server.endpoint.startswith("tcp://127.0.0.1:")
