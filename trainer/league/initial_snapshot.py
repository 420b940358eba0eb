"""The snapshot that a run starts from, the settings that come with it, and its copy for the KL penalty."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from agents.snapshots.store import Snapshot, SnapshotError, SnapshotStore
from trainer.config import ConfigError, RunConfig
from trainer.config.recipe import read_recipe, with_recipe
from trainer.sampling.plan import Policy

REFERENCE, OLD_REFERENCE = "reference", "pull"
"""Folders of the run's folder."""


def find_start(store: SnapshotStore, word: str, game: str) -> Snapshot:
    """The snapshot that `start_from` names; raises ConfigError where it does not exist."""
    try:
        return store.get(word, game=game)
    except SnapshotError as error:
        raise ConfigError(f"start_from: {error}") from error


def check_layers(run: RunConfig, policy: Policy, snapshot: Snapshot) -> None:
    """Raises ConfigError unless the policy's layers are those of the snapshot."""
    from trainer.league.freezing import load_weights  # brings torch
    from trainer.networks.make import make_network

    central = run.policies.kind == "shared_value_function"
    network = make_network(run, policy.observation_space, policy.action_space, critic=not central)
    load_weights(network, snapshot)


def with_start(settings: dict[str, Any], game: str, store: SnapshotStore) -> dict[str, Any]:
    """`settings` with the layers of the snapshot that ``start_from`` names, where they set none of their own.

    A snapshot that does not exist is left to the check of all settings.
    """
    try:
        snapshot = store.get(settings["start_from"], game=game)
    except SnapshotError:
        return settings
    return with_recipe(settings, read_recipe(snapshot.onnx))


def reference_snapshot(run_folder: Path, find: Callable[[], Snapshot]) -> Snapshot:
    """The snapshot in the run's folder, or that of `find`, which is saved there so that a resumed run has it too."""
    old = run_folder / OLD_REFERENCE
    store = SnapshotStore(old if old.exists() else run_folder / REFERENCE)
    if saved := store.list():
        return store.get(saved[0].name)
    found = find()
    return store.save(found.card, found.onnx)
