"""The contract suite on every controller, and on controllers that break it."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest
from gymnasium import spaces

from agents.policies.functions import FunctionController
from agents.policies.random import IdleController, RandomController
from agents.policies.snapshot_controller import SnapshotController
from agents.seats.controller import Controller
from agents.wire.client import RemoteController
from agents.wire.server import PolicyServer
from tests.support.controller_contract import ContractError, check_controller


def least(observation, mask, rng):
    return 0 if mask is None else int(np.argmax(mask))


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("kind", ["random", "idle", "function", "snapshot", "greedy"])
def test_every_controller_keeps_the_contract(kind, masked, store, seat):
    make = {
        "random": RandomController,
        "idle": IdleController,
        "function": lambda: FunctionController(least),
        "snapshot": lambda: SnapshotController(store.get("first")),
        "greedy": lambda: SnapshotController(store.get("first"), greedy=True),
    }[kind]
    check_controller(make, seat, masked=masked)


@pytest.mark.parametrize("masked", [False, True])
def test_a_remote_seat_keeps_the_contract(masked, store, seat):
    with PolicyServer(store, endpoint="tcp://127.0.0.1:*") as server:
        thread = threading.Thread(target=server.run)
        thread.start()
        remote = RemoteController(server.endpoint, clock=lambda: 0.0)  # never silent: no hello in mid-episode
        try:
            check_controller(lambda: remote, seat, masked=masked, wait=lambda: remote._socket.poll(50))
        finally:
            server.stop()
            thread.join(60)


@pytest.mark.parametrize(
    "space",
    [
        spaces.Discrete(4, start=-1),
        spaces.Box(0, 1, (3,), np.float32),
        spaces.Box(-3, np.inf, (2, 2), np.float64),
        spaces.MultiDiscrete([2, 3]),
        spaces.MultiBinary(4),
    ],
)
@pytest.mark.parametrize("make", [RandomController, IdleController])
def test_random_and_idle_play_any_space(make, space, seat):
    check_controller(make, replace(seat, action_space=space))


class Wrong(Controller):
    """Breaks the contract in the way that its name says."""

    def __init__(self, fault: str) -> None:
        self.fault, self.turn, self.asked, self.resets = fault, None, 0, 0
        if fault == "unlabelled":
            self.label = ""

    def reset(self, seat, *, seed):
        self.turn, self.resets = None, self.resets + 1

    def observe(self, turn):
        self.turn, self.asked = turn, 0
        if self.fault == "scribbles":
            turn.observation += 1

    def act(self):
        if self.turn is None:
            return 0 if self.fault == "hasty" else None
        self.asked += 1
        legal = np.flatnonzero(self.turn.action_mask)
        return {
            "mute": None,
            "out of range": 99,
            "text": "left",
            "illegal": int(np.argmin(self.turn.action_mask)),
            "changes its mind": int(legal[self.asked % len(legal)]),
            "unrepeatable": int(legal[self.resets % len(legal)]),
        }.get(self.fault, int(legal[0]))


FAULTS = [
    "unlabelled", "hasty", "mute", "out of range", "text", "illegal", "changes its mind", "unrepeatable", "scribbles",
]  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_the_suite_catches_a_wrong_controller(fault, seat):
    with pytest.raises(ContractError):
        check_controller(lambda: Wrong(fault), seat, masked=True, patience=0.01)


def test_the_suite_passes_the_same_controller_without_a_fault(seat):
    check_controller(lambda: Wrong("none"), seat, masked=True)
