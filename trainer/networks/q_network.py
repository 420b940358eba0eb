"""QNetwork: the value of each action, and epsilon-greedy exploration."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from torch import Tensor

from agents.policies.batch import RandomNumbers
from trainer.config import RunConfig
from trainer.networks.distributions import ActionDistribution, Array, divergence_of_logits
from trainer.networks.encoders import FeatureExtractor, Memory, Trunk
from trainer.networks.seat import ILLEGAL, Heads, SeatNetwork


class EpsilonGreedy(ActionDistribution):
    """The best legal action, or with chance epsilon any legal one.

    Inputs are the actions' values, those of illegal ones ILLEGAL.  The owner of `epsilon`, (1,), changes it in place.
    A snapshot never explores: its graph gives the best legal action all of the probability.
    """

    def __init__(self, space: spaces.Discrete[Any], *, temperature: float) -> None:
        """`temperature` is that of `divergence`."""
        super().__init__(space, int(space.n))
        self.epsilon = torch.zeros(1)
        self.temperature = temperature

    def sample(self, inputs: Array, rng: RandomNumbers) -> tuple[Array, Array]:
        epsilon = float(self.epsilon)
        legal = inputs > ILLEGAL / 2
        legal |= ~legal.any(axis=1, keepdims=True)
        best = self.play(inputs, rng)
        explored = np.where(legal, rng.random(inputs.shape, dtype=np.float32), -1.0).argmax(axis=1)
        actions = np.where(rng.random(len(inputs)) < epsilon, explored, best)
        chance = epsilon / legal.sum(axis=1) + (1 - epsilon) * (actions == best)
        return actions, np.log(chance).astype(np.float32)

    def play(self, inputs: Array, rng: RandomNumbers) -> Array:
        best: Array = inputs.argmax(axis=1).astype(np.int64)
        return best

    def graph_outputs(self, inputs: Tensor) -> dict[str, Tensor]:
        places = torch.arange(self.width, device=inputs.device)
        best = inputs.argmax(dim=1, keepdim=True)
        return {"action_probabilities": (places == best).to(torch.float32)}

    def divergence(self, other: Tensor, own: Tensor) -> Tensor:
        """Of the policies softmax(Q / temperature) (Vieillard et al. 2020, Munchausen reinforcement learning, arXiv
        2007.14430, section 2)."""
        return divergence_of_logits(other / self.temperature, own / self.temperature)

    def is_stable(self, inputs: Array) -> NDArray[np.bool_]:
        """Whether one action is the best by a clear margin."""
        best = inputs.max(axis=1, keepdims=True)
        near = inputs >= best - 1e-5 * np.maximum(1.0, np.abs(best))
        stable: NDArray[np.bool_] = near.sum(axis=1) == 1
        return stable


class QNetwork(SeatNetwork):
    """Duelling heads (Wang et al. 2016, arXiv 1511.06581, eq. 9): Q = V + A - mean of A, over the legal actions.

    Its value output is that of the best legal action.
    """

    def __init__(self, run: RunConfig, observation_space: Any, action_space: Any) -> None:
        super().__init__()
        self.eyes = FeatureExtractor(run, observation_space)
        self.memory = self.eyes.memory
        training: Any = run.training
        self.distribution = EpsilonGreedy(action_space, temperature=training.kl_temperature)
        *most, last = self.eyes.hidden
        activation = run.network.activation
        self.body = Trunk(self.eyes.width, most, activation=activation)
        actions = self.distribution.width
        self.advantage = Trunk(self.body.width, (last,), actions, last_gain=0.01, activation=activation)
        self.vf = Trunk(self.body.width, (last,), 1, last_gain=0.1, activation=activation)

    def decide(self, seen: Tensor, action_mask: Tensor | None, memory: Memory) -> Heads:
        features, after = self.eyes(seen, memory)
        body = self.body(features)
        advantage = self.advantage(body)
        legal = torch.ones_like(advantage) if action_mask is None else (action_mask > 0).to(torch.float32)
        mean = (advantage * legal).sum(dim=1, keepdim=True) / legal.sum(dim=1, keepdim=True).clamp(min=1.0)
        values = torch.where(legal > 0, self.vf(body) + advantage - mean, torch.full_like(advantage, ILLEGAL))
        return Heads(values, values.amax(dim=1), after)
