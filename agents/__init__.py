"""Who decides: controllers, frozen policies, the wire between processes, and the ladder.

The ground floor of the house: nothing here imports the arcade or the trainer.  Names are loaded when first asked
for, so that ``import agents`` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agents.control import ControlClient, ControlServer
    from agents.controller import Controller, ControllerError, SeatSpec, Turn
    from agents.events import EventPublisher, EventSubscriber
    from agents.ladder import Ladder
    from agents.onnx_policy import OnnxPolicy
    from agents.remote import RemoteController
    from agents.scripted import FunctionController, IdleController, RandomController
    from agents.server import PolicyServer, serve
    from agents.snapshot import Snapshot, SnapshotCard, SnapshotError, SnapshotStore
    from agents.snapshot_controller import SnapshotController

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
    "serve",
]

_MODULES = {
    "ControlClient": "control",
    "ControlServer": "control",
    "Controller": "controller",
    "ControllerError": "controller",
    "EventPublisher": "events",
    "EventSubscriber": "events",
    "FunctionController": "scripted",
    "IdleController": "scripted",
    "Ladder": "ladder",
    "OnnxPolicy": "onnx_policy",
    "PolicyServer": "server",
    "RandomController": "scripted",
    "RemoteController": "remote",
    "SeatSpec": "controller",
    "Snapshot": "snapshot",
    "SnapshotCard": "snapshot",
    "SnapshotController": "snapshot_controller",
    "SnapshotError": "snapshot",
    "SnapshotStore": "snapshot",
    "Turn": "controller",
    "serve": "server",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"expected one of {', '.join(__all__)} in agents, got: {name!r}")
    return getattr(importlib.import_module(f"agents.{_MODULES[name]}"), name)
