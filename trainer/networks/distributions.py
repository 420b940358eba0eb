"""Action distributions: actions from a network's outputs, in numpy for runners and in torch for losses and graphs."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from torch import Tensor

from agents.policies.batch import RandomNumbers

Array = NDArray[Any]


class ActionDistribution(ABC):
    """`inputs` are a network's rows (B, width); `actions` are the learner's: numbers from 0, or scaled boxes."""

    def __init__(self, space: Any, width: int) -> None:
        self.width, self._space, self._start = width, space, getattr(space, "start", 0)

    @abstractmethod
    def sample(self, inputs: Array, rng: RandomNumbers) -> tuple[Array, Array]:
        """Actions (B, …) and their log probabilities, float32 (B,)."""

    def play(self, inputs: Array, rng: RandomNumbers) -> Array:
        """Actions (B, …) as a snapshot draws them: without exploration that only serves learning."""
        return self.sample(inputs, rng)[0]

    def to_env(self, actions: Array) -> Array:
        """The env's actions (B, *action shape): its dtype, counted from its start, within its bounds."""
        shaped = actions.reshape(-1, *self._space.shape) + self._start
        return np.asarray(shaped, self._space.dtype)

    def from_env(self, actions: Array) -> Array:
        """The learner's actions for those of the env, (B, *action shape)."""
        return (actions.astype(np.int64) - self._start).reshape(len(actions), -1)

    @abstractmethod
    def graph_outputs(self, inputs: Tensor) -> dict[str, Tensor]:
        """The action outputs of a snapshot's graph, by the names of agents/frozen.py."""

    def log_probability(self, inputs: Tensor, actions: Tensor) -> Tensor:
        """The log probability, or a box's log density, (…) of the learner's actions for inputs (…, width)."""
        raise NotImplementedError

    def divergence(self, other: Tensor, own: Tensor) -> Tensor:
        """KL(other || own), (…), of two rows of inputs (…, width) each."""
        raise NotImplementedError

    def is_stable(self, inputs: Array) -> NDArray[np.bool_]:
        """(B,): whether rounding errors in a row's inputs leave `graph_outputs` much the same."""
        return np.ones(len(inputs), np.bool_)


class MultiCategorical(ActionDistribution):
    """One of n for each part; inputs are the parts' logits side by side, actions int64 (B, parts), from 0."""

    def __init__(self, space: Any, parts: Iterable[Any]) -> None:
        self.parts = tuple(map(int, parts))
        super().__init__(space, sum(self.parts))

    def sample(self, inputs: Array, rng: RandomNumbers) -> tuple[Array, Array]:
        drawn = [_pick(part, rng) for part in np.split(inputs, np.cumsum(self.parts)[:-1], axis=1)]
        logp = np.asarray(np.sum([logp for _, logp in drawn], axis=0, dtype=np.float32))
        return np.stack([actions for actions, _ in drawn], axis=1), logp

    def graph_outputs(self, inputs: Tensor) -> dict[str, Tensor]:
        shares = [torch.softmax(part, dim=1) for part in inputs.split(self.parts, dim=1)]
        return {"action_probabilities": torch.cat(shares, dim=1)}

    def log_probability(self, inputs: Tensor, actions: Tensor) -> Tensor:
        parts = zip(inputs.split(self.parts, dim=-1), actions.unbind(-1), strict=True)
        return torch.stack([_log_probability(part, chosen) for part, chosen in parts]).sum(0)

    def divergence(self, other: Tensor, own: Tensor) -> Tensor:
        pairs = zip(other.split(self.parts, dim=-1), own.split(self.parts, dim=-1), strict=True)
        return torch.stack([divergence_of_logits(*pair) for pair in pairs]).sum(0)


class Categorical(MultiCategorical):
    """One of n, as one part; actions are int64 (B,)."""

    def sample(self, inputs: Array, rng: RandomNumbers) -> tuple[Array, Array]:
        return _pick(inputs, rng)

    def from_env(self, actions: Array) -> Array:
        return actions.astype(np.int64) - self._start

    def graph_outputs(self, inputs: Tensor) -> dict[str, Tensor]:
        return {"action_probabilities": torch.softmax(inputs, dim=1)}

    def log_probability(self, inputs: Tensor, actions: Tensor) -> Tensor:
        return _log_probability(inputs, actions)


class Bernoulli(MultiCategorical):
    """Bits, as parts of two; the graph has the probability of 1 for each."""

    def graph_outputs(self, inputs: Tensor) -> dict[str, Tensor]:
        pairs = inputs.reshape(-1, len(self.parts), 2)
        return {"action_probabilities": torch.sigmoid(pairs[:, :, 1] - pairs[:, :, 0])}


class BoxDistribution(ActionDistribution):
    """A number for each entry of a box; inputs are means and log standard deviations side by side.

    Actions, float32 (B, entries), are in units of half the box's width about its middle where it has bounds on both
    sides, so that the same network suits every box.  They are clipped to the bounds only on the way to the env.
    """

    def __init__(self, space: spaces.Box) -> None:
        low, high = space.low.reshape(-1).astype(np.float32), space.high.reshape(-1).astype(np.float32)
        bounded = np.isfinite(low) & np.isfinite(high) & (high > low)
        with np.errstate(invalid="ignore", over="ignore"):
            self._middle = np.where(bounded, low / 2 + high / 2, 0.0).astype(np.float32)
            self._half = np.where(bounded, high / 2 - low / 2, 1.0).astype(np.float32)
        super().__init__(space, 2 * len(low))

    def to_env(self, actions: Array) -> Array:
        shaped = (self._middle + self._half * actions).reshape(-1, *self._space.shape)
        clipped = np.clip(shaped, self._space.low, self._space.high)
        whole = np.issubdtype(self._space.dtype, np.integer)
        return np.asarray(np.rint(clipped) if whole else clipped, self._space.dtype)

    def divergence(self, other: Tensor, own: Tensor) -> Tensor:
        """Of normal variables, and as well of those squashed by the same function."""
        (mean, log_std), (own_mean, own_log_std) = other.chunk(2, dim=-1), own.chunk(2, dim=-1)
        squares = torch.exp(2 * log_std) + (mean - own_mean) ** 2
        return (own_log_std - log_std + squares / (2 * torch.exp(2 * own_log_std)) - 0.5).sum(-1)

    def _in_env_units(self, mean: Tensor, log_std: Tensor) -> dict[str, Tensor]:
        """Graph outputs for a normal variable in the units of the actions."""
        middle, half = (torch.as_tensor(part, device=mean.device) for part in (self._middle, self._half))
        outputs = {"action_mean": middle + half * mean, "action_log_std": log_std + torch.log(half)}
        return {name: output.reshape(-1, *self._space.shape) for name, output in outputs.items()}


class Gaussian(BoxDistribution):
    """A normal variable for each entry."""

    def sample(self, inputs: Array, rng: RandomNumbers) -> tuple[Array, Array]:
        mean, log_std = np.split(inputs, 2, axis=1)
        noise = rng.standard_normal(mean.shape, dtype=np.float32)
        logp = (-0.5 * noise**2 - log_std - 0.5 * np.log(2 * np.pi)).sum(axis=1)
        return mean + np.exp(log_std) * noise, logp.astype(np.float32)

    def from_env(self, actions: Array) -> Array:
        flat: Array = (actions.reshape(len(actions), -1).astype(np.float32) - self._middle) / self._half
        return flat

    def graph_outputs(self, inputs: Tensor) -> dict[str, Tensor]:
        return self._in_env_units(*inputs.chunk(2, dim=1))

    def log_probability(self, inputs: Tensor, actions: Tensor) -> Tensor:
        mean, log_std = inputs.chunk(2, dim=-1)
        return (-0.5 * ((actions - mean) / log_std.exp()) ** 2 - log_std - 0.5 * math.log(2 * math.pi)).sum(-1)


def make_distribution(space: Any) -> ActionDistribution:
    """The distribution of an actor that learns from log probabilities."""
    match space:
        case spaces.Discrete():
            return Categorical(space, [space.n])
        case spaces.MultiDiscrete():
            return MultiCategorical(space, space.nvec.reshape(-1))
        case spaces.MultiBinary():
            return Bernoulli(space, [2] * int(np.prod(space.shape)))
    return Gaussian(space)


def _log_probability(logits: Tensor, chosen: Tensor) -> Tensor:
    """The log probability of index `chosen` (…) for logits (…, n)."""
    return torch.log_softmax(logits, dim=-1).gather(-1, chosen.unsqueeze(-1)).squeeze(-1)


def divergence_of_logits(other: Tensor, own: Tensor) -> Tensor:
    """KL(other || own) of two rows of logits (…, n); an action that is illegal in both adds nothing."""
    log_other, log_own = torch.log_softmax(other, dim=-1), torch.log_softmax(own, dim=-1)
    return (log_other.exp() * (log_other - log_own)).sum(-1)


def _pick(logits: Array, rng: RandomNumbers) -> tuple[Array, Array]:
    """One index for each row, int64 (B,), and its log probability, float32 (B,)."""
    shifted = logits - logits.max(axis=1, keepdims=True)
    cumulative = np.exp(shifted).cumsum(axis=1, dtype=np.float64)
    totals = cumulative[:, -1:]
    # Strictly below the total, so that an entry of probability 0 is never picked.
    actions = np.count_nonzero(cumulative <= rng.random(totals.shape) * totals, axis=1)
    logp = shifted[np.arange(len(actions)), actions] - np.log(totals[:, 0])
    return actions.astype(np.int64), logp.astype(np.float32)
