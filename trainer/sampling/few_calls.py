"""FewCalls: RLlib's PPO with the least traffic between the driver and its runners."""

from __future__ import annotations

from typing import Any

import ray
from ray.rllib.algorithms.ppo import PPO
from ray.rllib.core import ALL_MODULES, COMPONENT_LEARNER, COMPONENT_RL_MODULE
from ray.rllib.utils.metrics import (
    ENV_RUNNER_RESULTS,
    ENV_RUNNER_SAMPLING_TIMER,
    LEARNER_RESULTS,
    LEARNER_UPDATE_TIMER,
    NUM_ENV_STEPS_SAMPLED,
    NUM_ENV_STEPS_SAMPLED_LIFETIME,
    NUM_MODULE_STEPS_TRAINED_LIFETIME,
    SYNCH_WORKER_WEIGHTS_TIMER,
    TIMERS,
)
from ray.tune.trainable import Trainable

from trainer.sampling.rollout import Decisions


class FewCalls(PPO):
    """Calls each remote runner once an iteration: it takes the newest weights, and answers with a fragment.

    RLlib sends the weights by a call and an object of their own, and copies its whole configuration into each result.
    """

    config: Any
    metrics: Any
    env_runner_group: Any
    learner_group: Any

    def training_step(self) -> None:
        with self.metrics.log_time((TIMERS, ENV_RUNNER_SAMPLING_TIMER)):
            fragments = self._fragments()
        if not fragments:  # all runners are lost
            return
        sampled = self.metrics.peek((ENV_RUNNER_RESULTS, NUM_ENV_STEPS_SAMPLED_LIFETIME))
        trained = self.metrics.peek((LEARNER_RESULTS, ALL_MODULES, NUM_MODULE_STEPS_TRAINED_LIFETIME), default=0)
        with self.metrics.log_time((TIMERS, LEARNER_UPDATE_TIMER)):
            results = self.learner_group.update(
                episodes=fragments,
                timesteps={NUM_ENV_STEPS_SAMPLED_LIFETIME: sampled, NUM_MODULE_STEPS_TRAINED_LIFETIME: trained},
                num_epochs=self.config.num_epochs, minibatch_size=self.config.minibatch_size,
                shuffle_batch_per_epoch=self.config.shuffle_batch_per_epoch,
            )  # fmt: skip
            self.metrics.aggregate(results, key=LEARNER_RESULTS)
        with self.metrics.log_time((TIMERS, SYNCH_WORKER_WEIGHTS_TIMER)):
            state = self.learner_group.get_state([f"{COMPONENT_LEARNER}/{COMPONENT_RL_MODULE}"], inference_only=True)
            self.env_runner.set_state(_weights(state[COMPONENT_LEARNER]))

    def get_auto_filled_metrics(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        filled: dict[str, Any] = Trainable.get_auto_filled_metrics(self, *args, **kwargs)
        return filled | {"config": {}}

    def _fragments(self) -> list[Decisions]:
        """Fragments with the env steps of a batch at least; fewer where runners are lost meanwhile."""
        fragments: list[Decisions] = []
        steps = 0
        while steps < self.config.total_train_batch_size and (new := self._ask()):
            fragments += new
            steps += sum(fragment.env_steps for fragment in new)
        self.metrics.log_value((ENV_RUNNER_RESULTS, NUM_ENV_STEPS_SAMPLED), steps, reduce="sum")
        self.metrics.log_value((ENV_RUNNER_RESULTS, NUM_ENV_STEPS_SAMPLED_LIFETIME), steps, reduce="lifetime_sum")
        return fragments

    def _ask(self) -> list[Decisions]:
        """A fragment of each runner that is well, or of the driver's own where there are no others."""
        group, runner = self.env_runner_group, self.env_runner
        if not group.num_remote_workers():
            return [runner.fragment()]
        weights: Any = _weights(runner.get_state())
        if group.num_remote_workers() > 1:
            weights = ray.put(weights)  # once for all of them
        fragments: list[Decisions] = group.foreach_env_runner(
            "fragment", kwargs={"weights": weights}, local_env_runner=False,
            timeout_seconds=self.config.sample_timeout_s,
        )  # fmt: skip
        return fragments


def _weights(state: dict[str, Any]) -> dict[str, Any]:
    return {COMPONENT_RL_MODULE: state[COMPONENT_RL_MODULE]}
