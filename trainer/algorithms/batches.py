"""RowsToBatch, the learner connector: joins the runners' rows into the learner's batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from ray.rllib.connectors.connector_v2 import ConnectorV2
from torch import Tensor, nn

from trainer.networks.modules import CRITIC
from trainer.sampling.central_state import STATE
from trainer.sampling.rollout import Decisions

Rows = dict[str, NDArray[Any]]


class RowsToBatch(ConnectorV2):
    """Tensors of all runners' rows, by policy, on the module's device.

    `normalise` scales the advantages of each policy to mean 0 and deviation 1.
    """

    def __init__(self, *, normalise: bool = False) -> None:
        super().__init__()
        self._normalise = normalise

    def __call__(self, *, rl_module: Any, batch: Any, episodes: Any, **kwargs: Any) -> Any:
        tensors = {}
        episodes = _with_states(rl_module, episodes)
        for id in dict.fromkeys(id for decisions in episodes for id in decisions.columns):
            rows = self.draw(id, _joined([d.columns[id] for d in episodes if id in d.columns]))
            tensors[id] = self._tensors(rows, device_of(rl_module[id]))
        return tensors

    def draw(self, policy: str, rows: Rows) -> Rows:
        """The rows to learn from once a policy has new ones: those alone."""
        return rows

    def _tensors(self, rows: Rows, device: torch.device) -> dict[str, Tensor]:
        if self._normalise:
            advantages = rows["advantages"]
            real = advantages[rows["loss_mask"]] if "loss_mask" in rows else advantages
            rows = rows | {"advantages": (advantages - real.mean()) / max(1e-4, float(real.std()))}
        return {name: _tensor(column).to(device) for name, column in rows.items()}


def _tensor(column: NDArray[Any]) -> Tensor:
    """The column itself; a copy where it is from a remote runner, since ray's object store is read-only."""
    return torch.from_numpy(column if column.flags.writeable else column.copy())


def _with_states(rl_module: Any, episodes: list[Decisions]) -> list[Decisions]:
    """The decisions with places in one table of all states, which the centralised critic gets."""
    tables = [decisions.states for decisions in episodes if decisions.states is not None]
    if not tables:
        return episodes
    critic = rl_module[CRITIC]
    critic.unwrapped().network.table = torch.from_numpy(_stacked(tables)).to(device_of(critic))
    firsts = np.cumsum([0, *map(len, tables)])
    return [
        Decisions({id: _moved(rows, int(first)) for id, rows in own.columns.items()}, own.env_steps)
        for own, first in zip(episodes, firsts[:-1], strict=True)
    ]


def _moved(rows: Rows, first: int) -> Rows:
    return rows | {STATE: rows[STATE] + np.array([first, 0])}


def _stacked(tables: list[NDArray[Any]]) -> NDArray[Any]:
    return tables[0] if len(tables) == 1 else np.concatenate(tables)


def device_of(module: nn.Module) -> torch.device:
    """The device of the module's weights, on which it learns."""
    return next(module.parameters()).device


def _joined(parts: list[Rows]) -> Rows:
    if len(parts) == 1:
        return parts[0]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
