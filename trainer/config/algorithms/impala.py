"""IMPALA and APPO: settings and capabilities."""

from __future__ import annotations

from pydantic import Field

from trainer.config.algorithms.algorithm import (
    ActorCriticSettings,
    Algorithm,
    Batch,
    ClipRange,
    KLPenaltySettings,
    Minibatch,
    ValueScaleSettings,
)


class IMPALASettings(ValueScaleSettings, KLPenaltySettings, ActorCriticSettings):
    """Importance-weighted actor-learner architecture with V-trace (Espeholt et al. 2018, arXiv 1802.01561)."""

    batch: Batch = 4096
    minibatch: Minibatch = 4096
    sequence: int = Field(16, ge=2, le=512)
    """Length of V-trace sequences, in decisions of a seat."""


IMPALA = Algorithm(
    name="IMPALA", settings=IMPALASettings, implementation="trainer.algorithms.impala", asynchronous=True,
)  # fmt: skip


class APPOSettings(IMPALASettings):
    """Asynchronous PPO: IMPALA with PPO's clipped loss and a target network (Luo et al. 2020, arXiv 1912.00167)."""

    minibatch: Minibatch = 1024
    clip: ClipRange = 0.2
    epochs: int = Field(2, ge=1, le=100)
    """Passes over a batch, to all of which the target network is the policy before the first."""


APPO = Algorithm(
    name="APPO", settings=APPOSettings, implementation="trainer.algorithms.appo", asynchronous=True,
)  # fmt: skip
