"""Algorithm: settings and capabilities, without importing ray or torch."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from types import ModuleType
from typing import Annotated

from pydantic import Field

from trainer.config.sections import Section

Share = Annotated[float, Field(ge=0, le=1)]

ALL_ACTIONS = ("Discrete", "Box", "MultiDiscrete", "MultiBinary")


# Settings whose defaults depend on the algorithm.
StepSize = Annotated[float, Field(gt=0, le=1, description="Step size of Adam.")]
Discount = Annotated[float, Field(gt=0, le=1, description="Discount per decision.")]
Batch = Annotated[int, Field(ge=1, description="Env steps per iteration, over all games.")]
Minibatch = Annotated[int, Field(ge=1, description="Decisions per gradient step.")]
Lambda = Annotated[float, Field(ge=0, le=1, description="Lambda of generalised advantage estimation.")]
Entropy = Annotated[float, Field(ge=0, description="Coefficient of the entropy bonus.")]
ValueLoss = Annotated[float, Field(ge=0, description="Coefficient of the value loss.")]
ClipRange = Annotated[float, Field(gt=0, description="Clipping range of the probability ratio.")]
Updates = Annotated[int, Field(ge=1, description="Gradient steps per iteration.")]
TargetSteps = Annotated[
    int, Field(ge=0, description="Env steps between two updates of the target network; 0: at every gradient step.")
]
TargetShare = Annotated[
    float, Field(gt=0, le=1, description="Share of the new weights in the target network at each update of it.")
]


class TrainingSettings(Section):
    """Settings of all algorithms."""

    lr: StepSize = 5e-4
    gamma: Discount = 0.995
    batch: Batch = 16384
    minibatch: Minibatch = 2048
    grad_clip: float = Field(0.5, gt=0)
    """Largest norm of the gradient."""


class ReplaySettings(TrainingSettings):
    """Settings of algorithms with a replay buffer."""

    gamma: Discount = 0.99
    batch: Batch = 512
    minibatch: int = Field(256, ge=1)
    """Decisions per gradient step, drawn from the buffer."""
    capacity: int = Field(100_000, ge=1)
    """Capacity of a policy's buffer, in decisions."""
    learning_starts: int = Field(2_000, ge=0)
    """Env steps before the first update."""
    updates: Updates = 4
    n_step: int = Field(1, ge=1, le=32)
    """Decisions whose rewards are summed before bootstrapping."""
    target_every: TargetSteps = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Algorithm:
    """An entry of ALGORITHMS."""

    name: str
    settings: type[TrainingSettings]
    """Section `training` of a run."""
    implementation: str
    """Name of a module for RLlib with `MODULE`, the RLModule of a policy, and `make_config(run)`, which returns an
    AlgorithmConfig with the algorithm's own settings, learner class and learner connector."""
    actions: tuple[str, ...] = ALL_ACTIONS
    """Kinds of action space, as names of Gymnasium's classes."""
    needs_bounds: bool = False
    """Box actions need finite bounds."""
    central_critic: bool = False
    """Supports one critic for all agents."""
    recurrent: bool = False
    """Supports recurrent networks."""
    shared_encoder: bool = True
    """Supports a shared encoder."""
    actor_critic: bool = True
    """Policy and value are one network, which imitation can train."""
    asynchronous: bool = False
    """Remote runners always play while the learner works."""

    def load(self) -> ModuleType:
        """Import the implementation, and with it ray and torch."""
        return importlib.import_module(self.implementation)
