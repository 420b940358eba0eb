"""Exploiters begin again: first weights and an optimizer that knows nothing."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import torch

from agents.files import replace_file

FILE = "first_weights.pt"


class FirstWeights:
    """The weights that policies began with, kept in the run's folder so that a resumed run has them too."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE

    def keep(self, states: dict[str, Any]) -> None:
        """Policy id to state; what is kept already stays."""
        if self._path.exists():
            return
        tensors = {id: {name: torch.as_tensor(np.asarray(a)) for name, a in own.items()} for id, own in states.items()}
        buffer = io.BytesIO()
        torch.save(tensors, buffer)
        replace_file(self._path, buffer.getvalue())

    def of(self, policy: str) -> dict[str, Any]:
        """Its state as it was kept."""
        tensors = torch.load(self._path, weights_only=True)[policy]
        return {name: tensor.numpy() for name, tensor in tensors.items()}


def reset_policy(algorithm: Any, policy: str, state: dict[str, Any]) -> None:
    """The policy has the weights of `state` everywhere, and no momentum.

    RLlib's learners take weights by `set_state`, which leaves optimizers alone; these forget their moments by hand,
    and make new ones at the next step.
    """
    group = algorithm.learner_group
    group.set_state({"learner": {"rl_module": {policy: state}}})

    def forget(learner: Any) -> None:
        for _, optimizer in learner.get_optimizers_for_module(policy):
            optimizer.state.clear()

    group.foreach_learner(forget)
    algorithm.env_runner_group.sync_weights(from_worker_or_learner_group=group)
