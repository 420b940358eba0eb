"""Where a trainer takes requests, and from whom."""

from __future__ import annotations

import socket

import pytest

from agents.wire.control import ControlClient, ControlError
from agents.wire.keys import Keys
from arcade.session.training.runs import reached_from
from trainer.config import ConfigError
from trainer.runs.control import TrainerServer
from trainer.runs.launch import _open_server


@pytest.fixture
def port():
    """Two ports in a row that are free."""
    with socket.socket() as first, socket.socket() as second:
        first.bind(("127.0.0.1", 0))
        number = first.getsockname()[1]
        try:
            second.bind(("127.0.0.1", number + 1))
        except OSError:
            pytest.skip("the port after a free one is taken")
    return number


def test_a_trainer_listens_to_its_owner_on_this_machine_alone(arcade_home):
    with TrainerServer() as server:
        own = Keys().own().public.hex()
        assert all(server.endpoints[name].startswith(f"ipc://{own}@/") for name in ("control", "events"))
        with ControlClient(server.endpoints["control"]) as control:
            assert control.call("status", timeout=60)["state"] == "starting"


def test_a_trainer_that_listens_lets_an_allowed_machine_in(arcade_home, tmp_path, monkeypatch, port):
    with TrainerServer(listen=f"tcp://127.0.0.1:{port}") as server:
        address = server.endpoints["control"]
        assert address == f"tcp://{Keys().own().public.hex()}@127.0.0.1:{port}"
        assert server.endpoints["events"] == address.replace(f":{port}", f":{port + 1}")
        assert reached_from(address, server.events) == server.endpoints["events"]
        host = Keys()
        monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "elsewhere"))
        with ControlClient(address) as control, pytest.raises(ControlError, match="does not know our key"):
            control.call("stop", timeout=60)
        assert not server.stop
        host.allow(Keys().own().public, name="laptop")
        with ControlClient(address) as control:
            assert control.call("pause", timeout=60)["asked"] == "paused"


def test_a_trainer_without_keys_says_so_in_its_address(arcade_home, port):
    with TrainerServer(listen=f"tcp://127.0.0.1:{port}", insecure=True) as server:
        assert server.endpoints["control"] == f"tcp://insecure@127.0.0.1:{port}"
        with ControlClient(server.endpoints["control"]) as control:
            assert control.call("status", timeout=60)


def test_a_busy_port_and_an_open_local_socket_are_refused(arcade_home, port):
    with TrainerServer(listen=f"tcp://127.0.0.1:{port}"), pytest.raises(ConfigError, match="--listen: expected a free"):
        _open_server(0, f"tcp://127.0.0.1:{port}", insecure=False)
    with pytest.raises(ConfigError, match=r"expected --listen .* with --insecure"):
        _open_server(0, "", insecure=True)
