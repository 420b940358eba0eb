"""Requests to a trainer by a peer that may control it, and does so as often as it can."""

from agents.wire.control import ControlClient
from tests.support.processes import DEADLINE
from trainer.runs.control import TrainerServer


def test_a_flood_of_freezes_makes_one_snapshot_of_a_policy():
    with TrainerServer() as server, ControlClient(server.endpoints["control"]) as client:
        for _ in range(50):
            assert client.call("freeze", timeout=DEADLINE)["asked"] == "running"
        assert server.take_freeze()
        assert not server.take_freeze()
        client.call("freeze", timeout=DEADLINE)
        assert server.take_freeze()
        client.call("stop", timeout=DEADLINE)
        client.call("freeze", timeout=DEADLINE)
        assert not server.take_freeze(), "a run that stops takes none"
