"""SAC: settings and capabilities."""

from __future__ import annotations

from pydantic import Field

from trainer.config.algorithms.algorithm import Algorithm, ReplaySettings, StepSize, TargetShare, TargetSteps, Updates


class SACSettings(ReplaySettings):
    """Soft actor-critic (Haarnoja et al. 2018, arXiv 1812.05905; discrete: Christodoulou 2019, arXiv 1910.07207)."""

    lr: StepSize = 3e-4
    tau: TargetShare = 5e-3
    target_every: TargetSteps = 0
    updates: Updates = 16
    initial_alpha: float = Field(0.1, gt=0)
    """Temperature at the start."""
    entropy_share: float = Field(0.5, ge=0, le=1)
    """Discrete actions: share of the highest entropy that the temperature aims at (the paper's 0.98 stays all but
    random in games of many moves); boxes: minus the number of entries."""


ALGORITHM = Algorithm(
    name="SAC", settings=SACSettings, implementation="trainer.algorithms.sac",
    actions=("Discrete", "Box"), needs_bounds=True, shared_encoder=False, actor_critic=False,
)  # fmt: skip
