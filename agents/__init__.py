"""Who decides: controllers, frozen policies, the wire between processes, and the ladder.

The ground floor of the house: nothing here imports the arcade or the trainer.  Names are loaded when first asked
for, so that ``import agents`` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agents.ladder.ladder import Ladder
    from agents.policies.functions import FunctionController
    from agents.policies.idle import IdleController
    from agents.policies.loaded import LoadedPolicy, load
    from agents.policies.random import RandomController
    from agents.policies.snapshot_controller import SnapshotController
    from agents.seats.controller import Controller, ControllerError, SeatSpec, Turn
    from agents.snapshots.onnx_policy import OnnxPolicy
    from agents.snapshots.store import Snapshot, SnapshotCard, SnapshotError, SnapshotStore
    from agents.wire.client import RemoteController
    from agents.wire.control import ControlClient, ControlServer
    from agents.wire.events import EventPublisher, EventSubscriber
    from agents.wire.server import PolicyServer, serve

__all__ = [
    "ControlClient",
    "ControlServer",
    "Controller",
    "ControllerError",
    "EventPublisher",
    "EventSubscriber",
    "FunctionController",
    "IdleController",
    "Ladder",
    "LoadedPolicy",
    "OnnxPolicy",
    "PolicyServer",
    "RandomController",
    "RemoteController",
    "SeatSpec",
    "Snapshot",
    "SnapshotCard",
    "SnapshotController",
    "SnapshotError",
    "SnapshotStore",
    "Turn",
    "load",
    "serve",
    "snapshots",
]

_MODULES = {
    "ControlClient": "wire.control",
    "ControlServer": "wire.control",
    "Controller": "seats.controller",
    "ControllerError": "seats.controller",
    "EventPublisher": "wire.events",
    "EventSubscriber": "wire.events",
    "FunctionController": "policies.functions",
    "IdleController": "policies.idle",
    "Ladder": "ladder.ladder",
    "LoadedPolicy": "policies.loaded",
    "OnnxPolicy": "snapshots.onnx_policy",
    "PolicyServer": "wire.server",
    "RandomController": "policies.random",
    "RemoteController": "wire.client",
    "SeatSpec": "seats.controller",
    "Snapshot": "snapshots.store",
    "SnapshotCard": "snapshots.store",
    "SnapshotController": "policies.snapshot_controller",
    "SnapshotError": "snapshots.store",
    "SnapshotStore": "snapshots.store",
    "Turn": "seats.controller",
    "load": "policies.loaded",
    "serve": "wire.server",
}


def __getattr__(name: str) -> Any:
    if name == "snapshots":  # a package that can be called
        return importlib.import_module("agents.snapshots")
    if name not in _MODULES:
        raise AttributeError(f"expected one of {', '.join(__all__)} in agents, got: {name!r}")
    return getattr(importlib.import_module(f"agents.{_MODULES[name]}"), name)
