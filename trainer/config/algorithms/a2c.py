"""A2C: settings and capabilities."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from trainer.config.algorithms.algorithm import Algorithm, TrainingSettings


class A2CSettings(TrainingSettings):
    """Advantage actor-critic, as PPO with one epoch, one minibatch, no clipping and no normalisation of advantages:
    the same algorithm then (Huang et al. 2022, arXiv 2205.09123)."""

    lr: float = Field(1e-3, gt=0, le=1)
    """Step size of Adam."""
    batch: int = Field(2048, ge=1)
    """Env steps per iteration, over all games."""
    lambda_: float = Field(1.0, ge=0, le=1)
    """Lambda of generalised advantage estimation."""
    entropy: float = Field(0.01, ge=0)
    """Coefficient of the entropy bonus."""
    value_loss: float = Field(0.5, ge=0)
    """Coefficient of the value loss."""
    minibatch: Literal[0] = 0
    """Always the whole batch."""


ALGORITHM = Algorithm(
    name="A2C", settings=A2CSettings, implementation="trainer.algorithms.a2c",
    central_critic=True, recurrent=True,
)  # fmt: skip
