"""PPO and A2C: their own settings and capabilities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from trainer.config.algorithms.algorithm import ActorCriticSettings, Algorithm, Batch, ClipRange, StepSize
from trainer.config.sections import MOST_STEPS

Lambda = Annotated[float, Field(ge=0, le=1, description="Lambda of generalised advantage estimation.")]

OLD_NAMES = {"pull": "kl_penalty", "pull_steps": "kl_penalty_steps"}
"""Names in settings files of older versions, and their names now."""


class PPOSettings(ActorCriticSettings):
    """Proximal policy optimisation (Schulman et al. 2017, arXiv 1707.06347)."""

    lambda_: Lambda = 0.95
    clip: ClipRange = 0.2
    epochs: int = Field(3, ge=1, le=100)
    """Passes over a batch.  Policies learn side by side, one minibatch of each at a time, until the one with the most
    decisions is done; policies with fewer decisions make more passes."""
    kl_penalty: float = Field(0.0, ge=0, le=100)
    """Coefficient of KL(snapshot || policy), which keeps the policy near the snapshot that the run starts from:
    kickstarting's cross-entropy (Schmitt et al. 2018, arXiv 1803.03835) but for a constant.  0: none."""
    kl_penalty_steps: int = Field(1_000_000, ge=1, le=MOST_STEPS)
    """Env steps over which the KL penalty fades linearly to 0."""

    @model_validator(mode="before")
    @classmethod
    def _take_old_names(cls, data: Any) -> Any:
        if not isinstance(data, Mapping) or not data.keys() & OLD_NAMES.keys():
            return data
        renamed = {OLD_NAMES[key]: value for key, value in data.items() if key in OLD_NAMES}
        return renamed | {key: value for key, value in data.items() if key not in OLD_NAMES}


PPO = Algorithm(
    name="PPO", settings=PPOSettings, implementation="trainer.algorithms.ppo",
    central_critic=True, recurrent=True,
)  # fmt: skip


class A2CSettings(ActorCriticSettings):
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
