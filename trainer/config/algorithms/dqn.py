"""DQN: settings and capabilities."""

from __future__ import annotations

from pydantic import Field

from trainer.config.algorithms.algorithm import Algorithm, ReplaySettings, Share, TargetShare


class DQNSettings(ReplaySettings):
    """Double, duelling deep Q-learning (Mnih et al. 2015; van Hasselt et al. 2015; Wang et al. 2016)."""

    epsilon: tuple[Share, Share] = (1.0, 0.05)
    """Share of random actions at the start and in the end."""
    epsilon_steps: int = Field(20_000, ge=1)
    """Env steps from the one to the other."""
    tau: TargetShare = 1.0


ALGORITHM = Algorithm(
    name="DQN", settings=DQNSettings, implementation="trainer.algorithms.dqn",
    actions=("Discrete",), shared_encoder=False, actor_critic=False,
)  # fmt: skip
