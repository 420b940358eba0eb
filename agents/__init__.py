"""Who decides: controllers, frozen policies, the wire between processes, and the ladder.

The ground floor of the house: nothing here imports the arcade or the trainer.  Names are loaded when first asked
for, so that ``import agents`` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agents.controller import Controller, ControllerError, SeatSpec, Turn
    from agents.onnx_policy import OnnxPolicy
    from agents.scripted import FunctionController, IdleController, RandomController
    from agents.snapshot import Snapshot, SnapshotCard, SnapshotError, SnapshotStore
    from agents.snapshot_controller import SnapshotController

_MODULES = {
    "Controller": "controller",
    "ControllerError": "controller",
    "SeatSpec": "controller",
    "Turn": "controller",
    "FunctionController": "scripted",
    "IdleController": "scripted",
    "RandomController": "scripted",
    "OnnxPolicy": "onnx_policy",
    "Snapshot": "snapshot",
    "SnapshotCard": "snapshot",
    "SnapshotError": "snapshot",
    "SnapshotStore": "snapshot",
    "SnapshotController": "snapshot_controller",
}

__all__ = [
    "Controller",
    "ControllerError",
    "FunctionController",
    "IdleController",
    "OnnxPolicy",
    "RandomController",
    "SeatSpec",
    "Snapshot",
    "SnapshotCard",
    "SnapshotController",
    "SnapshotError",
    "SnapshotStore",
    "Turn",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"expected one of {', '.join(__all__)} in agents, got: {name!r}")
    return getattr(importlib.import_module(f"agents.{_MODULES[name]}"), name)
