"""What the learner of each algorithm gets of a fragment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from numpy.typing import NDArray

from trainer.config import RunConfig
from trainer.config.algorithms.algorithm import ReplaySettings
from trainer.config.algorithms.impala import IMPALASettings
from trainer.sampling.advantages import advantage_columns
from trainer.sampling.lanes import Fragment
from trainer.sampling.recurrent import recurrent_columns
from trainer.sampling.sequences import sequence_columns
from trainer.sampling.transitions import transition_columns


@dataclass(frozen=True, slots=True)
class BatchLayout:
    """How decisions become the columns that an algorithm learns from."""

    columns: Callable[[Fragment], dict[str, NDArray[Any]]]
    keep_last: bool = False  # it needs what was seen as an episode ended


def make_layout(run: RunConfig) -> BatchLayout:
    """The layout of the run's algorithm and network."""
    training: Any = run.training
    if isinstance(training, IMPALASettings):
        return BatchLayout(lambda fragment: sequence_columns(fragment, sequence=training.sequence), keep_last=True)
    if isinstance(training, ReplaySettings):
        return BatchLayout(partial(transition_columns, gamma=training.gamma, n_step=training.n_step), keep_last=True)
    discounts = {"gamma": training.gamma, "lambda_": training.lambda_}
    if run.network.lstm:
        return BatchLayout(partial(recurrent_columns, sequence=run.network.sequence, **discounts))
    return BatchLayout(partial(advantage_columns, **discounts))
