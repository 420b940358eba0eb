"""AdamStep: the steps of a torch optimizer within one update, without its bookkeeping at each of them."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.optim.adam import adam


class AdamStep:
    """Steps as `optimizer` does, whose parameters, settings and state stay the same objects meanwhile.

    Optimizers of other classes than torch's Adam, and parameters without a gradient, are left to the optimizer itself.
    """

    def __init__(self, optimizer: torch.optim.Optimizer) -> None:
        self._optimizer = optimizer
        self._tensors: list[Tensor] = []
        self._settings: dict[str, Any] = {}  # and the state, by the names of torch's function

    @torch.no_grad()
    def step(self) -> None:
        if self._tensors and all(param.grad is not None for param in self._tensors):
            grads: Any = [param.grad for param in self._tensors]
            adam(self._tensors, grads, **self._settings)
            return
        self._optimizer.step()
        if type(self._optimizer) is torch.optim.Adam and len(self._optimizer.param_groups) == 1:
            self._take(self._optimizer.param_groups[0])

    def _take(self, group: dict[str, Any]) -> None:
        """Find what the optimizer's first step has made."""
        states = [self._optimizer.state[param] for param in group["params"]]
        if not all(states):
            return
        self._tensors = group["params"]
        names = {"exp_avgs": "exp_avg", "exp_avg_sqs": "exp_avg_sq", "state_steps": "step"}
        lists = {name: [state[key] for state in states] for name, key in names.items()}
        beta1, beta2 = group["betas"]
        self._settings = {
            **lists, "max_exp_avg_sqs": [], "fused": group["fused"], "amsgrad": False, "beta1": beta1, "beta2": beta2,
            "lr": group["lr"], "weight_decay": group["weight_decay"], "eps": group["eps"], "maximize": False,
        }  # fmt: skip
