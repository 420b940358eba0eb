"""IMPALA by RLlib's own algorithm, with a faster learner."""

from __future__ import annotations

from typing import Any, TypeVar

from ray.rllib.algorithms.impala import IMPALAConfig

from trainer.algorithms.batches import RowsToBatch
from trainer.algorithms.schedules import actor_critic_schedules, learner_settings
from trainer.algorithms.vtrace import VTraceLearner
from trainer.config import RunConfig
from trainer.networks.modules import SeatModule

MODULE = SeatModule

POLL_SECONDS = 0.05
"""Seconds that the driver waits for remote runners before it collects results; RLlib's own 0 burns a core."""

Pieces = TypeVar("Pieces", bound=IMPALAConfig)


def make_config(run: RunConfig) -> IMPALAConfig:
    """The algorithm's own settings of RLlib."""
    return with_pieces(IMPALAConfig(), run).learners(learner_class=VTraceLearner)


def with_pieces(config: Pieces, run: RunConfig) -> Pieces:
    """The settings that IMPALA and APPO share.

    RLlib counts samples in fragments of `num_envs_per_env_runner` steps.  These are pieces here, and an update has the
    run's `fragments`.
    """
    settings: Any = run.training
    learners, epochs = max(1, run.resources.learners), getattr(settings, "epochs", 1)
    pieces = -(-settings.batch // (run.fragments * settings.sequence))
    minibatch = max(1, settings.minibatch // learners // settings.sequence)
    return (
        config.training(
            **actor_critic_schedules(run), gamma=settings.gamma, vf_loss_coeff=settings.value_loss,
            grad_clip=settings.grad_clip, grad_clip_by="global_norm", num_epochs=epochs,
            minibatch_size=minibatch if settings.minibatch < settings.batch or epochs > 1 else None,
            train_batch_size_per_learner=run.fragments * pieces // learners, shuffle_batch_per_epoch=True,
            timeout_s_sampler_manager=POLL_SECONDS,
        )
        .env_runners(rollout_fragment_length=1, num_envs_per_env_runner=pieces, use_env_runner_state_server=False)
        .learners(learner_connector=lambda *_: RowsToBatch(), learner_config_dict=learner_settings(run))
        .callbacks(on_train_result=send_weights)
    )  # fmt: skip


def send_weights(*, algorithm: Any, **_: Any) -> None:
    """Send the newest weights to all runners, also in this process; RLlib would send what learners return of them."""
    learners = algorithm.learner_group
    algorithm.env_runner_group.sync_weights(from_worker_or_learner_group=learners, inference_only=True)
