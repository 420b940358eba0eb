"""IMPALA: settings and capabilities."""

from __future__ import annotations

from pydantic import Field

from trainer.config.algorithms.algorithm import Algorithm, Batch, Entropy, Minibatch, TrainingSettings, ValueLoss


class IMPALASettings(TrainingSettings):
    """Importance-weighted actor-learner architecture with V-trace (Espeholt et al. 2018, arXiv 1802.01561)."""

    batch: Batch = 4096
    minibatch: Minibatch = 4096
    sequence: int = Field(16, ge=2, le=512)
    """Length of V-trace sequences, in decisions of a seat."""
    entropy: Entropy = 0.01
    value_loss: ValueLoss = 0.5


ALGORITHM = Algorithm(
    name="IMPALA", settings=IMPALASettings, implementation="trainer.algorithms.impala", asynchronous=True,
)  # fmt: skip
