"""Resets exploiters to their first weights and fresh optimizers."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import torch

from agents.files import replace_file

FIRST_WEIGHTS = "first_weights.pt"
"""In the run's folder, so that a resumed run has them too."""


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

    def forget(learner: Any) -> None:
        for _, optimizer in learner.get_optimizers_for_module(policy):
            optimizer.state.clear()

    algorithm.learner_group.foreach_learner(forget)
    set_state(algorithm, policy, state)


def set_state(algorithm: Any, policy: str, state: dict[str, Any]) -> None:
    """Give a policy the weights of `state` in the learners, and from there in the runners."""
    group = algorithm.learner_group
    group.set_state({"learner": {"rl_module": {policy: state}}})
    algorithm.env_runner_group.sync_weights(from_worker_or_learner_group=group)
