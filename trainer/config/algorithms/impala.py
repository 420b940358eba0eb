"""IMPALA: settings and capabilities."""

from __future__ import annotations

from pydantic import Field

from trainer.config.algorithms.algorithm import Algorithm, TrainingSettings


class IMPALASettings(TrainingSettings):
    """Importance-weighted actor-learner architecture with V-trace (Espeholt et al. 2018, arXiv 1802.01561)."""

    batch: int = Field(4096, ge=1)
    """Env steps per iteration, over all games."""
    minibatch: int = Field(4096, ge=1)
    """Decisions per gradient step."""
    sequence: int = Field(16, ge=2, le=512)
    """Length of V-trace sequences, in decisions of a seat."""
    entropy: float = Field(0.01, ge=0)
    """Coefficient of the entropy bonus."""
    value_loss: float = Field(0.5, ge=0)
    """Coefficient of the value loss."""


ALGORITHM = Algorithm(
    name="IMPALA", settings=IMPALASettings, implementation="trainer.algorithms.impala", asynchronous=True,
)  # fmt: skip
