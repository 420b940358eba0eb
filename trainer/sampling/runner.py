"""The EnvRunner: games in lock-step, the learning policy in some seats, the opponent pool in the others."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import ray
import torch
from numpy.typing import NDArray
from ray.rllib.core import COMPONENT_RL_MODULE, DEFAULT_MODULE_ID
from ray.rllib.env import INPUT_ENV_SPACES
from ray.rllib.env.env_runner import EnvRunner
from ray.rllib.utils.checkpoints import Checkpointable
from ray.rllib.utils.metrics import NUM_ENV_STEPS_SAMPLED, NUM_ENV_STEPS_SAMPLED_LIFETIME, WEIGHTS_SEQ_NO

from agents.snapshot import Snapshot
from arcade.games.spec import GameSpec
from trainer.config import RunConfig
from trainer.games.make import make_batch
from trainer.networks.draws import act
from trainer.sampling.lanes import Decisions, Lanes
from trainer.sampling.opponents import LIVE, Opponents
from trainer.sampling.results import EpisodeResult


class SelfPlayRunner(EnvRunner, Checkpointable):
    """RLlib calls `sample` for a fragment of `RunConfig.ticks` ticks; games go on from one fragment to the next."""

    def __init__(self, *, config: Any, **kwargs: Any) -> None:
        super().__init__(config=config, **kwargs)
        settings = self.config.env_config
        self.spec: GameSpec = settings["spec"]
        self.run: RunConfig = RunConfig.model_validate(settings["run"])
        torch.set_num_threads(self.run.threads)
        self.rng = np.random.default_rng([self.run.seed, self.worker_index or 0])
        self.opponents = Opponents(self.run.opponents, self.spec)
        self._weights_seq_no = 0
        self._results: list[EpisodeResult] = []
        self.make_env()
        self.make_module()

    def make_env(self) -> None:
        """Make the games; they begin with the first `sample`."""
        self.env = self.batch = make_batch(self.spec, self.run.sampling.games)
        seats = (self.batch.games, len(self.batch.agents))
        team_of = {agent: i for i, team in enumerate(self.spec.teams) for agent in team}
        self._teams = np.array([team_of[agent] for agent in self.batch.agents])
        self._live = np.zeros(seats, np.bool_)
        self._opponent = np.full(self.batch.games, LIVE, np.intp)
        self._team = np.zeros(self.batch.games, np.intp)
        self._returns = np.zeros(seats, np.float64)
        self._length = np.zeros(self.batch.games, np.intp)
        self._lanes = Lanes(self.run.ticks, self._live.size)
        self._begun = False
        action_space = self.batch.spaces[self.batch.agents[0]][1]
        self._actions = np.zeros((*seats, *action_space.shape), action_space.dtype)

    def make_module(self) -> None:
        spec = self.config.get_rl_module_spec(spaces=self.get_spaces(), inference_only=True)
        self.module = spec.build()

    def get_spaces(self) -> dict[str, Any]:
        spaces = self.batch.spaces[self.batch.agents[0]]
        return {INPUT_ENV_SPACES: spaces, DEFAULT_MODULE_ID: spaces}

    def assert_healthy(self) -> None:
        assert self.module is not None

    def sample(self, **kwargs: Any) -> list[Decisions]:
        """One fragment: the decisions that closed in it, advantages and all."""
        self.opponents.begin_fragment(self.rng)
        self._begin_once()
        for _ in range(self.run.ticks):
            self._advance()
        rows = self._lanes.close_fragment(gamma=self.run.ppo.gamma, lambda_=self.run.ppo.lambda_)
        steps = self.run.ticks * self.batch.games
        self.metrics.log_value(NUM_ENV_STEPS_SAMPLED, steps, reduce="sum")
        self.metrics.log_value(NUM_ENV_STEPS_SAMPLED_LIFETIME, steps, reduce="lifetime_sum")
        self.num_env_steps_sampled_lifetime += steps
        return [Decisions(rows, steps)]

    def get_metrics(self) -> Any:
        return self.metrics.reduce()

    def add_opponents(self, snapshots: Collection[Snapshot]) -> None:
        """Snapshots that join the pool; episodes that begin from now on may draw them."""
        for snapshot in snapshots:
            self.opponents.add(snapshot)

    def take_results(self) -> list[EpisodeResult]:
        """The episodes that ended since the last call."""
        results, self._results = self._results, []
        return results

    def recent_observations(self, rows: int) -> tuple[NDArray[Any], NDArray[np.int8] | None]:
        """At most so many observations of learnable seats as they stand, with their masks."""
        self._begin_once()
        at = np.argwhere(np.broadcast_to(self.batch.learnable, self._live.shape))[:rows]
        seen, masks = self.batch.observations, self.batch.masks
        return seen[at[:, 0], at[:, 1]], None if masks is None else masks[at[:, 0], at[:, 1]]

    def _begin_once(self) -> None:
        if not self._begun:
            self._begun = True
            self._begin(np.arange(self.batch.games))

    def _begin(self, games: NDArray[np.intp]) -> None:
        """New episodes: who plays against whom, on which side, from which seed."""
        if not len(games):
            return
        rng = self.rng
        learning = np.unique(self._teams[self.batch.learnable])
        self._opponent[games] = self.opponents.draw(len(games), rng) if len(learning) > 1 else LIVE
        self._team[games] = rng.choice(learning, len(games))
        own = self._teams[None, :] == self._team[games, None]
        self._live[games] = (own | (self._opponent[games] == LIVE)[:, None]) & self.batch.learnable
        self._returns[games], self._length[games] = 0.0, 0
        self.batch.reset(games, rng.integers(2**31, size=len(games)))

    def _advance(self) -> None:
        """One tick of every game."""
        batch = self.batch
        self._decide(batch.acting & self._live)
        self._let_opponents_act(batch.acting & ~self._live & batch.learnable)
        batch.step(self._actions)
        self._returns += batch.rewards
        self._length += 1
        self._lanes.reward(batch.rewards.reshape(-1))
        self._end_lanes()
        over = np.flatnonzero(batch.over)
        self._record(over)
        self._begin(over)

    def _decide(self, acting: NDArray[np.bool_]) -> None:
        lanes = np.flatnonzero(acting)
        if not len(lanes):
            return
        seen, masks = self._rows(lanes)
        chosen = act(self.module.network, seen, masks, self.rng)
        columns = {"obs": seen, "actions": chosen.actions, "action_logp": chosen.logp}
        columns["action_dist_inputs"] = chosen.inputs
        if masks is not None:
            columns["action_mask"] = masks
        self._lanes.decide(lanes, chosen.values, **columns)
        self._flat(self._actions)[lanes] = chosen.env_actions(self.module.action_space)

    def _let_opponents_act(self, acting: NDArray[np.bool_]) -> None:
        if not acting.any():
            return
        lanes = np.flatnonzero(acting)
        numbers = self._opponent[lanes // len(self.batch.agents)]
        for number in np.unique(numbers):
            own = lanes[numbers == number]
            seen, masks = self._rows(own)
            self._flat(self._actions)[own] = self.opponents.act(int(number), seen, masks, self.rng)

    def _end_lanes(self) -> None:
        batch = self.batch
        if batch.terminated.any():
            self._lanes.end(np.flatnonzero(batch.terminated), truncated=False)
        cut = np.flatnonzero(batch.truncated & ~batch.terminated)
        if len(cut):
            self._lanes.end(cut, truncated=True, bootstraps=self._values(cut))
        # A seat whose episode ends without a flag of its own leaves no decision hanging.
        left = np.flatnonzero(np.repeat(batch.over, len(batch.agents)) & self._lanes.open)
        if len(left):
            self._lanes.end(left, truncated=False)

    def _values(self, lanes: NDArray[np.intp]) -> NDArray[np.float32]:
        with torch.inference_mode():
            return self.module.network.value(torch.as_tensor(self._rows(lanes)[0])).numpy()

    def _record(self, over: NDArray[np.intp]) -> None:
        teams = range(len(self.spec.teams))
        for game in over:
            totals = [float(self._returns[game, self._teams == team].mean()) for team in teams]
            own, number = int(self._team[game]), int(self._opponent[game])
            others = [total for team, total in enumerate(totals) if team != own]
            outcome = 0.5
            if number != LIVE and others:
                outcome = 0.5 + 0.5 * float(np.sign(totals[own] - max(others)))
            name = self.opponents.names[number] if number != LIVE else ""
            self._results.append(EpisodeResult(name, outcome, totals[own], int(self._length[game])))

    def _rows(self, lanes: NDArray[np.intp]) -> tuple[NDArray[Any], NDArray[np.int8] | None]:
        masks = self.batch.masks
        return self._flat(self.batch.observations)[lanes], None if masks is None else self._flat(masks)[lanes]

    def _flat(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.reshape(self._live.size, *array.shape[2:])

    def get_state(self, components: Any = None, *, not_components: Any = None, **kwargs: Any) -> dict[str, Any]:
        state: dict[str, Any] = {
            NUM_ENV_STEPS_SAMPLED_LIFETIME: self.num_env_steps_sampled_lifetime,
            "rng": self.rng.bit_generator.state,
        }
        if self._check_component(COMPONENT_RL_MODULE, components, not_components):
            state[COMPONENT_RL_MODULE] = {DEFAULT_MODULE_ID: self.module.get_state()}
            state[WEIGHTS_SEQ_NO] = self._weights_seq_no
        return state

    def set_state(self, state: dict[str, Any]) -> None:
        if COMPONENT_RL_MODULE in state:
            weights = state[COMPONENT_RL_MODULE]
            weights = ray.get(weights) if isinstance(weights, ray.ObjectRef) else weights
            self.module.set_state(weights.get(DEFAULT_MODULE_ID, weights))
            self._weights_seq_no = state.get(WEIGHTS_SEQ_NO, 0)
        if "rng" in state and not self.worker_index:
            self.rng.bit_generator.state = state["rng"]
        self.num_env_steps_sampled_lifetime = state.get(
            NUM_ENV_STEPS_SAMPLED_LIFETIME, self.num_env_steps_sampled_lifetime
        )

    def get_ctor_args_and_kwargs(self) -> tuple[tuple[()], dict[str, Any]]:
        return (), {"config": self.config}

    def get_checkpointable_components(self) -> list[tuple[str, Any]]:
        return [(COMPONENT_RL_MODULE, self.module)]

    def stop(self) -> None:
        self.batch.close()
