"""Makes vectorised envs: of a game's own vectorised engine, or of single stages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from agents.seats.controller import AgentID
from arcade.games.spec import GameSpec, load_entry
from arcade.match.batch.ruled_env import RuledVectorEnv
from arcade.match.batch.vector_env import VectorEnv
from arcade.match.stage.local import LocalStage
from arcade.match.stage.rules import PLAIN, StageRules
from arcade.match.stage.tick import Tick


def make_vector_env(spec: GameSpec, num_envs: int, *, rules: StageRules = PLAIN, max_ticks: int = 0) -> VectorEnv:
    """Make the game's own vectorised engine, or else `num_envs` single stages, under `rules`.

    An episode is truncated after `max_ticks`, 0 for no limit.  Raises GameError or StageError.
    """
    env: VectorEnv = NativeVectorEnv(spec, num_envs) if spec.batch else StageVectorEnv(spec, num_envs)
    return RuledVectorEnv(env, rules, max_ticks=max_ticks) if rules.any or max_ticks else env


def with_kwargs(spec: GameSpec, kwargs: Mapping[str, Any]) -> GameSpec:
    """The spec of the game made with other arguments.

    Where these change its agents, each new one joins the team of those whose names begin alike, or has its own.
    """
    if not kwargs:
        return spec
    changed = replace(spec, kwargs={**spec.kwargs, **kwargs})
    env = changed.make()
    agents = tuple(env.possible_agents)
    env.close()
    if agents == spec.agents:
        return changed
    team_of = {_stem(agent): number for number, team in enumerate(spec.teams) for agent in team}
    teams: dict[Any, list[AgentID]] = {}
    for agent in agents:
        teams.setdefault(team_of.get(_stem(agent), agent), []).append(agent)
    return replace(changed, agents=agents, teams=tuple(tuple(team) for team in teams.values()))


def _stem(agent: AgentID) -> str:
    return str(agent).rpartition("_")[0]


class NativeVectorEnv(VectorEnv):
    """All seats have the same spaces, and an episode ends for all of them at once.

    The engine is called as ``engine(num_envs, **spec.kwargs)`` and has ``observation_space``, ``action_space``,
    ``reset_games(envs, seeds)`` and ``step(actions)`` like ``arcade.games.house.volley_batch``.  A
    turn-based one also has ``acting`` and ``masks``, like ``arcade.games.connect_four_batch``; without them every seat
    acts at every tick, and every action is legal.
    """

    def __init__(self, spec: GameSpec, num_envs: int) -> None:
        self.spec, self.num_envs, self.agents = spec, num_envs, spec.agents
        self._engine = load_entry(spec.batch)(num_envs, **spec.kwargs)
        self._allocate(dict.fromkeys(self.agents, (self._engine.observation_space, self._engine.action_space)))
        self.groups[0].masks = getattr(self._engine, "masks", None)
        self._has_acting = hasattr(self._engine, "acting")

    def reset(self, envs: NDArray[np.intp], seeds: NDArray[np.int64]) -> None:
        if not len(envs):
            return
        self.groups[0].observations[envs] = self._engine.reset_games(envs, seeds)
        self.acting[envs] = self._engine.acting[envs] if self._has_acting else True
        for array in (self.rewards, self.terminated, self.truncated):
            array[envs] = 0

    def step(self, actions: Sequence[NDArray[Any]]) -> None:
        observations, rewards, terminated, truncated = self._engine.step(actions[0])
        self.groups[0].observations, self.rewards = observations, rewards
        self.terminated = np.broadcast_to(terminated[:, None], rewards.shape).copy()
        self.truncated = np.broadcast_to((truncated & ~terminated)[:, None], rewards.shape).copy()
        if self._has_acting:
            self.acting = self._engine.acting.copy()
        else:
            self.acting = np.broadcast_to(~(terminated | truncated)[:, None], rewards.shape).copy()


class StageVectorEnv(VectorEnv):
    """Keeps the newest observation of every seat; a seat may die, wait its turn or appear in mid-episode."""

    def __init__(self, spec: GameSpec, num_envs: int) -> None:
        self.spec, self.num_envs, self.agents = spec, num_envs, spec.agents
        self._stages = [LocalStage(spec, checked=False) for _ in range(num_envs)]
        self._allocate(self._stages[0].spaces)
        self._column = {agent: i for i, agent in enumerate(self.agents)}
        # agent -> the index of its group, its place there, and the converter of its actions to the env's
        self._place = {
            agent: (number, place, _converter(group.action_space))
            for number, group in enumerate(self.groups)
            for place, agent in enumerate(group.agents)
        }
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
                group, place, convert = self._place[self.agents[column]]
                chosen[self.agents[column]] = convert(actions[group][env, place])
            self._stages[env].step(chosen)
            self._read(env, self._stages[env].wait())

    def close(self) -> None:
        for stage in self._stages:
            stage.close()

    def _find_masks(self) -> None:
        """Play until every seat has had an observation, since only that shows whether it has action masks."""
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
        space, mask = self._stages[0].spaces[agent][1], tick.action_masks.get(agent)
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
                number, place, _ = self._place[agent]
                self.groups[number].observations[env, place] = seen
        for agent, mask in tick.action_masks.items():
            if mask is not None and (agent in tick.acting or mask.any()):  # at an end a game may call nothing legal
                number, place, _ = self._place[agent]
                group = self.groups[number]
                if group.masks is None:
                    group.masks = np.ones((self.num_envs, len(group.agents), len(mask)), np.int8)
                group.masks[env, place] = mask


def _converter(space: Any) -> Any:
    if isinstance(space, spaces.Discrete):
        return int
    return lambda action: np.asarray(action, space.dtype).reshape(space.shape)
