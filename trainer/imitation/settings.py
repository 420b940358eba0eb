"""Settings of imitation learning; a DatasetQuery selects the decisions."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from arcade.recordings.datasets.split import HELD_OUT
from trainer.config import ConfigError
from trainer.config.explaining import explain
from trainer.config.sections import Section

Method = Literal["bc", "marwil"]


class ImitationSettings(Section):
    """The same settings and recordings give the same clone."""

    algorithm: Method = "bc"
    """bc: behaviour cloning.  marwil: good decisions count more (Wang et al. 2018, Exponentially weighted imitation
    learning)."""
    epochs: int = Field(40, ge=1, le=10_000)
    """Epochs at most."""
    patience: int = Field(10, ge=1)
    """Epochs without a better held-out score after which training ends."""
    seed: int = Field(0, ge=0, lt=2**31)
    """Of weights and order."""
    held_out: float = Field(HELD_OUT, ge=0, le=0.9)
    """Share of the recordings to measure with; 0: none, and every epoch is made."""
    lr: float = Field(1e-3, gt=0, le=1)
    """Step size of Adam in the first epoch; it falls evenly to a twentieth."""
    minibatch: int = Field(256, ge=1)
    """Decisions a gradient step at most."""
    weight_decay: float = Field(0.1, ge=0, le=10)
    """Of the weights (Loshchilov and Hutter 2019, arXiv 1711.05101)."""
    noise: float = Field(0.0, ge=0, le=1)
    """Standard deviation of the noise added to observed numbers in training, in units of their own deviation."""
    ignore: tuple[Annotated[int, Field(ge=0)], ...] = ()
    """Indices of observed numbers that the policy ignores, from 0."""
    grad_clip: float = Field(10.0, gt=0)
    """Norm of the gradient at most."""
    gamma: Annotated[float, Field(gt=0, le=1)] = 0.99
    """Discount per decision, of the returns for the critic and for marwil."""
    value_loss: float = Field(0.5, ge=0)
    """Coefficient of the critic's loss, in units of the deviation of returns."""
    beta: float = Field(1.0, gt=0, le=1)
    """marwil: how much more good play counts."""
    weight: int = Field(8, ge=1, le=1000)
    """How many times corrected decisions count (a human-gated DAgger, Kelly et al. 2019, arXiv 1810.02890, weighted as
    in Mandlekar et al. 2020, arXiv 2012.06733)."""


def make_settings(given: dict[str, Any]) -> ImitationSettings:
    """Raises ConfigError naming the field."""
    try:
        return ImitationSettings.model_validate(given)
    except ValidationError as error:
        raise ConfigError(explain(error, given, model=ImitationSettings)) from error
