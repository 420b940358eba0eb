"""DQN and SAC: settings and capabilities."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from trainer.config.algorithms.algorithm import (
    AdamSettings,
    Algorithm,
    Batch,
    Discount,
    KLPenaltySettings,
    StepSize,
    Updates,
)

TICKS = {"capacity": 1000, "learning_starts": 32, "epsilon_steps": 1000, "target_every": 16}
"""Settings in decisions or env steps, by ticks of each game: of many games side by side they are larger than their
defaults, which suit some twenty games."""

FRAGMENT = 4
"""Ticks in an iteration."""

Share = Annotated[float, Field(ge=0, le=1)]
TargetSteps = Annotated[
    int,
    Field(
        ge=0, le=10**12, description="Env steps between two updates of the target network; 0: at every gradient step."
    ),
]
TargetShare = Annotated[
    float, Field(gt=0, le=1, description="Share of the new weights in the target network at each update of it.")
]


class ReplaySettings(AdamSettings):
    """Settings of algorithms with a replay buffer."""

    gamma: Discount = 0.99
    batch: Batch = 512
    minibatch: int = Field(256, ge=1, le=2**22)
    """Decisions per gradient step, drawn from the buffer."""
    capacity: int = Field(100_000, ge=1, le=10**9)
    """Capacity of a policy's buffer, in decisions."""
    learning_starts: int = Field(2_000, ge=0, le=10**12)
    """Env steps before the first update."""
    updates: Updates = 4
    n_step: int = Field(1, ge=1, le=32)
    """Decisions whose rewards are summed before bootstrapping, fewer only where the episode ends."""
    target_every: TargetSteps = 500


def suited(kind: type[ReplaySettings], *, games: int, batch: int, minibatch: int, steps: int) -> dict[str, int]:
    """The settings of DQN or SAC that suit so many games side by side, and a run of so many env steps, 0 without end.

    Each decision is learnt from as often as by the defaults, and exploration ends in the first half of the run.
    """
    usual: dict[str, int] = {name: field.default for name, field in kind.model_fields.items()}
    found = {name: max(usual[name], ticks * games) for name, ticks in TICKS.items() if usual.get(name)}
    if steps and "epsilon_steps" in found:
        found["epsilon_steps"] = max(usual["epsilon_steps"], min(found["epsilon_steps"], steps // 2))
    often = usual["updates"] * usual["minibatch"] / usual["batch"]
    return found | {"updates": max(1, round(often * batch / minibatch))}


class DQNSettings(KLPenaltySettings, ReplaySettings):
    """Double, duelling deep Q-learning (Mnih et al. 2015; van Hasselt et al. 2015; Wang et al. 2016)."""

    epsilon: tuple[Share, Share] = (1.0, 0.05)
    """Share of random actions at the start and in the end."""
    epsilon_steps: int = Field(20_000, ge=1, le=10**12)
    """Env steps from the one to the other."""
    tau: TargetShare = 1.0
    kl_temperature: float = Field(0.1, ge=1e-3, le=1000)
    """Temperature by which action values are a policy for the KL penalty, softmax(Q / temperature); the reference may
    be the policy of another algorithm, too, with the same layers."""


DQN = Algorithm(
    name="DQN", settings=DQNSettings, implementation="trainer.algorithms.dqn",
    actions=("Discrete",), shared_encoder=False, actor_critic=False,
)  # fmt: skip


class SACSettings(KLPenaltySettings, ReplaySettings):
    """Soft actor-critic (Haarnoja et al. 2018, arXiv 1812.05905; discrete: Christodoulou 2019, arXiv 1910.07207)."""

    lr: StepSize = 3e-4
    tau: TargetShare = 5e-3
    target_every: TargetSteps = 0
    updates: Updates = 16
    initial_alpha: float = Field(0.1, gt=0, le=1000)
    """Temperature at the start."""
    entropy_share: float = Field(0.5, ge=0, le=1)
    """Discrete actions: share of the highest entropy that the temperature aims at (the paper's 0.98 stays all but
    random in games of many moves); boxes: minus the number of entries."""


SAC = Algorithm(
    name="SAC", settings=SACSettings, implementation="trainer.algorithms.sac",
    actions=("Discrete", "Box"), needs_bounds=True, shared_encoder=False, actor_critic=False,
)  # fmt: skip
