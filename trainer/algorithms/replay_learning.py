"""What DQN and SAC share: RLlib's algorithms and learners over rows from our replay buffer instead of episodes."""

from __future__ import annotations

from typing import Any

import torch
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.connectors.connector_v2 import ConnectorV2
from ray.rllib.connectors.learner import AddNextObservationsFromEpisodesToTrainBatch
from ray.rllib.core.learner.learner import Learner
from ray.rllib.core.rl_module.apis import TargetNetworkAPI

from trainer.algorithms.batches import gather
from trainer.algorithms.replay import Replay
from trainer.config import RunConfig
from trainer.sampling.lanes import Decisions

BUFFER = "replay"
"""Where the buffer is in the state of the algorithm."""


class ReplayAlgorithm(Algorithm):
    """First of the bases of an algorithm whose training step puts what was sampled into `local_replay_buffer`."""

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


class RowsToBatch(ConnectorV2):
    """Rows drawn from the buffer become tensors, all of equal weight."""

    def __call__(self, *, rl_module: Any, batch: Any, episodes: Any, **kwargs: Any) -> Any:
        made = {}
        for policy, rows in gather(episodes).items():
            tensors = {name: torch.from_numpy(column) for name, column in rows.items()}
            rl_module[policy].unwrapped().observe_rows(tensors["obs"])
            made[policy] = tensors | {"weights": torch.ones(len(tensors["obs"]))}
        return made


class ReplayLearner(Learner):
    """First of the bases of a learner that RLlib made for episodes."""

    last_update_ts_by_mid: Any  # RLlib's, by policy: when the target network was last updated

    def build(self) -> None:
        super().build()
        # RLlib adds pieces that look for what comes next in episodes; our rows bring it with them.
        pipeline: Any = self._learner_connector
        while any(isinstance(piece, AddNextObservationsFromEpisodesToTrainBatch) for piece in pipeline.connectors):
            pipeline.remove(AddNextObservationsFromEpisodesToTrainBatch)
        modules: list[Any] = list(self.module.values())
        for module in modules:  # RLlib does not see them in what several learners wrap modules in
            if module.unwrapped() is not module and isinstance(module.unwrapped(), TargetNetworkAPI):
                module.unwrapped().make_target_networks()

    def update(self, *args: Any, **kwargs: Any) -> Any:
        """As RLlib's; nothing where the buffer has not got a row yet of a policy that learns."""
        training_data = kwargs.get("training_data")
        rows = [] if training_data is None else training_data.episodes or []
        if training_data is not None and not any(self._learns_from(decisions) for decisions in rows):
            return self.metrics.reduce()
        return super().update(*args, **kwargs)

    def _learns_from(self, decisions: Decisions) -> bool:
        return any(self.should_module_be_updated(policy) for policy in decisions.columns)

    def get_state(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        state: dict[str, Any] = super().get_state(*args, **kwargs)
        return state | {"last_target_update": dict(self.last_update_ts_by_mid)}

    def set_state(self, state: dict[str, Any]) -> None:
        super().set_state(state)
        self.last_update_ts_by_mid.update(state.get("last_target_update", {}))


def replay_settings(run: RunConfig) -> dict[str, Any]:
    """What RLlib's `training` is told by both."""
    training: Any = run.training
    share = max(1, training.minibatch // max(1, run.resources.learners))
    rows = share * max(1, run.resources.learners)
    return {
        "gamma": training.gamma, "train_batch_size_per_learner": share, "grad_clip": training.grad_clip,
        "grad_clip_by": "global_norm", "n_step": training.n_step, "tau": training.tau,
        "target_network_update_freq": training.target_every,
        "num_steps_sampled_before_learning_starts": training.learning_starts,
        # RLlib makes round(training_intensity / native) updates a training step, and takes a step of each of its
        # runners, and of one more, for n_step env steps; ours sample a whole fragment.
        "training_intensity": training.updates * rows / (training.n_step * (run.resources.runners + 1)),
        # The buffer is made by ReplayAlgorithm; RLlib's check of the settings wants to read this type.
        "replay_buffer_config": {
            "type": "EpisodeReplayBuffer", "no_local_replay_buffer": True, "capacity": training.capacity,
        },
    }  # fmt: skip
