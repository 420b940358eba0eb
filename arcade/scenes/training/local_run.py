"""A run of this machine, as its screen shows it."""

from __future__ import annotations

from pathlib import Path

from agents.wire.trainer_events import TrainerStatus
from arcade.scenes.lobby import Lobby
from arcade.session.training.run_link import RunLink


def local_run(lobby: Lobby, folder: Path, status: TrainerStatus) -> RunLink:
    """The run in `folder`, which need not exist yet."""
    return RunLink(worker=lobby.worker, folder=folder, status=status, own=lambda: lobby.trainers.get(folder.name))
