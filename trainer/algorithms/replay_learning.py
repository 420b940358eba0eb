"""The shared part of DQN and SAC: RLlib's algorithms and learners over rows of our replay buffer."""

from __future__ import annotations

from typing import Any, TypeVar

from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.algorithm_config import AlgorithmConfig
from ray.rllib.connectors.learner import AddNextObservationsFromEpisodesToTrainBatch
from ray.rllib.core.learner.learner import Learner
from ray.rllib.core.rl_module.apis import TargetNetworkAPI

from trainer.algorithms.batches import RowsToBatch
from trainer.algorithms.replay import Replay
from trainer.config import RunConfig

Config = TypeVar("Config", bound=AlgorithmConfig)

BUFFER = "replay"
"""The key of the buffer in the state of the algorithm."""


class ReplayAlgorithm(Algorithm):
    """The first base of an algorithm whose training step fills `local_replay_buffer`."""

    def setup(self, config: Any) -> None:
        super().setup(config)
        settings: Any = self.config
        self.local_replay_buffer: Any = Replay(
            capacity=settings.replay_buffer_config["capacity"], seed=settings.seed or 0,
            learners=max(1, settings.num_learners),
        )  # fmt: skip

    def get_state(self, components: Any = None, *, not_components: Any = None, **kwargs: Any) -> dict[str, Any]:
        state: dict[str, Any] = super().get_state(components, not_components=not_components, **kwargs)
        if self._check_component(BUFFER, components, not_components):
            state[BUFFER] = self.local_replay_buffer.get_state()
        return state

    def set_state(self, state: dict[str, Any]) -> None:
        super().set_state(state)
        if BUFFER in state:
            self.local_replay_buffer.set_state(state[BUFFER])


class ReplayLearner(Learner):
    """The first base of a learner that RLlib made for episodes."""

    last_update_ts_by_mid: Any  # RLlib's, by policy: when the target network was last updated

    def build(self) -> None:
        super().build()
        # RLlib adds pieces that look up next observations in episodes; our rows have them.
        pipeline: Any = self._learner_connector
        while any(isinstance(piece, AddNextObservationsFromEpisodesToTrainBatch) for piece in pipeline.connectors):
            pipeline.remove(AddNextObservationsFromEpisodesToTrainBatch)
        modules: list[Any] = list(self.module.values())
        for module in modules:  # RLlib does not see through the wrappers of several learners
            if module.unwrapped() is not module and isinstance(module.unwrapped(), TargetNetworkAPI):
                module.unwrapped().make_target_networks()

    def update(self, *args: Any, **kwargs: Any) -> Any:
        """Skip updates until the buffer has rows of a learning policy."""
        data = kwargs.get("training_data")
        if data is not None:
            policies = {policy for decisions in data.episodes or [] for policy in decisions.columns}
            if not any(map(self.should_module_be_updated, policies)):
                return self.metrics.reduce()
        return super().update(*args, **kwargs)

    def get_state(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        state: dict[str, Any] = super().get_state(*args, **kwargs)
        return state | {"last_target_update": dict(self.last_update_ts_by_mid)}

    def set_state(self, state: dict[str, Any]) -> None:
        super().set_state(state)
        self.last_update_ts_by_mid.update(state.get("last_target_update", {}))


def with_replay(config: Config, run: RunConfig, learner: type[ReplayLearner]) -> Config:
    """Add the settings of both to RLlib's."""
    training: Any = run.training
    share = max(1, training.minibatch // max(1, run.resources.learners))
    rows = share * max(1, run.resources.learners)
    shared: dict[str, Any] = {
        "gamma": training.gamma, "train_batch_size_per_learner": share, "grad_clip": training.grad_clip,
        "grad_clip_by": "global_norm", "n_step": training.n_step, "tau": training.tau,
        "target_network_update_freq": training.target_every,
        "num_steps_sampled_before_learning_starts": training.learning_starts,
        # RLlib makes round(training_intensity / native) updates a training step, and counts n_step env steps for each
        # of its runners and one more; ours sample a whole fragment.
        "training_intensity": training.updates * rows / (training.n_step * (run.resources.runners + 1)),
        # ReplayAlgorithm makes the buffer; RLlib's check of the settings requires this type.
        "replay_buffer_config": {
            "type": "EpisodeReplayBuffer", "no_local_replay_buffer": True, "capacity": training.capacity,
        },
    }  # fmt: skip
    return (
        config.training(**shared)
        .learners(learner_class=learner, learner_connector=lambda *_: RowsToBatch())
        .reporting(min_sample_timesteps_per_iteration=0, min_time_s_per_iteration=0)
    )
