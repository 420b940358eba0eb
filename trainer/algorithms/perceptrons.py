"""PerceptronStep: PPO's gradient in closed form where policy and critic are perceptrons and actions are discrete.

With layers this small, torch's autograd takes more time than the arithmetic: here a minibatch is some 50 operations,
which write into tensors made once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

from trainer.algorithms.ppo_loss import Coefficients, gradients
from trainer.networks.actor_critic import ActorCritic
from trainer.networks.encoders import Trunk
from trainer.networks.modules import ACTION_MASK, MEMORY
from trainer.networks.seat import ILLEGAL

FEATURES, LEGAL = "features", "legal"
"""Columns: float32 (M, width), the observations as the perceptrons get them; bool (M, actions)."""

BACKWARD = {
    nn.Tanh: lambda slope, out: torch.ops.aten.tanh_backward.grad_input(slope, out, grad_input=slope),
    nn.ReLU: lambda slope, out: torch.ops.aten.threshold_backward.grad_input(slope, out, 0, grad_input=slope),
}
"""Activation to the function that turns gradients by its outputs into those by its inputs, in place."""

FORWARD = {nn.Tanh: torch.tanh_, nn.ReLU: torch.relu_}


class PerceptronStep:
    """Gradients of minibatches with `size` rows, which become those of the network's parameters."""

    def __init__(self, network: ActorCritic, *, size: int) -> None:
        assert network.vf is not None
        self._network = network
        trunks = network.pi, network.vf
        params = [param for trunk in trunks for param in trunk.parameters()]
        self.gradient = params[0].new_empty(sum(param.numel() for param in params))
        """That of all parameters, whose own gradients are views of it."""
        for param, part in zip(params, self.gradient.split([param.numel() for param in params]), strict=True):
            param.grad = part.view_as(param)
        self._pi, self._vf = (_Perceptron(trunk, size) for trunk in trunks)

    @staticmethod
    def suits(network: Any) -> bool:
        """Whether all that the network learns are the two perceptrons."""
        if type(network) is not ActorCritic or network.vf is None or network.cell is not None:
            return False
        return network.log_std is None and not any(True for _ in network.eyes.parameters())

    def columns(self, rows: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """The columns of a whole batch that `learn` needs of its minibatches."""
        network = self._network
        with torch.no_grad():
            features, _ = network.eyes(rows["obs"], {name: rows[MEMORY + name] for name in network.memory})
        found = {FEATURES: features, "actions": rows["actions"].long()}
        if ACTION_MASK in rows:
            found[LEGAL] = rows[ACTION_MASK] > 0
        return found | {name: rows[name] for name in ("action_logp", "advantages", "value_targets")}

    @torch.no_grad()
    def learn(self, batch: dict[str, Tensor], settings: Coefficients, terms: dict[str, Tensor]) -> None:
        """Give the parameters their gradients by a minibatch.  `terms` as in `ppo_loss`."""
        logits, values = self._pi.forward(batch[FEATURES]), self._vf.forward(batch[FEATURES]).squeeze(-1)
        if LEGAL in batch:
            logits.masked_fill_(~batch[LEGAL], ILLEGAL)
        by_logits, by_values = gradients(logits, values, batch, settings, terms)
        self._pi.backward(by_logits)  # 0 for illegal actions, whose probability is 0
        self._vf.backward(by_values.unsqueeze(-1))
        terms["values"] = values


class _Perceptron:
    """A Trunk with the outputs of its layers, and the slopes of the loss by them, in tensors made once."""

    def __init__(self, trunk: Trunk, size: int) -> None:
        layers = list(trunk.layers)
        self._linears = [layer for layer in layers if isinstance(layer, nn.Linear)]
        kinds: Any = [type(layer) for layer in layers if not isinstance(layer, nn.Linear)]
        self._forward, self._backward = [FORWARD[kind] for kind in kinds], [BACKWARD[kind] for kind in kinds]
        self._outputs = [linear.weight.new_empty(size, linear.out_features) for linear in self._linears]
        self._slopes = [linear.weight.new_empty(size, linear.in_features) for linear in self._linears]
        self._weights = [linear.weight.detach() for linear in self._linears]
        self._turned = [weight.t() for weight in self._weights]
        self._gradients = [(linear.weight.grad, linear.bias.grad) for linear in self._linears]
        self._inputs: list[Tensor] = []

    def forward(self, features: Tensor) -> Tensor:
        out, self._inputs = features, []
        for number, (linear, buffer) in enumerate(zip(self._linears, self._outputs, strict=True)):
            self._inputs.append(out)
            out = torch.addmm(linear.bias, out, self._turned[number], out=buffer)
            if number < len(self._forward):
                self._forward[number](out)
        return out

    def backward(self, slope: Tensor) -> None:
        """Write the gradients of the parameters, from the slopes of the loss by the outputs."""
        for number in reversed(range(len(self._linears))):
            entered, (by_weight, by_bias) = self._inputs[number], self._gradients[number]
            torch.mm(slope.t(), entered, out=by_weight)
            torch.sum(slope, 0, out=by_bias)
            if number:
                slope = torch.mm(slope, self._weights[number], out=self._slopes[number])
                self._backward[number - 1](slope, entered)
