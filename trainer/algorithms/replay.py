"""The shared part of DQN and SAC: RLlib's algorithms and learners over the rows of a replay buffer.

The buffer has the newest decisions of each policy in columns, drawn uniformly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.algorithm_config import AlgorithmConfig
from ray.rllib.connectors.learner import AddNextObservationsFromEpisodesToTrainBatch
from ray.rllib.core.rl_module.apis import TargetNetworkAPI
from ray.rllib.utils.metrics.metrics_logger import MetricsLogger

from trainer.algorithms.batches import Rows, RowsToBatch
from trainer.algorithms.row_learner import RowLearner
from trainer.algorithms.schedules import learner_settings
from trainer.cluster.ray_cluster import memory_bytes
from trainer.config import ConfigError, RunConfig
from trainer.sampling.rollout import Decisions

CHECKPOINT_BYTES = 64 * 2**20
"""The most bytes of newest rows in a checkpoint, shared by the policies; a resumed run continues with those."""

Config = TypeVar("Config", bound=AlgorithmConfig)

BUFFER = "replay"
"""The key of the buffer in the state of the algorithm."""


class Ring:
    """The newest `capacity` rows in columns."""

    def __init__(self, capacity: int) -> None:
        self._capacity, self._next, self._size = capacity, 0, 0
        self._columns: Rows = {}

    def __len__(self) -> int:
        return self._size

    @property
    def row_bytes(self) -> int:
        return sum(column[:1].nbytes for column in self._columns.values())

    def add(self, rows: Rows) -> None:
        """Add rows, newest last, in place of the oldest."""
        count = min(self._capacity, len(next(iter(rows.values()))))
        places = (self._next + np.arange(count)) % self._capacity
        for name, column in rows.items():
            if name not in self._columns:
                self._columns[name] = np.zeros((self._capacity, *column.shape[1:]), column.dtype)
            self._columns[name][places] = column[len(column) - count :]
        self._next = (self._next + count) % self._capacity
        self._size = min(self._capacity, self._size + count)

    def sample(self, count: int, rng: np.random.Generator) -> Rows:
        """`count` rows drawn evenly with replacement."""
        return self._rows(rng.integers(self._size, size=count))

    def newest(self, count: int) -> Rows:
        """At most `count` rows, newest last."""
        count = min(count, self._size)
        return self._rows(self._size - count + np.arange(count))

    def _rows(self, ages: NDArray[Any]) -> Rows:
        """Rows by their age, 0 for the oldest, so that a restored ring draws the same rows as the saved one."""
        places = (self._next - self._size + ages) % self._capacity
        return {name: column[places] for name, column in self._columns.items()}


class Replay:
    """A Ring for each policy, under the interface of RLlib's replay buffers."""

    def __init__(self, *, capacity: int, seed: int, learners: int = 1) -> None:
        self.metrics = MetricsLogger(root=False)
        self._capacity, self._learners = capacity, learners
        self._rng = np.random.default_rng(seed)
        self._rings: dict[str, Ring] = {}

    def __len__(self) -> int:
        return sum(map(len, self._rings.values()))

    def add(self, episodes: Sequence[Decisions]) -> None:
        """Add the runners' decisions in the layout of `transition_columns`."""
        for decisions in episodes:
            for policy, rows in decisions.columns.items():
                if policy not in self._rings:
                    self._check_size(rows)
                self._rings.setdefault(policy, Ring(self._capacity)).add(rows)
        for policy, ring in self._rings.items():
            self.metrics.log_value((policy, "rows"), len(ring), window=1)

    def sample(self, num_items: int, **kwargs: Any) -> list[Decisions]:
        """A part for each learner, together `num_items` equally weighted rows of each policy, with n-step sums."""
        share, rings = max(1, num_items // self._learners), {id: ring for id, ring in self._rings.items() if len(ring)}
        weights = {"weights": np.ones(share, np.float32)}  # RLlib's losses require them
        return [
            Decisions({policy: ring.sample(share, self._rng) | weights for policy, ring in rings.items()}, share)
            for _ in range(self._learners)
        ]

    def forget(self, policy: str) -> None:
        """Drop the rows of a policy."""
        self._rings.pop(policy, None)

    def get_metrics(self) -> Any:
        return self.metrics.reduce()

    def get_state(self) -> dict[str, Any]:
        """The newest rows, up to CHECKPOINT_BYTES."""
        budget = CHECKPOINT_BYTES // max(1, len(self._rings))
        rows = {policy: ring.newest(budget // max(1, ring.row_bytes)) for policy, ring in self._rings.items()}
        return {"rng": self._rng.bit_generator.state, "rows": rows}

    def set_state(self, state: dict[str, Any]) -> None:
        self._rng.bit_generator.state = state["rng"]
        self._rings = {}
        self.add([Decisions(state["rows"], 0)])

    def _check_size(self, rows: Rows) -> None:
        """Raise ConfigError at once if the full rings would exceed the memory, which is only allocated as they fill."""
        row_bytes = sum(column[:1].nbytes for column in rows.values())
        available = memory_bytes()
        fits = (available - self._capacity * sum(ring.row_bytes for ring in self._rings.values())) // row_bytes
        if self._capacity > fits:
            raise ConfigError(
                f"training.capacity: expected at most {max(0, fits)} decisions a policy of {row_bytes} bytes each in "
                f"the {available / 2**30:.1f} GiB of this machine, got: {self._capacity}"
            )


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

    def forget(self, policy: str) -> None:
        """Drop what the policy played."""
        self.local_replay_buffer.forget(policy)

    def set_state(self, state: dict[str, Any]) -> None:
        super().set_state(state)
        if BUFFER in state:
            self.local_replay_buffer.set_state(state[BUFFER])


class ReplayLearner(RowLearner):
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
        .learners(
            learner_class=learner, learner_connector=lambda *_: RowsToBatch(), learner_config_dict=learner_settings(run)
        )
        .reporting(min_sample_timesteps_per_iteration=0, min_time_s_per_iteration=0)
    )
