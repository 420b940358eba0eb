"""A run of this machine, as its screen shows it."""

from __future__ import annotations

from pathlib import Path

from arcade.scenes.lobby import Lobby
from arcade.session.training.facts import TrainerFacts
from arcade.session.training.run_link import RunLink


def local_run(lobby: Lobby, folder: Path, facts: TrainerFacts) -> RunLink:
    """The run in `folder`, which need not exist yet."""
    return RunLink(worker=lobby.worker, folder=folder, facts=facts, own=lambda: lobby.trainers.get(folder.name))
