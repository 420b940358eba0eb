"""The reference policies of a run's KL penalty."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from agents.snapshots.store import Snapshot, SnapshotError, SnapshotStore
from trainer.config import ConfigError, RunConfig
from trainer.config.algorithms.replay import DQNSettings
from trainer.config.reading import read_recipe
from trainer.league.export import load_weights
from trainer.networks.make import as_values, make_network, reference_run
from trainer.networks.seat import SeatNetwork
from trainer.runs.checkpoint import reference_snapshot
from trainer.sampling.learning_seats import Networks
from trainer.sampling.plan import Policy
from trainer.sampling.runner import SelfPlayRunner


class References:
    """Sets the references of all runners of an algorithm, and removes them once the penalty has faded."""

    def __init__(self, run: RunConfig, algorithm: Any) -> None:
        self._run, self._algorithm = run, algorithm
        self._runner: SelfPlayRunner = algorithm.env_runner

    def begin(self, folder: Path, store: SnapshotStore, policies: Iterable[Policy], *, steps: int) -> None:
        """Set the references of the policies that the snapshot fits, if the penalty is not over after `steps`.

        `folder` is that of the run, which keeps the snapshot.
        """
        if not self._penalises(steps):
            return
        name = self._run.reference

        def find() -> Snapshot:
            try:
                return store.get(name, game=self._run.game)
            except SnapshotError as error:
                raise ConfigError(f"training.kl_reference: {error}", code=error.code) from error

        clone = reference_snapshot(folder, find)
        self._set({p.id: self._network(p, clone) for p in policies if p.is_played_by(clone.card)})

    def update(self, *, steps: int) -> None:
        """Remove the references once they have no weight, after `steps` env steps of the run."""
        if self._runner.references and not self._penalises(steps):
            self._set({})

    def _network(self, policy: Policy, clone: Snapshot) -> SeatNetwork:
        run, training = reference_run(self._run, read_recipe(clone.onnx)), self._run.training
        if run is self._run:
            network = copy.deepcopy(self._runner.network(policy.id).whole())
        else:
            network = make_network(run, policy.observation_space, policy.action_space)
        load_weights(network, clone, field="training.kl_reference")
        if isinstance(training, DQNSettings):
            as_values(network, training.kl_temperature)
        return network

    def _penalises(self, steps: int) -> bool:
        training: Any = self._run.training
        return self._run.has_kl_penalty and (not training.kl_penalty_steps or steps < training.kl_penalty_steps)

    def _set(self, networks: Networks) -> None:
        self._algorithm.env_runner_group.foreach_env_runner(lambda runner: runner.set_references(networks))
