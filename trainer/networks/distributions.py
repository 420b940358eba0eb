"""Draws: how actions come from what a network puts out, in numpy for the runner and in torch for the graph."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from torch import Tensor

from agents.policies.draws import RandomNumbers

Array = NDArray[Any]


class Draws(ABC):
    """`inputs` are a network's rows (B, width); `actions` are as the learner wants them."""

    width: int  # numbers a row of inputs

    @abstractmethod
    def draw(self, inputs: Array, rng: RandomNumbers) -> tuple[Array, Array]:
        """Actions (B, …) and their log probabilities, float32 (B,)."""

    def play(self, inputs: Array, rng: RandomNumbers) -> Array:
        """Actions as a snapshot draws them: the same unless something is tried out only to learn from it."""
        return self.draw(inputs, rng)[0]

    @abstractmethod
    def to_env(self, actions: Array) -> Array:
        """The actions as the env takes them: its dtype, counted from its start, within its bounds."""

    def from_env(self, actions: Array) -> Array:
        """The way back: the env's actions (B, *action shape) as the learner wants them."""
        raise TypeError(f"expected draws by log probabilities, got: {type(self).__name__}")

    @abstractmethod
    def outputs(self, inputs: Tensor) -> dict[str, Tensor]:
        """The action outputs of a snapshot's graph, by the names of agents/frozen.py."""

    def log_probability(self, inputs: Tensor, actions: Tensor) -> Tensor:
        """Of actions as the learner has them, from inputs (…, width): (…), of a box the density's logarithm."""
        raise TypeError(f"expected draws by log probabilities, got: {type(self).__name__}")

    def divergence(self, other: Tensor, own: Tensor) -> Tensor:
        """KL(other || own) of two rows of inputs (…, width) each, (…): how far `own` is from what `other` draws."""
        raise TypeError(f"expected draws by log probabilities, got: {type(self).__name__}")

    def settled(self, inputs: Array) -> NDArray[np.bool_]:
        """(B,): whether `outputs` would be much the same were the last digits of the row's inputs others."""
        return np.ones(len(inputs), np.bool_)


class Categorical(Draws):
    """One of n; inputs are logits, actions int64 (B,), counted from 0."""

    def __init__(self, space: spaces.Discrete[Any]) -> None:
        self.width, self._start = int(space.n), int(space.start)

    def draw(self, inputs: Array, rng: RandomNumbers) -> tuple[Array, Array]:
        return _pick(inputs, rng)

    def to_env(self, actions: Array) -> Array:
        return actions + self._start

    def from_env(self, actions: Array) -> Array:
        return actions.astype(np.int64) - self._start

    def outputs(self, inputs: Tensor) -> dict[str, Tensor]:
        return {"action_probabilities": torch.softmax(inputs, dim=1)}

    def log_probability(self, inputs: Tensor, actions: Tensor) -> Tensor:
        return _log_probability(inputs, actions)

    def divergence(self, other: Tensor, own: Tensor) -> Tensor:
        return _divergence(other, own)


class MultiCategorical(Draws):
    """One of n for each part; inputs are the parts' logits side by side, actions int64 (B, parts), from 0."""

    def __init__(self, space: spaces.MultiDiscrete) -> None:
        self.parts = tuple(int(n) for n in space.nvec.reshape(-1))
        self.width, self._space = sum(self.parts), space

    def draw(self, inputs: Array, rng: RandomNumbers) -> tuple[Array, Array]:
        drawn = [_pick(part, rng) for part in np.split(inputs, np.cumsum(self.parts)[:-1], axis=1)]
        logp = np.asarray(np.sum([logp for _, logp in drawn], axis=0, dtype=np.float32))
        return np.stack([actions for actions, _ in drawn], axis=1), logp

    def to_env(self, actions: Array) -> Array:
        return actions.reshape(-1, *self._space.shape).astype(self._space.dtype)

    def from_env(self, actions: Array) -> Array:
        return actions.reshape(len(actions), -1).astype(np.int64)

    def outputs(self, inputs: Tensor) -> dict[str, Tensor]:
        shares = [torch.softmax(part, dim=1) for part in inputs.split(self.parts, dim=1)]
        return {"action_probabilities": torch.cat(shares, dim=1)}

    def log_probability(self, inputs: Tensor, actions: Tensor) -> Tensor:
        parts = zip(inputs.split(self.parts, dim=-1), actions.unbind(-1), strict=True)
        return torch.stack([_log_probability(part, chosen) for part, chosen in parts]).sum(0)

    def divergence(self, other: Tensor, own: Tensor) -> Tensor:
        pairs = zip(other.split(self.parts, dim=-1), own.split(self.parts, dim=-1), strict=True)
        return torch.stack([_divergence(theirs, ours) for theirs, ours in pairs]).sum(0)


class Bernoulli(Draws):
    """Bits; inputs are (B, 2 x bits), the logits of 0 and of 1 for each, actions int64 (B, bits)."""

    def __init__(self, space: spaces.MultiBinary) -> None:
        self.bits, self._space = int(np.prod(space.shape)), space
        self.width = 2 * self.bits

    def draw(self, inputs: Array, rng: RandomNumbers) -> tuple[Array, Array]:
        actions, logp = _pick(inputs.reshape(-1, 2), rng)
        return actions.reshape(-1, self.bits), logp.reshape(-1, self.bits).sum(axis=1)

    def to_env(self, actions: Array) -> Array:
        return actions.reshape(-1, *self._space.shape).astype(self._space.dtype)

    def from_env(self, actions: Array) -> Array:
        return actions.reshape(len(actions), -1).astype(np.int64)

    def outputs(self, inputs: Tensor) -> dict[str, Tensor]:
        pairs = inputs.reshape(-1, self.bits, 2)
        return {"action_probabilities": torch.sigmoid(pairs[:, :, 1] - pairs[:, :, 0])}

    def log_probability(self, inputs: Tensor, actions: Tensor) -> Tensor:
        return _log_probability(inputs.unflatten(-1, (-1, 2)), actions).sum(-1)

    def divergence(self, other: Tensor, own: Tensor) -> Tensor:
        return _divergence(other.unflatten(-1, (-1, 2)), own.unflatten(-1, (-1, 2))).sum(-1)


class Gaussian(Draws):
    """A number for each entry of a box; inputs are means and log standard deviations side by side.

    Actions, float32 (B, entries), are in units of half the box's width about its middle where it has bounds on both
    sides, so that the same network suits every box; they are cut to the bounds on the way to the env only.
    """

    def __init__(self, space: spaces.Box) -> None:
        low, high = space.low.reshape(-1).astype(np.float32), space.high.reshape(-1).astype(np.float32)
        bounded = np.isfinite(low) & np.isfinite(high) & (high > low)
        with np.errstate(invalid="ignore", over="ignore"):
            self._middle = np.where(bounded, low / 2 + high / 2, 0.0).astype(np.float32)
            self._half = np.where(bounded, high / 2 - low / 2, 1.0).astype(np.float32)
        self.entries, self._space = len(low), space
        self.width = 2 * self.entries

    def draw(self, inputs: Array, rng: RandomNumbers) -> tuple[Array, Array]:
        mean, log_std = np.split(inputs, 2, axis=1)
        noise = rng.standard_normal(mean.shape, dtype=np.float32)
        logp = (-0.5 * noise**2 - log_std - 0.5 * np.log(2 * np.pi)).sum(axis=1)
        return mean + np.exp(log_std) * noise, logp.astype(np.float32)

    def to_env(self, actions: Array) -> Array:
        shaped = (self._middle + self._half * actions).reshape(-1, *self._space.shape)
        clipped = np.clip(shaped, self._space.low, self._space.high)
        whole = np.issubdtype(self._space.dtype, np.integer)
        return np.asarray(np.rint(clipped) if whole else clipped, self._space.dtype)

    def from_env(self, actions: Array) -> Array:
        flat: Array = (actions.reshape(len(actions), -1).astype(np.float32) - self._middle) / self._half
        return flat

    def outputs(self, inputs: Tensor) -> dict[str, Tensor]:
        mean, log_std = inputs.chunk(2, dim=1)
        mean = torch.as_tensor(self._middle) + torch.as_tensor(self._half) * mean
        log_std = log_std + torch.as_tensor(np.log(self._half))
        shape = (-1, *self._space.shape)
        return {"action_mean": mean.reshape(shape), "action_log_std": log_std.reshape(shape)}

    def log_probability(self, inputs: Tensor, actions: Tensor) -> Tensor:
        mean, log_std = inputs.chunk(2, dim=-1)
        return (-0.5 * ((actions - mean) / log_std.exp()) ** 2 - log_std - 0.5 * math.log(2 * math.pi)).sum(-1)

    def divergence(self, other: Tensor, own: Tensor) -> Tensor:
        (mean, log_std), (own_mean, own_log_std) = other.chunk(2, dim=-1), own.chunk(2, dim=-1)
        squares = torch.exp(2 * log_std) + (mean - own_mean) ** 2
        return (own_log_std - log_std + squares / (2 * torch.exp(2 * own_log_std)) - 0.5).sum(-1)


def make_draws(space: Any) -> Draws:
    """The draws of an actor whose actions are learnt by their log probabilities."""
    kinds = {"Discrete": Categorical, "MultiDiscrete": MultiCategorical, "MultiBinary": Bernoulli, "Box": Gaussian}
    made: Draws = kinds[type(space).__name__](space)
    return made


def _log_probability(logits: Tensor, chosen: Tensor) -> Tensor:
    """Of index `chosen` (…) among logits (…, n)."""
    return torch.log_softmax(logits, dim=-1).gather(-1, chosen.unsqueeze(-1)).squeeze(-1)


def _divergence(other: Tensor, own: Tensor) -> Tensor:
    """Of the choices behind two rows of logits (…, n); one that is illegal in both adds nothing."""
    theirs, ours = torch.log_softmax(other, dim=-1), torch.log_softmax(own, dim=-1)
    return (theirs.exp() * (theirs - ours)).sum(-1)


def _pick(logits: Array, rng: RandomNumbers) -> tuple[Array, Array]:
    """An index a row, int64 (B,), and its log probability, float32 (B,)."""
    shifted = logits - logits.max(axis=1, keepdims=True)
    cumulative = np.exp(shifted).cumsum(axis=1, dtype=np.float64)
    totals = cumulative[:, -1:]
    # Strictly below the total, so that an entry of probability 0 is never picked.
    actions = np.count_nonzero(cumulative <= rng.random(totals.shape) * totals, axis=1)
    logp = shifted[np.arange(len(actions)), actions] - np.log(totals[:, 0])
    return actions.astype(np.int64), logp.astype(np.float32)
