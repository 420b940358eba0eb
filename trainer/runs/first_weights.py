"""The weights that policies began with, to which a league resets its exploiters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch

from agents.files import replace_file
from trainer.algorithms.replay import ReplayAlgorithm
from trainer.runs.array_file import pack_arrays, read_arrays

FIRST_WEIGHTS, OLD_FIRST_WEIGHTS = "first_weights.npz", "first_weights.pt"
"""Files in the folder of a run; torch reads that of earlier versions as plain tensors."""


def keep_first_weights(run_folder: Path, states: dict[str, Any]) -> None:
    """Save the initial states of policies, by id, once per run."""
    if not any((run_folder / name).exists() for name in (FIRST_WEIGHTS, OLD_FIRST_WEIGHTS)):
        arrays = {f"{id}\n{name}": np.asarray(array) for id, own in states.items() for name, array in own.items()}
        replace_file(run_folder / FIRST_WEIGHTS, pack_arrays(arrays))


def load_first_weights(run_folder: Path, policy: str) -> dict[str, Any]:
    """The initial state of a policy."""
    if not (run_folder / FIRST_WEIGHTS).exists():
        tensors = torch.load(run_folder / OLD_FIRST_WEIGHTS, weights_only=True)[policy]
        return {name: tensor.numpy() for name, tensor in tensors.items()}
    arrays, _ = read_arrays(run_folder / FIRST_WEIGHTS)
    own = f"{policy}\n"
    return {name.removeprefix(own): array for name, array in arrays.items() if name.startswith(own)}


def reset_policy(algorithm: Any, policy: str, state: dict[str, Any]) -> None:
    """Give a policy the weights of `state` everywhere, and drop all else that it learnt and played."""
    algorithm.learner_group.foreach_learner(lambda learner: learner.forget(policy))
    if isinstance(algorithm, ReplayAlgorithm):
        algorithm.forget(policy)
    set_state(algorithm, policy, state)


def set_state(algorithm: Any, policy: str, state: dict[str, Any]) -> None:
    """Give a policy the weights of `state` in the learners, and from there in the runners."""
    group = algorithm.learner_group
    group.set_state({"learner": {"rl_module": {policy: state}}})
    algorithm.env_runner_group.sync_weights(from_worker_or_learner_group=group)
