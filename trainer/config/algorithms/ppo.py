"""PPO and A2C: their own settings and capabilities."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from trainer.config.algorithms.algorithm import (
    ActorCriticSettings,
    Algorithm,
    Batch,
    ClipRange,
    KLPenaltySettings,
    StepSize,
    ValueScaleSettings,
)

Lambda = Annotated[float, Field(ge=0, le=1, description="Lambda of generalised advantage estimation.")]


class PPOSettings(ValueScaleSettings, KLPenaltySettings, ActorCriticSettings):
    """Proximal policy optimisation (Schulman et al. 2017, arXiv 1707.06347)."""

    lambda_: Lambda = 0.95
    clip: ClipRange = 0.2
    epochs: int = Field(3, ge=1, le=100)
    """Passes over a batch.  Policies learn side by side, one minibatch of each at a time, until the one with the most
    decisions is done; policies with fewer decisions make more passes."""
    kl_stop: float = Field(0.0, ge=0, le=100)
    """A policy learns no more from a batch once a minibatch's KL divergence from the policy that played it is larger
    (target_kl of Spinning Up, Achiam 2018); 0: never."""


PPO = Algorithm(
    name="PPO", settings=PPOSettings, implementation="trainer.algorithms.ppo",
    central_critic=True, recurrent=True,
)  # fmt: skip


class A2CSettings(ValueScaleSettings, KLPenaltySettings, ActorCriticSettings):
    """Advantage actor-critic, as PPO with one epoch, one minibatch, no clipping and no normalisation of advantages:
    the same algorithm then (Huang et al. 2022, arXiv 2205.09123)."""

    lr: StepSize = 1e-3
    batch: Batch = 2048
    lambda_: Lambda = 1.0
    minibatch: Literal[0] = 0
    """Always the whole batch."""


A2C = Algorithm(
    name="A2C", settings=A2CSettings, implementation="trainer.algorithms.a2c",
    central_critic=True, recurrent=True,
)  # fmt: skip
