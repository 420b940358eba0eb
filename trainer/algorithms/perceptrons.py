"""PerceptronStep: gradients in closed form where policy and critic are perceptrons and actions are discrete.

With layers this small, torch's autograd takes more time than the arithmetic: here a minibatch is some 50 operations,
which write into tensors made once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

from trainer.networks.actor_critic import ActorCritic
from trainer.networks.encoders import Trunk
from trainer.networks.modules import ACTION_MASK, MEMORY
from trainer.networks.seat import ILLEGAL

FEATURES, LEGAL = "features", "legal"
"""Columns: float32 (…, width), the observations as the perceptrons get them; bool (…, actions)."""

BACKWARD = {
    nn.Tanh: lambda slope, out: torch.ops.aten.tanh_backward.grad_input(slope, out, grad_input=slope),
    nn.ReLU: lambda slope, out: torch.ops.aten.threshold_backward.grad_input(slope, out, 0, grad_input=slope),
}
"""Activation to the function that turns gradients by its outputs into those by its inputs, in place."""

FORWARD = {nn.Tanh: torch.tanh_, nn.ReLU: torch.relu_}


class PerceptronStep:
    """A minibatch's way through the network and back, to the gradients of its parameters."""

    def __init__(self, network: ActorCritic) -> None:
        assert network.vf is not None
        self._network = network
        self._learnt = [param for trunk in (network.pi, network.vf) for param in trunk.parameters()]
        sizes = [param.numel() for param in self._learnt]
        self.gradient = self._learnt[0].new_empty(sum(sizes))
        """That of all parameters, of whose own gradients it consists."""
        self._gradients = [
            part.view_as(param) for param, part in zip(self._learnt, self.gradient.split(sizes), strict=True)
        ]
        self._pi, self._vf = _Perceptron(network.pi), _Perceptron(network.vf)

    @staticmethod
    def suits(network: Any) -> bool:
        """Whether all that the network learns are the two perceptrons."""
        if type(network) is not ActorCritic or network.vf is None or network.cell is not None:
            return False
        return network.log_std is None and not any(True for _ in network.eyes.parameters())

    def begin(self, rows: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Begin an update: the columns of a whole batch, of rows or of sequences, that `forward` reads."""
        for param, gradient in zip(self._learnt, self._gradients, strict=True):
            param.grad = gradient
        self._pi.begin()
        self._vf.begin()
        eyes, actions = self._network.eyes, rows["actions"].long()
        flat = {name: column.flatten(0, actions.ndim - 1) for name, column in rows.items()}
        with torch.no_grad():
            features, _ = eyes(flat["obs"], {name: flat[MEMORY + name] for name in eyes.memory})
        found = {FEATURES: features.unflatten(0, actions.shape), "actions": actions}
        return found | {LEGAL: rows[ACTION_MASK] > 0} if ACTION_MASK in rows else found

    def forward(self, batch: Mapping[str, Tensor]) -> tuple[Tensor, Tensor]:
        """The logits (…, n) and values (…) of a minibatch."""
        features = batch[FEATURES]
        flat, places = features.flatten(0, -2), features.shape[:-1]
        logits, values = self._pi.forward(flat).unflatten(0, places), self._vf.forward(flat).view(places)
        return logits.masked_fill_(~batch[LEGAL], ILLEGAL) if LEGAL in batch else logits, values

    def backward(self, by_logits: Tensor, by_values: Tensor) -> None:
        """Write the gradients of the parameters, from the slopes of the loss; those of illegal actions are 0."""
        self._pi.backward(by_logits.flatten(0, -2))
        self._vf.backward(by_values.reshape(-1, 1))


class _Perceptron:
    """A Trunk with the outputs of its layers, and the slopes of the loss by them, in tensors made once a size."""

    def __init__(self, trunk: Trunk) -> None:
        layers = list(trunk.layers)
        self._linears = [layer for layer in layers if isinstance(layer, nn.Linear)]
        kinds: Any = [type(layer) for layer in layers if not isinstance(layer, nn.Linear)]
        self._forward, self._backward = [FORWARD[kind] for kind in kinds], [BACKWARD[kind] for kind in kinds]
        self._weights: list[Tensor] = []
        self._turned: list[Tensor] = []  # the transposed weights
        self._gradients: list[Any] = []  # of weight and bias
        self._size = 0  # rows of a minibatch
        self._outputs: list[Tensor] = []
        self._slopes: list[Tensor] = []
        self._inputs: list[Tensor] = []

    def forward(self, features: Tensor) -> Tensor:
        self._make_room(len(features))
        out, self._inputs = features, []
        for number, (linear, buffer) in enumerate(zip(self._linears, self._outputs, strict=True)):
            self._inputs.append(out)
            out = torch.addmm(linear.bias, out, self._turned[number], out=buffer)
            if number < len(self._forward):
                self._forward[number](out)
        return out

    def begin(self) -> None:
        """Begin an update, in which all parameters have gradients and stay the same tensors."""
        self._weights = [linear.weight.detach() for linear in self._linears]
        self._turned = [weight.t() for weight in self._weights]
        self._gradients = [(linear.weight.grad, linear.bias.grad) for linear in self._linears]

    def backward(self, slope: Tensor) -> None:
        """Write the gradients of the parameters, from the slopes of the loss by the outputs."""
        for number in reversed(range(len(self._linears))):
            entered, (by_weight, by_bias) = self._inputs[number], self._gradients[number]
            torch.mm(slope.t(), entered, out=by_weight)
            torch.sum(slope, 0, out=by_bias)
            if number:
                slope = torch.mm(slope, self._weights[number], out=self._slopes[number])
                self._backward[number - 1](slope, entered)

    def _make_room(self, size: int) -> None:
        if size != self._size:
            self._size = size
            self._outputs = [linear.weight.new_empty(size, linear.out_features) for linear in self._linears]
            self._slopes = [linear.weight.new_empty(size, linear.in_features) for linear in self._linears]
