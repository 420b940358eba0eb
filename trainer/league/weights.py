"""Weights that a run keeps in its folder, for resets and the KL penalty; and weights for its policies."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

from agents.files import replace_file
from agents.snapshots.store import Snapshot, SnapshotStore

FIRST_WEIGHTS = "first_weights.pt"
REFERENCE, OLD_REFERENCE = "reference", "pull"
"""Folders of the reference snapshot."""


def reference_snapshot(run_folder: Path, find: Callable[[], Snapshot]) -> Snapshot:
    """The snapshot in the run's folder, or that of `find`, which is saved there so that a resumed run has it too."""
    old = run_folder / OLD_REFERENCE
    store = SnapshotStore(old if old.exists() else run_folder / REFERENCE)
    if saved := store.list():
        return store.get(saved[0].name)
    found = find()
    return store.save(found.card, found.onnx)


def keep_first_weights(run_folder: Path, states: dict[str, Any]) -> None:
    """Save the initial states of policies, by id, once per run."""
    if (path := run_folder / FIRST_WEIGHTS).exists():
        return
    tensors = {id: {name: torch.as_tensor(np.asarray(a)) for name, a in own.items()} for id, own in states.items()}
    buffer = io.BytesIO()
    torch.save(tensors, buffer)
    replace_file(path, buffer.getvalue())


def load_first_weights(run_folder: Path, policy: str) -> dict[str, Any]:
    """The initial state of a policy."""
    tensors = torch.load(run_folder / FIRST_WEIGHTS, weights_only=True)[policy]
    return {name: tensor.numpy() for name, tensor in tensors.items()}


def reset_policy(algorithm: Any, policy: str, state: dict[str, Any]) -> None:
    """Give a policy the weights of `state` everywhere, and optimizers without momentum.

    RLlib's `set_state` leaves optimizers alone; their moments are cleared here and made anew at the next step.
    """

    def clear(learner: Any) -> None:
        for _, optimizer in learner.get_optimizers_for_module(policy):
            optimizer.state.clear()

    algorithm.learner_group.foreach_learner(clear)
    set_state(algorithm, policy, state)


def set_state(algorithm: Any, policy: str, state: dict[str, Any]) -> None:
    """Give a policy the weights of `state` in the learners, and from there in the runners."""
    group = algorithm.learner_group
    group.set_state({"learner": {"rl_module": {policy: state}}})
    algorithm.env_runner_group.sync_weights(from_worker_or_learner_group=group)
