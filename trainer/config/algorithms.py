"""The settings of each algorithm, by RLlib's names; section ``training`` of a run."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from trainer.config.sections import Section

Share = Annotated[float, Field(ge=0, le=1)]

AlgorithmName = Literal["PPO", "A2C", "APPO", "IMPALA", "DQN", "SAC"]


class TrainingSettings(Section):
    """What all of them have."""

    lr: float = Field(5e-4, gt=0, le=1)
    """Step size of Adam."""
    gamma: float = Field(0.995, gt=0, le=1)
    """Discount a decision."""
    batch: int = Field(16384, ge=1)
    """Env steps an iteration, all games together."""
    minibatch: int = Field(2048, ge=1)
    """Decisions a gradient step."""
    grad_clip: float = Field(0.5, gt=0)
    """Norm of the gradient at most."""


class PPOSettings(TrainingSettings):
    """Proximal policy optimisation (Schulman et al. 2017, arXiv 1707.06347)."""

    lambda_: float = Field(0.95, ge=0, le=1)
    """Of generalised advantage estimation."""
    clip: float = Field(0.2, gt=0)
    """Of the probability ratio."""
    entropy: float = Field(0.01, ge=0)
    """Coefficient of the entropy bonus."""
    value_loss: float = Field(0.5, ge=0)
    """Coefficient of the value loss."""
    epochs: int = Field(3, ge=1, le=100)
    """Passes over a batch.  Policies learn side by side, a minibatch of each at a time, until the one with the most
    decisions has done them: one with fewer passes over its own more often."""
    pull: float = Field(0.0, ge=0, le=100)
    """Toward the snapshot that the run starts from, such as a clone: coefficient of KL(snapshot || policy), which is
    kickstarting's cross-entropy (Schmitt et al. 2018, arXiv 1803.03835) but for a constant.  0: none."""
    pull_steps: int = Field(1_000_000, ge=1)
    """Env steps over which the pull fades, evenly, to nothing."""


class A2CSettings(TrainingSettings):
    """Advantage actor-critic, as PPO with one epoch, one minibatch, no clipping and no normalisation of advantages:
    the same algorithm then (Huang et al. 2022, arXiv 2205.09123)."""

    lr: float = Field(1e-3, gt=0, le=1)
    """Step size of Adam."""
    batch: int = Field(2048, ge=1)
    """Env steps an iteration, all games together."""
    lambda_: float = Field(1.0, ge=0, le=1)
    """Of generalised advantage estimation."""
    entropy: float = Field(0.01, ge=0)
    """Coefficient of the entropy bonus."""
    value_loss: float = Field(0.5, ge=0)
    """Coefficient of the value loss."""
    minibatch: Literal[0] = 0
    """Always the whole batch."""


class IMPALASettings(TrainingSettings):
    """Importance-weighted actor-learner architecture with V-trace (Espeholt et al. 2018, arXiv 1802.01561)."""

    batch: int = Field(4096, ge=1)
    """Env steps an iteration, all games together."""
    minibatch: int = Field(4096, ge=1)
    """Decisions a gradient step."""
    sequence: int = Field(16, ge=2, le=512)
    """Decisions of a seat that V-trace looks at together."""
    entropy: float = Field(0.01, ge=0)
    """Coefficient of the entropy bonus."""
    value_loss: float = Field(0.5, ge=0)
    """Coefficient of the value loss."""


class APPOSettings(IMPALASettings):
    """Asynchronous PPO: IMPALA with PPO's clipped loss and a target network (Luo et al. 2020, arXiv 1912.00167)."""

    clip: float = Field(0.2, gt=0)
    """Of the probability ratio."""


class ReplaySettings(TrainingSettings):
    """What algorithms with a replay buffer have."""

    gamma: float = Field(0.99, gt=0, le=1)
    """Discount a decision."""
    batch: int = Field(512, ge=1)
    """Env steps an iteration, all games together."""
    minibatch: int = Field(256, ge=1)
    """Decisions a gradient step, drawn from the buffer."""
    capacity: int = Field(100_000, ge=1)
    """Decisions that the buffer of a policy holds."""
    learning_starts: int = Field(2_000, ge=0)
    """Env steps before the first update."""
    updates: int = Field(4, ge=1)
    """Gradient steps an iteration."""
    n_step: int = Field(1, ge=1, le=32)
    """Decisions whose rewards are summed before the value of what follows."""
    target_every: int = Field(500, ge=0)
    """Env steps between two updates of the target network; 0: at every gradient step."""


class DQNSettings(ReplaySettings):
    """Double, duelling deep Q-learning (Mnih et al. 2015; van Hasselt et al. 2015; Wang et al. 2016)."""

    epsilon: tuple[Share, Share] = (1.0, 0.05)
    """Share of random actions at the start and in the end."""
    epsilon_steps: int = Field(20_000, ge=1)
    """Env steps from the one to the other."""
    tau: float = Field(1.0, gt=0, le=1)
    """Share of the new weights in the target network at each update of it."""


class SACSettings(ReplaySettings):
    """Soft actor-critic (Haarnoja et al. 2018, arXiv 1812.05905; discrete: Christodoulou 2019, arXiv 1910.07207)."""

    lr: float = Field(3e-4, gt=0, le=1)
    """Step size of Adam."""
    tau: float = Field(5e-3, gt=0, le=1)
    """Share of the new weights in the target network at each update of it."""
    target_every: int = Field(0, ge=0)
    """Env steps between two updates of the target network; 0: at every gradient step."""
    updates: int = Field(16, ge=1)
    """Gradient steps an iteration."""
    initial_alpha: float = Field(0.1, gt=0)
    """Temperature at the start."""
    entropy_share: float = Field(0.5, ge=0, le=1)
    """Discrete actions: share of the highest entropy that the temperature aims at (the paper's 0.98 stays all but
    random in games of many moves); boxes: minus the number of entries."""


SETTINGS: dict[AlgorithmName, type[TrainingSettings]] = {
    "PPO": PPOSettings, "A2C": A2CSettings, "APPO": APPOSettings, "IMPALA": IMPALASettings,
    "DQN": DQNSettings, "SAC": SACSettings,
}  # fmt: skip
