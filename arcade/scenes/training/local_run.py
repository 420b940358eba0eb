"""A run of this machine, as its screen shows it."""

from __future__ import annotations

from pathlib import Path

from agents.wire.trainer_events import TrainerStatus
from arcade.session.services import Services
from arcade.session.training.run_link import RunLink


def local_run(services: Services, folder: Path, status: TrainerStatus) -> RunLink:
    """The run in `folder`, which need not exist yet."""
    return RunLink(worker=services.worker, folder=folder, status=status, own=lambda: services.trainers.get(folder.name))
