"""How much a network agrees with recorded play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from trainer.imitation.lessons import Array, Lesson
from trainer.imitation.recurrent_pass import RecurrentPass
from trainer.networks.distributions import Bernoulli, Categorical, Draws, Gaussian, MultiCategorical

CLOSE = 0.1
"""Entries of boxes agree within this share of half the box's width."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Over all decisions of some lessons, each counted once whatever its weight."""

    decisions: int
    accuracy: float  # share in which the likeliest action is what was done, all parts of it
    log_likelihood: float  # mean of the logarithm of the chance, of a box of the density, of what was done


def measure(draws: Draws, lessons: Sequence[Lesson], walked: RecurrentPass) -> Figures:
    """What the network, `walked` over the lessons, makes of them."""
    actions = np.concatenate([lesson.actions for lesson in lessons])
    logp, agrees = compare(draws, np.concatenate(walked.inputs), actions)
    return Figures(len(actions), float(agrees.mean()), float(logp.mean()))


def compare(draws: Draws, inputs: Array, actions: Array) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The log probability of each row's action, and whether it is the likeliest, (B,) each."""
    match draws:
        case Categorical():
            parts, done = [inputs], actions[:, None]
        case MultiCategorical():
            parts, done = np.split(inputs, np.cumsum(draws.parts)[:-1], axis=1), actions
        case Bernoulli():
            parts, done = list(inputs.reshape(len(inputs), -1, 2).transpose(1, 0, 2)), actions
        case Gaussian():
            return _compare_numbers(inputs, actions)
        case _:
            raise TypeError(f"expected draws by log probabilities, got: {type(draws).__name__}")
    logps = [torch.log_softmax(torch.as_tensor(part, dtype=torch.float64), dim=1).numpy() for part in parts]
    rows = np.arange(len(actions))
    logp = np.sum([part[rows, done[:, i]] for i, part in enumerate(logps)], axis=0)
    agrees = np.asarray(np.all([part.argmax(axis=1) == done[:, i] for i, part in enumerate(logps)], axis=0))
    return np.asarray(logp, np.float64), agrees


def _compare_numbers(inputs: Array, actions: Array) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    mean, log_std = np.split(inputs.astype(np.float64), 2, axis=1)
    off = actions - mean
    logp = (-0.5 * (off / np.exp(log_std)) ** 2 - log_std - 0.5 * np.log(2 * np.pi)).sum(axis=1)
    return logp, np.asarray((np.abs(off) <= CLOSE).all(axis=1))
