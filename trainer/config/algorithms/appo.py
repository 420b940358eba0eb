"""APPO: settings and capabilities."""

from __future__ import annotations

from trainer.config.algorithms.algorithm import Algorithm, ClipRange
from trainer.config.algorithms.impala import IMPALASettings


class APPOSettings(IMPALASettings):
    """Asynchronous PPO: IMPALA with PPO's clipped loss and a target network (Luo et al. 2020, arXiv 1912.00167)."""

    clip: ClipRange = 0.2


ALGORITHM = Algorithm(
    name="APPO", settings=APPOSettings, implementation="trainer.algorithms.appo", asynchronous=True,
)  # fmt: skip
