"""The reference snapshot of a run's KL penalty, saved in the run's folder so that a resumed run has it too."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agents.snapshots.store import Snapshot, SnapshotStore
from trainer.config import RunConfig
from trainer.league.freezing import load_weights
from trainer.networks.seat import SeatNetwork

FOLDER, OLD_FOLDER = "reference", "pull"


class FadingKlPenalty:
    """Gives the reference networks to the runners, and removes them once the penalty has faded."""

    def __init__(self, run: RunConfig, folder: Path) -> None:
        training: Any = run.training
        self._steps = training.kl_penalty_steps if getattr(training, "kl_penalty", 0) else 0
        self._folder = folder / (OLD_FOLDER if (folder / OLD_FOLDER).exists() else FOLDER)
        self._on = False

    def begin(self, runners: Any, networks: dict[str, SeatNetwork]) -> None:
        """Give the runners of an EnvRunnerGroup these networks, by policy id."""
        self._on = bool(networks)
        runners.foreach_env_runner(lambda runner: runner.set_references(networks))

    def tend(self, runners: Any, *, steps: int) -> None:
        """Remove the networks once the penalty has faded; `steps` is the number of env steps since the run's start."""
        if self._on and steps >= self._steps:
            self.begin(runners, {})

    def wanted(self, *, steps: int) -> bool:
        """Whether there is a penalty `steps` env steps after the run's start."""
        return steps < self._steps

    def snapshot(self, find: Callable[[], Snapshot]) -> Snapshot:
        """The snapshot in the run's folder, or that of `find`, which is saved there."""
        store = SnapshotStore(self._folder)
        if saved := store.list():
            return store.get(saved[0].name)
        found = find()
        return store.save(found.card, found.onnx)


def networks_of(snapshot: Snapshot, own: dict[str, SeatNetwork]) -> dict[str, SeatNetwork]:
    """Policy id to a network of the snapshot, built as the policy's own; raises ConfigError where it cannot be."""
    made = {id: copy.deepcopy(network.whole()) for id, network in own.items()}
    for network in made.values():
        load_weights(network, snapshot)
    return made
