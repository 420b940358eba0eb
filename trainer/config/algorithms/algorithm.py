"""Algorithm: capabilities, and the settings that several share (batch, entropy, value loss); no ray or torch here."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from types import ModuleType
from typing import Annotated

from pydantic import Field

from trainer.config.sections import Section

ALL_ACTIONS = ("Discrete", "Box", "MultiDiscrete", "MultiBinary")

# Settings whose defaults depend on the algorithm.
StepSize = Annotated[float, Field(gt=0, le=1, description="Step size of Adam.")]
Discount = Annotated[float, Field(gt=0, le=1, description="Discount per decision.")]
Batch = Annotated[int, Field(ge=1, le=2**24, description="Env steps per iteration, over all games.")]
Minibatch = Annotated[int, Field(ge=1, le=2**22, description="Decisions per gradient step.")]
ClipRange = Annotated[float, Field(gt=0, le=1000, description="Clipping range of the probability ratio.")]


class TrainingSettings(Section):
    """Settings of all algorithms."""

    lr: StepSize = 5e-4
    gamma: Discount = 0.995
    batch: Batch = 16384
    minibatch: Minibatch = 2048
    grad_clip: float = Field(0.5, gt=0, le=1e6)
    """Largest norm of the gradient."""


class ActorCriticSettings(TrainingSettings):
    """Settings of algorithms that learn a policy and its value together."""

    entropy: float = Field(0.01, ge=0, le=1000)
    """Coefficient of the entropy bonus."""
    value_loss: float = Field(0.5, ge=0, le=1000)
    """Coefficient of the value loss."""


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
