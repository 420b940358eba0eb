"""IMPALA by RLlib's own algorithm, learner thread and V-trace loss."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from ray.rllib.algorithms.impala import IMPALAConfig
from ray.rllib.algorithms.impala.torch.impala_torch_learner import IMPALATorchLearner
from ray.rllib.core.columns import Columns
from ray.rllib.core.learner.learner import POLICY_LOSS_KEY, VF_LOSS_KEY
from ray.rllib.utils.typing import TensorType

from trainer.algorithms.batches import RowsToBatch
from trainer.algorithms.kl_penalty import PenalisedLearner
from trainer.algorithms.schedules import actor_critic_schedules, learner_settings
from trainer.algorithms.several_learners import SeveralLearners
from trainer.algorithms.vtrace_scale import ScaledVTraceLearner
from trainer.config import RunConfig
from trainer.networks.modules import SeatModule

MODULE = SeatModule

MEANS = {POLICY_LOSS_KEY: "mean_pi_loss", VF_LOSS_KEY: "mean_vf_loss"}
"""Metrics by the names of other algorithms to IMPALA's own, whose vf_loss is a sum."""

POLL_SECONDS = 0.05
"""Seconds that the driver waits for remote runners before it collects results; RLlib's own 0 burns a core."""

Pieces = TypeVar("Pieces", bound=IMPALAConfig)


class ThreadedLearner(IMPALATorchLearner):
    """Raises an error of the learner thread in `update`, which with RLlib's own waits for ever."""

    def build(self) -> None:
        self._failure: BaseException | None = None
        super().build()

    def update(self, *args: Any, **kwargs: Any) -> Any:
        self._raise_failure()
        result = super().update(*args, **kwargs)
        self._raise_failure()
        return result

    def _create_iterator_if_necessary(self, **kwargs: Any) -> Any:
        with self._noting_failures():
            return super()._create_iterator_if_necessary(**kwargs)

    def _update(self, *args: Any, **kwargs: Any) -> Any:
        with self._noting_failures():
            return super()._update(*args, **kwargs)

    def after_gradient_based_update(self, *, timesteps: dict[str, Any]) -> None:
        with self._noting_failures():
            super().after_gradient_based_update(timesteps=timesteps)

    @contextmanager
    def _noting_failures(self) -> Iterator[None]:
        try:
            yield
        except BaseException as error:
            self._failure = error
            self._agg_event.set()
            raise

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise RuntimeError(f"the learner thread ended: {self._failure}") from self._failure


class IMPALALearner(PenalisedLearner, ThreadedLearner, ScaledVTraceLearner, SeveralLearners, IMPALATorchLearner):  # type: ignore[misc]  # RLlib's own bases differ
    """RLlib's own, with its errors raised, for any number of learners, and with mean losses by their common names."""

    def compute_loss_for_module(
        self, *, module_id: str, config: Any, batch: dict[str, Any], fwd_out: dict[str, Any]
    ) -> TensorType:
        loss = super().compute_loss_for_module(module_id=module_id, config=config, batch=batch, fwd_out=fwd_out)
        means = {name: self.metrics.peek((module_id, own)) for name, own in MEANS.items()}
        self.metrics.log_dict(means, key=module_id, window=1)
        return loss + self.penalty(module_id, batch, fwd_out[Columns.ACTION_DIST_INPUTS])


def make_config(run: RunConfig) -> IMPALAConfig:
    """The algorithm's own settings of RLlib."""
    return with_pieces(IMPALAConfig(), run).learners(learner_class=IMPALALearner)


def with_pieces(config: Pieces, run: RunConfig) -> Pieces:
    """The settings that IMPALA and APPO share.

    RLlib counts samples in fragments of `num_envs_per_env_runner` x `rollout_fragment_length` steps, and its loss takes
    the latter for the length of a piece; both are set so that an update has the run's `fragments`.
    """
    settings: Any = run.training
    length, learners = settings.sequence + 1, max(1, run.resources.learners)  # a piece has the next decision too
    pieces = -(-settings.batch // (run.fragments * settings.sequence))
    share = max(1, settings.minibatch // learners // settings.sequence)
    epochs = getattr(settings, "epochs", 1)
    minibatch = share * length if settings.minibatch < settings.batch or epochs > 1 else None
    return (
        config.training(
            **actor_critic_schedules(run), gamma=settings.gamma, vf_loss_coeff=settings.value_loss,
            grad_clip=settings.grad_clip, grad_clip_by="global_norm", num_epochs=epochs, minibatch_size=minibatch,
            train_batch_size_per_learner=run.fragments * pieces * length // learners, shuffle_batch_per_epoch=False,
            timeout_s_sampler_manager=POLL_SECONDS,
        )
        .env_runners(
            rollout_fragment_length=length, num_envs_per_env_runner=pieces, use_env_runner_state_server=False
        )
        .learners(
            learner_connector=lambda *_: RowsToBatch(piece=length), learner_config_dict=learner_settings(run)
        )
        .callbacks(on_train_result=send_weights)
    )  # fmt: skip


def send_weights(*, algorithm: Any, **_: Any) -> None:
    """Send the newest weights to all runners; RLlib itself sends older ones, and none to its own process."""
    learners = algorithm.learner_group
    algorithm.env_runner_group.sync_weights(from_worker_or_learner_group=learners, inference_only=True)
