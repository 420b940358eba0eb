"""Controllers, frozen policies, the wire between processes, and the ladder.

Nothing here imports the arcade or the trainer.  Names are imported at first use, so that ``import agents`` is cheap.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agents.ladder.ladder import Ladder
    from agents.policies.functions import FunctionController
    from agents.policies.random import IdleController, RandomController
    from agents.policies.snapshot import LoadedPolicy, load
    from agents.policies.snapshot_controller import SnapshotController
    from agents.seats.controller import Controller, ControllerError, SeatSpec, Turn
    from agents.snapshots.freezing import as_torch, freeze
    from agents.snapshots.onnx_policy import OnnxPolicy
    from agents.snapshots.store import Snapshot, SnapshotCard, SnapshotError, SnapshotStore
    from agents.wire.client import RemoteController
    from agents.wire.control import ControlClient, ControlServer, EventPublisher, EventSubscriber
    from agents.wire.server import PolicyServer, serve

__project__ = "pettingzoo-arcade"
__all__ = [
    "ControlClient", "ControlServer", "Controller", "ControllerError", "EventPublisher", "EventSubscriber",
    "FunctionController", "IdleController", "Ladder", "LoadedPolicy", "OnnxPolicy", "PolicyServer", "RandomController",
    "RemoteController", "SeatSpec", "Snapshot", "SnapshotCard", "SnapshotController", "SnapshotError", "SnapshotStore",
    "Turn", "as_torch", "freeze", "load", "serve", "snapshots",
]  # fmt: skip

_MODULES = {
    "ladder.ladder": "Ladder",
    "policies.functions": "FunctionController",
    "policies.random": "IdleController RandomController",
    "policies.snapshot": "LoadedPolicy load",
    "policies.snapshot_controller": "SnapshotController",
    "seats.controller": "Controller ControllerError SeatSpec Turn",
    "snapshots.freezing": "as_torch freeze",
    "snapshots.onnx_policy": "OnnxPolicy",
    "snapshots.store": "Snapshot SnapshotCard SnapshotError SnapshotStore",
    "wire.client": "RemoteController",
    "wire.control": "ControlClient ControlServer EventPublisher EventSubscriber",
    "wire.server": "PolicyServer serve",
}
_PLACES = {name: module for module, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name == "snapshots":  # a package that can be called
        return importlib.import_module("agents.snapshots")
    if name not in _PLACES:
        raise AttributeError(f"expected one of {', '.join(__all__)} in agents, got: {name!r}")
    return getattr(importlib.import_module(f"agents.{_PLACES[name]}"), name)
