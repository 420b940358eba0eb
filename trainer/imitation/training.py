"""Behaviour cloning and MARWIL: losses and training loop in plain torch.

RLlib's learners have the same losses, but need a ray cluster and its start-up time to fit one classifier.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from trainer.config import ConfigError
from trainer.imitation.dataset import Array, Trajectory, correction_weight, returns
from trainer.imitation.network_outputs import Figures, NetworkOutputs, compare, mean, measure, piece_of, run_network
from trainer.imitation.order import ImitationSettings
from trainer.networks.actor_critic import ActorCritic
from trainer.networks.seat import SeatNetwork

OBS, ACTIONS, MASK, WEIGHTS, TARGETS = "obs", "actions", "action_mask", "weights", "value_targets"
MEMORY = "memory_"
"""Columns; those of the memory begin with MEMORY."""

SMALLEST_GAIN = 1e-4
"""In mean log-likelihood, for an epoch to count as better than the best one before."""

LAST_LR = 0.05
"""Share of the step size in the last epoch."""

NORM_RATE = 1e-2
"""Share of each minibatch in the running mean of squared advantages (Wang et al. 2018, section 4)."""


class Epochs:
    """All decisions that count, with their weights, whose mean is 1; a recurrent network has sequences of them.

    Rows without a decision, or with one that does not count, have the weight 0.  A corrected decision has `correction`
    times the weight of another.
    """

    def __init__(
        self, network: SeatNetwork, trajectories: Sequence[Trajectory], *, sequence: int, gamma: float, noise: float,
        seed: int, correction: float = 1.0,
    ) -> None:  # fmt: skip
        self._network, self._sequence, self._gamma, self._noise = network, sequence, gamma, noise
        self.trajectories = list(trajectories)
        self._piece = piece_of(network, sequence)
        self._rng = np.random.default_rng(seed)
        self._constant = self._constant_columns()
        weights = self._joined([trajectory.weights(correction) for trajectory in self.trajectories])
        self._constant[WEIGHTS] = weights / max(1e-9, float(weights[weights > 0].mean()))
        self._rows = np.flatnonzero(weights.reshape(len(weights), -1).any(axis=1))

    def __len__(self) -> int:
        """Number of rows of an epoch."""
        return len(self._rows)

    def next(self) -> dict[str, Array]:
        """The columns of the next epoch, with the present memory and bootstrapped returns of the network."""
        columns = self._constant | self._changing_columns()
        order = self._rng.permutation(self._rows)
        return self._blurred({name: column[order] for name, column in columns.items()})

    def _constant_columns(self) -> dict[str, Array]:
        columns = {
            OBS: self._joined([trajectory.seen[:-1] for trajectory in self.trajectories]),
            ACTIONS: self._joined([trajectory.actions for trajectory in self.trajectories]),
        }
        if self.trajectories[0].masks is not None:
            masks = [trajectory.masks[:-1] for trajectory in self.trajectories if trajectory.masks is not None]
            columns[MASK] = self._joined(masks, fill=1)
        return columns

    def _changing_columns(self) -> dict[str, Array]:
        outputs = run_network(self._network, self.trajectories, sequence=self._sequence)
        paid = [
            returns(trajectory, float(values[-1]), gamma=self._gamma)
            for trajectory, values in zip(self.trajectories, outputs.values, strict=True)
        ]
        columns = {TARGETS: self._joined(paid)}
        for name in outputs.memory[0]:
            columns[MEMORY + name] = np.concatenate([memory[name] for memory in outputs.memory])
        return columns

    def _blurred(self, columns: dict[str, Array]) -> dict[str, Array]:
        seen = columns[OBS]
        if self._noise and seen.dtype.kind == "f":
            spread = seen.std(axis=tuple(range(seen.ndim - 1)))
            noise = self._rng.standard_normal(seen.shape, dtype=np.float32) * (self._noise * spread)
            columns[OBS] = (seen + noise).astype(seen.dtype)
        return columns

    def _joined(self, parts: list[Array], *, fill: int = 0) -> Array:
        """Rows, or (S, piece, …) with each part padded by rows of `fill`."""
        piece = self._piece
        if piece == 1:
            return np.concatenate(parts)
        cut = []
        for part in parts:
            rest = np.full((-len(part) % piece, *part.shape[1:]), fill, part.dtype)
            cut.append(np.concatenate([part, rest]).reshape(-1, piece, *part.shape[1:]))
        return np.concatenate(cut)


@dataclass(frozen=True, slots=True)
class Epoch:
    """The figures of the network after an epoch."""

    number: int  # 0: before the first
    learnt: Figures  # on the training data
    validation: Figures | None  # on the part that chooses the epoch; None where there is none
    score: float  # by which the best epoch is chosen; `number` without validation


@dataclass(frozen=True, slots=True, eq=False)
class TrainedClone:
    network: SeatNetwork  # with the weights of `best`
    best: Epoch
    epochs: list[Epoch]  # all of them, in order
    held_out: Figures | None  # of the network, on the part by which nothing was learnt or chosen; None without one


class CloneTrainer:
    """Trains one clone: `run` it once.  `start` has the initial weights, and is not changed.

    MARWIL weighs the log-likelihood of each decision by exp(beta x advantage / norm); behaviour cloning is beta 0.  A
    critic learns the returns of the imitated play either way, so that self-play can start from the snapshot.

    `validation` chooses the epoch by its weighted likelihood: unweighted, the few corrected decisions would count for
    nothing and a policy that was not corrected at all would win.  `held_out` gives the reported figures alone.
    """

    def __init__(
        self, settings: ImitationSettings, *, start: SeatNetwork, trajectories: Sequence[Trajectory],
        sequence: int, validation: Sequence[Trajectory] = (), held_out: Sequence[Trajectory] = (),
    ) -> None:  # fmt: skip
        self._settings, self._sequence = settings, sequence
        self._validation, self._held_out = list(validation), list(held_out)
        self._correction = correction_weight(trajectories, settings.weight)
        self._network = copy.deepcopy(start)
        ignore(self._network, settings.ignore)
        self._data = Epochs(
            self._network, trajectories, sequence=sequence, gamma=settings.gamma, noise=settings.noise,
            seed=settings.seed, correction=self._correction,
        )  # fmt: skip
        self._usual = usual_advantage(self._data.trajectories, settings.gamma)
        # Squares of what a game pays: many points would drown the policy in the layers that it shares with the critic.
        self._value_weight = settings.value_loss / max(1.0, self._usual**2)
        self._beta = settings.beta if settings.algorithm == "marwil" else 0.0
        self._norm = self._usual**2
        most = settings.minibatch // sequence if self._network.recurrent else settings.minibatch
        self._rows = max(1, min(most, len(self._data)))
        self._optimizer = _make_optimizer(self._network, settings)

    def run(self, on_epoch: Callable[[Epoch], None] = lambda epoch: None) -> TrainedClone:
        """Train until the last epoch, or until the validation score stops rising."""
        epochs, best, weights = [self._measured(0)], 0, copy.deepcopy(self._network.state_dict())
        on_epoch(epochs[0])
        for number in range(1, self._settings.epochs + 1):
            self._pass(number)
            epochs.append(self._measured(number))
            on_epoch(epochs[-1])
            if epochs[-1].score > epochs[best].score + SMALLEST_GAIN:
                best, weights = number, copy.deepcopy(self._network.state_dict())
            elif self._validation and number - best >= self._settings.patience:
                break
        self._network.load_state_dict(weights)
        held_out = self._figures(self._held_out)[0] if self._held_out else None
        return TrainedClone(self._network, epochs[best], epochs, held_out)

    def _pass(self, number: int) -> None:
        """One epoch; the last minibatch is filled up with rows of the first."""
        done = (number - 1) / self._settings.epochs
        for group in self._optimizer.param_groups:
            group["lr"] = self._settings.lr * (1 - (1 - LAST_LR) * done)
        columns = {name: torch.from_numpy(column) for name, column in self._data.next().items()}
        count = len(columns[OBS])
        for first in range(0, count, self._rows):
            rows = torch.arange(first, first + self._rows) % count
            self._optimizer.zero_grad()
            self._loss({name: column[rows] for name, column in columns.items()}).backward()
            torch.nn.utils.clip_grad_norm_(self._network.parameters(), self._settings.grad_clip)
            self._optimizer.step()

    def _loss(self, batch: dict[str, Tensor]) -> Tensor:
        memory = {name: batch[MEMORY + name] for name in self._network.memory}
        forward = self._network.unroll if self._network.recurrent else self._network.decide
        heads = forward(batch[OBS], batch.get(MASK), memory)
        assert heads.value is not None
        counts = batch[WEIGHTS] > 0
        weights = batch[WEIGHTS][counts]
        terms = self._network.distribution.log_probability(heads.inputs, batch[ACTIONS])[counts]
        advantages = (batch[TARGETS] - heads.value)[counts]
        squares = (weights * advantages.square()).mean()
        if self._beta:
            self._norm += NORM_RATE * (float(squares.detach()) - self._norm)
            terms = terms * torch.exp(self._beta * advantages.detach() / (1e-8 + self._norm**0.5))
        return self._value_weight * 0.5 * squares - (weights * terms).mean()

    def _measured(self, number: int) -> Epoch:
        learnt, _ = self._figures(self._data.trajectories)
        if not self._validation:
            return Epoch(number, learnt, None, number)
        validation, outputs = self._figures(self._validation)
        score = validation.log_likelihood
        if self._settings.algorithm == "marwil":
            score = self._marwil_likelihood(outputs)
        return Epoch(number, learnt, validation, score)

    def _figures(self, trajectories: Sequence[Trajectory]) -> tuple[Figures, NetworkOutputs]:
        outputs = run_network(self._network, trajectories, sequence=self._sequence)
        return measure(self._network.distribution, trajectories, outputs, correction=self._correction), outputs

    def _marwil_likelihood(self, outputs: NetworkOutputs) -> float:
        """Mean log-likelihood of the decisions for validation, weighed as by MARWIL too."""
        terms, weights = [], []
        for trajectory, inputs, values in zip(self._validation, outputs.inputs, outputs.values, strict=True):
            better = returns(trajectory, float(values[-1]), gamma=self._settings.gamma) - values[:-1]
            terms.append(compare(self._network.distribution, inputs, trajectory.actions)[0])
            paid = np.exp(self._settings.beta * np.clip(better / self._usual, -5, 5))
            weights.append(trajectory.weights(self._correction) * paid)
        return mean(np.concatenate(terms), np.concatenate(weights))


def ignore(network: SeatNetwork, entries: Sequence[int]) -> None:
    """Fix the weights of the policy's first layer for these entries at 0; a critic with its own layers uses them all.

    Inputs that go along with a player's decisions without leading to them (its own speed, which reveals the last
    action) make a clone likelier on recordings and worse at play (de Haan et al. 2019, Causal confusion in imitation
    learning, arXiv 1905.11979).  Raises ConfigError where observations are not a vector.
    """
    if not entries:
        return
    assert isinstance(network, ActorCritic)
    eyes = network.eyes
    count = eyes.preprocess.shape[0]
    if eyes.preprocess.picture or max(entries) >= count or min(entries) < 0:
        seen = "a picture" if eyes.preprocess.picture else f"{count} numbers"
        raise ConfigError(f"ignore: expected indices into an observation, which is {seen}, got: {entries}")
    layer: Any = (network.pi if network.cell is None else network.body).layers[0]
    used = torch.ones(count)
    used[list(entries)] = 0
    used = used.repeat(eyes.width // count)  # once for each stacked observation
    with torch.no_grad():
        layer.weight.mul_(used)
    layer.weight.register_hook(lambda gradient: gradient * used)


def _make_optimizer(network: SeatNetwork, settings: ImitationSettings) -> torch.optim.Optimizer:
    """AdamW; biases and the like do not decay."""
    parameters = list(network.parameters())
    groups = [
        {"params": [one for one in parameters if one.ndim > 1], "weight_decay": settings.weight_decay},
        {"params": [one for one in parameters if one.ndim <= 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=settings.lr)


def usual_advantage(trajectories: Sequence[Trajectory], gamma: float) -> float:
    """Standard deviation of the returns, at least 0.001: the unit of advantages as MARWIL begins."""
    paid = [returns(trajectory, 0.0, gamma=gamma) for trajectory in trajectories]
    return max(1e-3, float(np.std(np.concatenate(paid))))
