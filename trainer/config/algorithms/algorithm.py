"""Algorithm: capabilities, and the settings that several share (batch, entropy, value loss); no ray or torch here."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Annotated, Any

from pydantic import Field, model_validator

from agents.snapshots.card import KLDirection
from trainer.config.sections import MOST_STEPS, Section

ALL_ACTIONS = ("Discrete", "Box", "MultiDiscrete", "MultiBinary")

# Settings whose defaults depend on the algorithm.
StepSize = Annotated[float, Field(gt=0, le=1, description="Step size of Adam.")]
Discount = Annotated[float, Field(gt=0, le=1, description="Discount per decision.")]
Batch = Annotated[int, Field(ge=1, le=2**24, description="Env steps per iteration, over all games.")]
Minibatch = Annotated[int, Field(ge=1, le=2**22, description="Decisions per gradient step.")]
GradClip = Annotated[float, Field(gt=0, le=1e6, description="Largest norm of the gradient.")]
ValueLoss = Annotated[float, Field(ge=0, le=1000, description="Coefficient of the value loss.")]
Updates = Annotated[int, Field(ge=1, le=10**6, description="Gradient steps per iteration.")]
ClipRange = Annotated[float, Field(gt=0, le=1000, description="Clipping range of the probability ratio.")]


class TrainingSettings(Section):
    """Settings of all algorithms."""

    lr: StepSize = 5e-4
    gamma: Discount = 0.995
    batch: Batch = 16384
    minibatch: Minibatch = 2048
    grad_clip: GradClip = 0.5


class AdamSettings(TrainingSettings):
    """Settings of algorithms that learn by Adam."""

    adam_epsilon: float = Field(1e-5, gt=0, le=1)
    """Epsilon of Adam (Huang et al. 2022, The 37 Implementation Details of PPO)."""
    lr_end: float = Field(1.0, ge=0, le=1)
    """Share of lr that is left after schedule_steps, to which it falls linearly; 1: constant."""
    schedule_steps: int = Field(0, ge=0, le=MOST_STEPS)
    """Env steps over which lr, and an entropy coefficient, fall; 0: those of the run."""


class ActorCriticSettings(AdamSettings):
    """Settings of algorithms that learn a policy and its value together."""

    entropy: float = Field(0.01, ge=0, le=1000)
    """Coefficient of the entropy bonus."""
    value_loss: ValueLoss = 0.5
    entropy_end: float = Field(1.0, ge=0, le=1)
    """Share of the entropy coefficient that is left after schedule_steps; 1: constant."""


class ValueScaleSettings(Section):
    """Settings of algorithms that can learn values at any scale of rewards."""

    scale_values: bool = False
    """Learn values in deviations from their mean, both moving with the targets (PopArt: van Hasselt et al. 2016, arXiv
    1602.07714); for games whose returns are far from 1."""


OLD_NAMES = {"pull": "kl_penalty", "pull_steps": "kl_penalty_steps"}
"""Names in settings files of older versions, and their names now."""


class KLPenaltySettings(Section):
    """Settings of algorithms that can keep a policy near a reference policy."""

    kl_penalty: float = Field(0.0, ge=0, le=100)
    """Coefficient of the KL divergence between the policy and a reference policy, a snapshot with the same layers; 0:
    none."""
    kl_penalty_steps: int = Field(1_000_000, ge=0, le=MOST_STEPS)
    """Env steps over which the KL penalty fades linearly to 0; 0: it is constant."""
    kl_direction: KLDirection = "forward"
    """forward: KL(reference || policy), which keeps all that the reference does (Schmitt et al. 2018, arXiv
    1803.03835); reverse: KL(policy || reference), which avoids what it never does (piKL: Jacob et al. 2022, arXiv
    2112.07544)."""
    kl_reference: str = ""
    """Snapshot of the reference policy; empty: that of start_from."""

    @model_validator(mode="before")
    @classmethod
    def _take_old_names(cls, data: Any) -> Any:
        if not isinstance(data, Mapping) or not data.keys() & OLD_NAMES.keys():
            return data
        renamed = {OLD_NAMES[key]: value for key, value in data.items() if key in OLD_NAMES}
        return renamed | {key: value for key, value in data.items() if key not in OLD_NAMES}


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
    searches: bool = False
    """Searches each move of board games; its policies play themselves alone, unless the settings say otherwise."""
    asynchronous: bool = False
    """Remote runners always play while the learner works."""

    def load(self) -> ModuleType:
        """Import the implementation, and with it ray and torch."""
        return importlib.import_module(self.implementation)
