"""IMPALA by RLlib's own algorithm, learner thread and V-trace loss."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import torch
from ray.rllib.algorithms.impala import IMPALAConfig
from ray.rllib.algorithms.impala.torch.impala_torch_learner import IMPALATorchLearner
from ray.rllib.connectors.connector_v2 import ConnectorV2
from ray.rllib.core.learner.learner import POLICY_LOSS_KEY, VF_LOSS_KEY
from ray.rllib.utils.typing import TensorType

from trainer.algorithms.batches import Rows, gather, observe_rows
from trainer.algorithms.learner_thread import ThreadedLearner
from trainer.algorithms.several_learners import SeveralLearners
from trainer.config import RunConfig
from trainer.networks.modules import SeatModule

MODULE = SeatModule

MEANS = {POLICY_LOSS_KEY: "mean_pi_loss", VF_LOSS_KEY: "mean_vf_loss"}
"""The figures of other algorithms' learners to IMPALA's own, whose vf_loss is a sum."""

POLL_SECONDS = 0.05
"""How long the driver waits for all remote runners before it looks what has come; RLlib's own 0 burns a core."""

Pieces = TypeVar("Pieces", bound=IMPALAConfig)


class IMPALALearner(ThreadedLearner, SeveralLearners, IMPALATorchLearner):  # type: ignore[misc]  # RLlib's own bases differ
    """RLlib's own, that tells when it fails; several of them stay equal, and losses are means by the usual names."""

    def compute_loss_for_module(self, *, module_id: str, **kwargs: Any) -> TensorType:
        loss = super().compute_loss_for_module(module_id=module_id, **kwargs)
        means = {ours: self.metrics.peek((module_id, theirs)) for ours, theirs in MEANS.items()}
        self.metrics.log_dict(means, key=module_id, window=1)
        return loss


class PiecesToBatch(ConnectorV2):
    """Rows become tensors; the pieces of `length` rows are shuffled, so that each minibatch has some of all games."""

    def __init__(self, length: int) -> None:
        super().__init__()
        self._length = length

    def __call__(self, *, rl_module: Any, batch: Any, episodes: Any, **kwargs: Any) -> Any:
        tensors = {id: self._tensors(rows) for id, rows in gather(episodes).items()}
        observe_rows(rl_module, tensors)
        return tensors

    def _tensors(self, rows: Rows) -> dict[str, torch.Tensor]:
        pieces = len(rows["obs"]) // self._length
        order = (np.random.permutation(pieces)[:, None] * self._length + np.arange(self._length)).reshape(-1)
        return {name: torch.from_numpy(column[order]) for name, column in rows.items()}


def make_connector(run: RunConfig) -> PiecesToBatch:
    return PiecesToBatch(_length(run))


def make_config(run: RunConfig) -> IMPALAConfig:
    """RLlib's settings of the algorithm alone."""
    return with_pieces(IMPALAConfig(), run).learners(learner_class=IMPALALearner)


def with_pieces(config: Pieces, run: RunConfig) -> Pieces:
    """What IMPALA and APPO have in common.

    RLlib counts what has come in fragments of `num_envs_per_env_runner` x `rollout_fragment_length` steps, and its
    loss takes the latter for the length of a piece; both are set so that an update has the run's `fragments`.
    """
    settings: Any = run.training
    length, learners = _length(run), max(1, run.resources.learners)
    pieces = -(-settings.batch // (run.fragments * settings.sequence))
    share = max(1, settings.minibatch // learners // settings.sequence)
    minibatch = share * length if settings.minibatch < settings.batch else None
    return (
        config.training(
            lr=settings.lr, gamma=settings.gamma, entropy_coeff=settings.entropy, vf_loss_coeff=settings.value_loss,
            grad_clip=settings.grad_clip, grad_clip_by="global_norm", num_epochs=1, minibatch_size=minibatch,
            train_batch_size_per_learner=run.fragments * pieces * length // learners, shuffle_batch_per_epoch=False,
            timeout_s_sampler_manager=POLL_SECONDS,
        )
        .env_runners(
            rollout_fragment_length=length, num_envs_per_env_runner=pieces, use_env_runner_state_server=False
        )
        .callbacks(on_train_result=send_weights)
    )  # fmt: skip


def send_weights(*, algorithm: Any, **_: Any) -> None:
    """The runners go on with the newest weights; RLlib itself sends older ones, and to its own process none."""
    algorithm.env_runner_group.sync_weights(
        from_worker_or_learner_group=algorithm.learner_group, inference_only=True
    )  # fmt: skip


def _length(run: RunConfig) -> int:
    """Rows of a piece: its decisions, and what follows."""
    settings: Any = run.training
    return int(settings.sequence) + 1
