"""A2C: settings and capabilities."""

from __future__ import annotations

from typing import Literal

from trainer.config.algorithms.algorithm import Algorithm, Batch, Entropy, Lambda, StepSize, TrainingSettings, ValueLoss


class A2CSettings(TrainingSettings):
    """Advantage actor-critic, as PPO with one epoch, one minibatch, no clipping and no normalisation of advantages:
    the same algorithm then (Huang et al. 2022, arXiv 2205.09123)."""

    lr: StepSize = 1e-3
    batch: Batch = 2048
    lambda_: Lambda = 1.0
    entropy: Entropy = 0.01
    value_loss: ValueLoss = 0.5
    minibatch: Literal[0] = 0
    """Always the whole batch."""


ALGORITHM = Algorithm(
    name="A2C", settings=A2CSettings, implementation="trainer.algorithms.a2c",
    central_critic=True, recurrent=True,
)  # fmt: skip
