"""AdamStep: the steps of a torch optimizer within one update, without its bookkeeping at each of them."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


class AdamStep:
    """Steps as `optimizer` does, whose parameters, settings and state stay the same objects meanwhile.

    Optimizers of other classes than torch's Adam, and not fused, and parameters without a gradient, are left to the
    optimizer itself.
    """

    def __init__(self, optimizer: torch.optim.Optimizer) -> None:
        self._optimizer = optimizer
        self._tensors: list[Tensor] = []
        self._averages: list[list[Tensor]] = []  # of the gradients, and of their squares
        self._counts: list[Tensor] = []
        self._settings: dict[str, Any] = {}  # by the names of torch's function

    @torch.no_grad()
    def step(self) -> None:
        grads: list[Any] = [param.grad for param in self._tensors]
        if grads and not any(grad is None for grad in grads):
            for count in self._counts:
                count.add_(1)
            step: Any = torch._fused_adam_
            step(self._tensors, grads, *self._averages, [], self._counts, **self._settings)
            return
        self._optimizer.step()
        if type(self._optimizer) is torch.optim.Adam and len(self._optimizer.param_groups) == 1:
            self._take(self._optimizer.param_groups[0])

    def _take(self, group: dict[str, Any]) -> None:
        """Find what the optimizer's first step has made."""
        states = [self._optimizer.state[param] for param in group["params"]]
        if not all(states) or not group["fused"]:
            return
        self._tensors, self._counts = group["params"], [state["step"] for state in states]
        self._averages = [[state[name] for state in states] for name in ("exp_avg", "exp_avg_sq")]
        beta1, beta2 = group["betas"]
        self._settings = {"beta1": beta1, "beta2": beta2, "maximize": False} | {
            name: group[name] for name in ("lr", "weight_decay", "eps", "amsgrad")
        }
