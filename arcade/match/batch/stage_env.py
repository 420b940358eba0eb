"""Any PettingZoo env, AEC or Parallel: one stage in this process for each copy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from agents.seats.controller import AgentID
from arcade.games.spec import GameSpec
from arcade.match.batch.vector_env import VectorEnv
from arcade.match.stage.local import LocalStage
from arcade.match.stage.tick import Tick


class StageVectorEnv(VectorEnv):
    """Keeps the newest observation of every seat; a seat may die, wait its turn or appear in mid-episode."""

    def __init__(self, spec: GameSpec, num_envs: int) -> None:
        self.spec, self.num_envs, self.agents = spec, num_envs, spec.agents
        self._stages = [LocalStage(spec, checked=False) for _ in range(num_envs)]
        self._allocate(self._stages[0].spaces)
        self._column = {agent: i for i, agent in enumerate(self.agents)}
        # agent -> its group, its place there, and how an action of the batch becomes the env's
        self._place = {
            agent: (group, place, _converter(group.action_space))
            for group in self.groups
            for place, agent in enumerate(group.agents)
        }
        self._group_number = {agent: self.group_of(agent) for agent in self.agents}
        self._find_masks()

    def reset(self, envs: NDArray[np.intp], seeds: NDArray[np.int64]) -> None:
        for env, seed in zip(envs, seeds, strict=True):
            self._stages[env].reset(int(seed))
            self._read(int(env), self._stages[env].wait())

    def step(self, actions: Sequence[NDArray[Any]]) -> None:
        acting = self.acting
        for env in np.flatnonzero(acting.any(axis=1)).tolist():
            chosen = {}
            for column in np.flatnonzero(acting[env]).tolist():
                agent = self.agents[column]
                _, place, convert = self._place[agent]
                chosen[agent] = convert(actions[self._group_number[agent]][env, place])
            stage = self._stages[env]
            stage.step(chosen)
            self._read(env, stage.wait())

    def close(self) -> None:
        for stage in self._stages:
            stage.close()

    def _find_masks(self) -> None:
        """Play until every seat has had an observation, which alone shows whether it has action masks."""
        stage, rng, seen = self._stages[0], np.random.default_rng(0), set[AgentID]()
        stage.reset(0)
        for _ in range(4 * len(self.agents)):
            tick = stage.wait()
            self._see(0, tick)
            seen |= tick.observations.keys()
            if tick.over or len(seen) == len(self.agents):
                return
            stage.step({agent: self._any_legal(agent, tick, rng) for agent in tick.acting})

    def _any_legal(self, agent: AgentID, tick: Tick, rng: np.random.Generator) -> Any:
        space, mask = self._place[agent][0].action_space, tick.action_masks.get(agent)
        space.seed(int(rng.integers(2**31)))
        return space.sample() if mask is None else space.sample(np.asarray(mask, np.int8))

    def _read(self, env: int, tick: Tick) -> None:
        for array in (self.acting, self.rewards, self.terminated, self.truncated):
            array[env] = 0
        for agent in tick.acting:
            self.acting[env, self._column[agent]] = True
        for values, array in (
            (tick.rewards, self.rewards),
            (tick.terminations, self.terminated),
            (tick.truncations, self.truncated),
        ):
            for agent, value in values.items():
                array[env, self._column[agent]] = value
        self._see(env, tick)

    def _see(self, env: int, tick: Tick) -> None:
        for agent, seen in tick.observations.items():
            if seen is not None:
                group, place, _ = self._place[agent]
                group.observations[env, place] = seen
        for agent, mask in tick.action_masks.items():
            if mask is not None and (agent in tick.acting or mask.any()):  # at an end a game may call nothing legal
                group, place, _ = self._place[agent]
                if group.masks is None:
                    group.masks = np.ones((self.num_envs, len(group.agents), len(mask)), np.int8)
                group.masks[env, place] = mask


def _converter(space: Any) -> Any:
    if isinstance(space, spaces.Discrete):
        return int
    return lambda action: np.asarray(action, space.dtype).reshape(space.shape)
