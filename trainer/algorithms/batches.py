"""From what the runners returned to the learner's batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from ray.rllib.connectors.connector_v2 import ConnectorV2

from trainer.sampling.lanes import Decisions

Rows = dict[str, NDArray[Any]]


def gather(episodes: Sequence[Decisions]) -> dict[str, Rows]:
    """Policy id to the rows of all runners, column by column."""
    policies = dict.fromkeys(id for decisions in episodes for id in decisions.columns)
    return {id: _joined([d.columns[id] for d in episodes if id in d.columns]) for id in policies}


def _joined(parts: list[Rows]) -> Rows:
    if len(parts) == 1:
        return parts[0]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def observe_rows(rl_module: Any, tensors: dict[str, dict[str, torch.Tensor]]) -> None:
    """Running statistics take in what is about to be learnt from: every connector of ours calls it, once a batch."""
    for id, columns in tensors.items():
        seen, mask = columns["obs"], columns.get("loss_mask")
        rl_module[id].unwrapped().network.observe_rows(seen if mask is None else seen[mask])


class DecisionsToBatch(ConnectorV2):
    """Rows, or sequences of them, become tensors, shuffled once; `normalise` brings advantages to mean 0 and deviation
    1, by policy."""

    def __init__(self, *, normalise: bool) -> None:
        super().__init__()
        self._normalise = normalise

    def __call__(self, *, rl_module: Any, batch: Any, episodes: Any, **kwargs: Any) -> Any:
        tensors = {id: self._tensors(rows) for id, rows in gather(episodes).items()}
        observe_rows(rl_module, tensors)
        return tensors

    def _tensors(self, rows: Rows) -> dict[str, torch.Tensor]:
        advantages = rows["advantages"]
        if self._normalise:
            real = advantages[rows["loss_mask"]] if "loss_mask" in rows else advantages
            advantages = (advantages - real.mean()) / max(1e-4, float(real.std()))
        order = np.random.permutation(len(advantages))
        return {
            name: torch.from_numpy((advantages if name == "advantages" else column)[order])
            for name, column in rows.items()
        }
