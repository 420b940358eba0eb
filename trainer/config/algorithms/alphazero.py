"""AlphaZero: settings and capabilities."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from trainer.config.algorithms.algorithm import (
    Algorithm,
    Batch,
    Discount,
    GradClip,
    Minibatch,
    StepSize,
    TrainingSettings,
    Updates,
    ValueLoss,
)


class AlphaZeroSettings(TrainingSettings):
    """Self-play in which each move is searched, and the network learns what the search found (Silver et al. 2018,
    Science 362, 1140); for board games of two sides."""

    lr: StepSize = 1e-3
    gamma: Discount = 1.0
    batch: Batch = 4096
    minibatch: Minibatch = 512
    grad_clip: GradClip = 5.0
    search: Literal["gumbel", "puct"] = "gumbel"
    """gumbel: Gumbel AlphaZero, which learns from few simulations (Danihelka et al. 2022, Policy improvement by
    planning with Gumbel); puct: the search of the first paper, with noise at the root."""
    simulations: int = Field(32, ge=2, le=10_000)
    """Positions searched for each move."""
    considered: int = Field(16, ge=1, le=10_000)
    """gumbel: actions among which simulations are shared at the root, by sequential halving."""
    dirichlet_alpha: float = Field(0.5, gt=0, le=100)
    """puct: concentration of the noise at the root; the paper takes about 10 / (legal actions)."""
    dirichlet_ratio: float = Field(0.25, ge=0, le=1)
    """puct: share of the noise in the probabilities at the root."""
    temperature_moves: int = Field(12, ge=0, le=10_000)
    """puct: turns of an episode that are drawn by their visits; after them the most visited action is played."""
    value_loss: ValueLoss = 1.0
    weight_decay: float = Field(1e-4, ge=0, le=1)
    """Decay of the weights (AdamW: Loshchilov and Hutter 2019, arXiv 1711.05101)."""
    capacity: int = Field(50_000, ge=1, le=10**8)
    """Newest decisions of a policy that minibatches are drawn from; a resumed run collects them anew."""
    updates: Updates = 32


ALPHAZERO = Algorithm(
    name="AlphaZero", settings=AlphaZeroSettings, implementation="trainer.algorithms.alphazero",
    actions=("Discrete",), searches=True,
)  # fmt: skip
