"""Makes vectorised envs from a game's own engine or single stages; RuledVectorEnv: frame skip and sticky actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from agents.seats.controller import AgentID, SeatSpec
from arcade.games.spec import GameSpec, load_entry
from arcade.match.batch.held_games import HeldGames
from arcade.match.batch.vector_env import Start, VectorEnv
from arcade.match.stage.local import LocalStage
from arcade.match.stage.rules import PLAIN, StageRules
from arcade.match.stage.state import StageState
from arcade.match.stage.tick import Tick


def make_vector_env(spec: GameSpec, num_envs: int, *, rules: StageRules = PLAIN, max_ticks: int = 0) -> VectorEnv:
    """Make the game's own vectorised engine, or else `num_envs` single stages, under `rules`.

    An episode is truncated after `max_ticks`, 0 for no limit.  Raises GameError or StageError.
    """
    engine = load_entry(spec.batch)(num_envs, **spec.kwargs) if spec.batch else None
    if engine is None:
        env: VectorEnv = StageVectorEnv(spec, num_envs)
    elif hasattr(engine, "agent_spaces"):
        env = SeatsVectorEnv(spec, num_envs, engine)
    else:
        env = NativeVectorEnv(spec, num_envs, engine)
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

    The engine was called as ``engine(num_envs, **spec.kwargs)`` and has ``observation_space``, ``action_space``,
    ``reset_games(envs, seeds)`` and ``step(actions)`` like ``arcade.games.house.volley_batch``.  A
    turn-based one also has ``acting`` and ``masks``, like ``arcade.games.connect_four_batch``; without them every seat
    acts at every tick, and every action is legal.  For training that starts from recorded moments it has
    ``put_games(games, engine, others)``, which copies games of another engine.
    """

    def __init__(self, spec: GameSpec, num_envs: int, engine: Any) -> None:
        self.spec, self.num_envs, self.agents = spec, num_envs, spec.agents
        self._engine = engine
        self._allocate(dict.fromkeys(self.agents, (self._engine.observation_space, self._engine.action_space)))
        self.groups[0].masks = getattr(self._engine, "masks", None)
        self._has_acting = self.can_wait = hasattr(self._engine, "acting")
        self._held: HeldGames | None = None

    def reset(self, envs: NDArray[np.intp], seeds: NDArray[np.int64]) -> None:
        if len(envs):
            self._begin(envs, self._engine.reset_games(envs, seeds))

    def hold(self, starts: Sequence[Start]) -> None:
        """Play all of them at once; an engine keeps each as it was at its moment."""
        if not hasattr(self._engine, "put_games"):
            super().hold(starts)
        self._held = HeldGames(self.spec, self.groups[0], starts) if starts else None

    def reset_at(self, envs: NDArray[np.intp], starts: NDArray[np.intp]) -> None:
        assert self._held is not None
        self._engine.put_games(envs, self._held.engine, starts)
        self._begin(envs, self._held.observations[starts])

    def step(self, actions: Sequence[NDArray[Any]]) -> None:
        observations, rewards, terminated, truncated = self._engine.step(actions[0])
        self.groups[0].observations, self.rewards = observations, rewards
        self.terminated = np.broadcast_to(terminated[:, None], rewards.shape).copy()
        self.truncated = np.broadcast_to((truncated & ~terminated)[:, None], rewards.shape).copy()
        if self._has_acting:
            self.acting = self._engine.acting.copy()
        else:
            self.acting = np.broadcast_to(~(terminated | truncated)[:, None], rewards.shape).copy()

    def step_some(self, actions: Sequence[NDArray[Any]], envs: NDArray[np.bool_]) -> None:
        waits = self.acting.any(axis=1) & ~envs
        if not self._has_acting or not waits.any():
            return super().step_some(actions, envs)
        kept = self.acting[waits]
        self._engine.acting[waits] = False  # such an engine steps the envs in which a seat acts
        self.step(actions)
        self._engine.acting[waits] = self.acting[waits] = kept

    def _begin(self, envs: NDArray[np.intp], observations: NDArray[Any]) -> None:
        self.groups[0].observations[envs] = observations
        self.acting[envs] = self._engine.acting[envs] if self._has_acting else True
        self._clear(envs)


class SeatsVectorEnv(VectorEnv):
    """Seats have spaces of their own, and all act at every tick until the episode is cut off for all of them.

    The engine is like ``arcade.games.particles.batch``: ``agent_spaces``, ``reset_games(envs, seeds)``,
    ``step(actions, running)``, and the arrays ``observations``, one for each seat, ``rewards`` and ``truncated``.
    """

    can_wait = True

    def __init__(self, spec: GameSpec, num_envs: int, engine: Any) -> None:
        self.spec, self.num_envs, self.agents = spec, num_envs, spec.agents
        self._engine = engine
        self._allocate(engine.agent_spaces)
        order = {agent: number for number, agent in enumerate(engine.agent_spaces)}
        self._columns = np.array([order[agent] for agent in self.agents], np.intp)  # of the engine, by seat
        self._starts: Sequence[Start] = ()

    def reset(self, envs: NDArray[np.intp], seeds: NDArray[np.int64]) -> None:
        if not len(envs):
            return
        self._engine.reset_games(envs, seeds)
        self.acting[envs] = True
        self._read()

    def hold(self, starts: Sequence[Start]) -> None:
        self._starts = starts

    def reset_at(self, envs: NDArray[np.intp], starts: NDArray[np.intp]) -> None:
        """Play them again up to their moments while the other envs wait: such episodes are short."""
        own = [self._starts[start] for start in starts.tolist()]
        self.reset(envs, np.array([one.seed for one in own], np.int64))
        actions = [group.no_actions() for group in self.groups]
        for tick in range(max((len(one.moves) for one in own), default=0)):
            running = np.zeros(self.num_envs, np.bool_)
            for env, start in zip(envs.tolist(), own, strict=True):
                if tick < len(start.moves):
                    running[env] = True
                    for group, into in zip(self.groups, actions, strict=True):
                        group.write(into, env, start.moves[tick])
            self.step_some(actions, running)
        self._clear(envs)

    def step(self, actions: Sequence[NDArray[Any]]) -> None:
        chosen = np.zeros(self.acting.shape, np.int64)
        for group, own in zip(self.groups, actions, strict=True):
            chosen[:, self._columns[group.columns]] = own
        self._engine.step(chosen, self.acting.any(axis=1))
        self._read()
        self.acting &= ~self.truncated

    def _read(self) -> None:
        engine = self._engine
        self.rewards[:] = engine.rewards[:, self._columns]
        self.truncated[:] = engine.truncated[:, None]
        for group in self.groups:
            for place, column in enumerate(self._columns[group.columns].tolist()):
                group.observations[:, place] = engine.observations[column]


class StageVectorEnv(VectorEnv):
    """Keeps the newest observation of every seat; a seat may die, wait its turn or appear in mid-episode."""

    can_wait = True

    def __init__(self, spec: GameSpec, num_envs: int) -> None:
        self.spec, self.num_envs, self.agents = spec, num_envs, spec.agents
        self._stages = [LocalStage(spec, checked=False) for _ in range(num_envs)]
        self._starts: Sequence[Start] = ()
        self._saved: list[dict[int, StageState]] = [{} for _ in range(num_envs)]  # of the episode of each stage
        self._allocate(self._stages[0].spaces)
        self.other_spaces = self._stages[0].other_spaces
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
            self._saved[env].clear()
            self._read(int(env), self._stages[env].wait())

    def begin_with(self, env: int, position: str) -> None:
        self._stages[env].start = position

    def hold(self, starts: Sequence[Start]) -> None:
        self._starts = starts
        for saved in self._saved:
            saved.clear()

    def reset_at(self, envs: NDArray[np.intp], starts: NDArray[np.intp]) -> None:
        """Play each again up to its moment, or go back to it where the env's episode began there."""
        for env, number in zip(envs.tolist(), starts.tolist(), strict=True):
            stage, saved = self._stages[env], self._saved[env]
            if number in saved:
                stage.load(saved[number])
            else:
                saved.clear()
                plain, stage.start = stage.start, self._starts[number].position
                stage.reset(self._starts[number].seed)
                stage.start = plain
                if moves := self._starts[number].moves:
                    stage.replay(moves)
                if stage.saves:
                    saved[number] = stage.save()
            self._read(env, stage.wait())

    def step(self, actions: Sequence[NDArray[Any]]) -> None:
        acting = self.acting
        for env in np.flatnonzero(acting.any(axis=1)).tolist():
            chosen = {}
            for column in np.flatnonzero(acting[env]).tolist():
                group, place, convert = self._place[self.agents[column]]
                chosen[self.agents[column]] = convert(actions[group][env, place])
            self._stages[env].step(chosen)
            self._read(env, self._stages[env].wait())

    def see(self, obs_type: str, seats: NDArray[np.intp]) -> NDArray[Any]:
        count, found = len(self.agents), np.empty(len(seats), object)
        seen = {env: self._stages[env].observe(obs_type) for env in np.unique(seats // count).tolist()}
        for row, seat in enumerate(seats.tolist()):
            found[row] = seen[seat // count][self.agents[seat % count]]
        return found

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


class RuledVectorEnv(VectorEnv):
    """Another vectorised env under rules; a step with frame skip holds an action and sums the rewards of its ticks.

    Episodes are truncated after `max_ticks`, 0 for no limit, once the action under way was held.  The random numbers
    of sticky actions follow from the seeds of the episodes.
    """

    def __init__(self, env: VectorEnv, rules: StageRules, *, max_ticks: int = 0) -> None:
        self._env, self._rules, self._max_ticks = env, rules, max_ticks
        self.spec, self.num_envs, self.agents, self.groups = env.spec, env.num_envs, env.agents, env.groups
        self.other_spaces = env.other_spaces
        self._last = [group.no_actions() for group in env.groups]
        self._ticks = np.zeros(env.num_envs, np.intp)
        self._rng = np.random.default_rng(0)
        self._moves: list[Sequence[NDArray[Any]]] = []
        self._take()

    def reset(self, envs: NDArray[np.intp], seeds: NDArray[np.int64]) -> None:
        if not len(envs):
            return
        self._rng = np.random.default_rng(int(seeds[0]))
        self._env.reset(envs, seeds)
        self._begin(envs)

    @property
    def places(self) -> tuple[SeatSpec, ...]:
        skip, sticks = self._rules.frame_skip, self._rules.sticky_actions > 0
        return tuple(replace(place, frame_skip=skip, sticks=sticks) for place in super().places)

    def hold(self, starts: Sequence[Start]) -> None:
        self._env.hold(starts)

    def reset_at(self, envs: NDArray[np.intp], starts: NDArray[np.intp]) -> None:
        """The recorded actions are played as they were executed; the rules apply from the moment on."""
        self._env.reset_at(envs, starts)
        self._begin(envs)

    def step(self, actions: Sequence[NDArray[Any]]) -> None:
        actions = self._stick(actions)
        self._moves = []
        rewards = np.zeros(self._env.rewards.shape, np.float32)
        terminated, truncated = np.zeros(rewards.shape, np.bool_), np.zeros(rewards.shape, np.bool_)
        for _ in range(self._rules.frame_skip):
            before = ~self._env.over
            if not before.any():
                break
            self._env.step(actions)
            self._ticks += before
            self._moves.append(actions)
            rewards += self._env.rewards * before[:, None]
            terminated |= self._env.terminated & before[:, None]
            truncated |= self._env.truncated & before[:, None]
        self._take()
        self.rewards, self.terminated, self.truncated = rewards, terminated, truncated
        self._cut_long()

    def see(self, obs_type: str, seats: NDArray[np.intp]) -> NDArray[Any]:
        return self._env.see(obs_type, seats)

    def moves(self, actions: Sequence[NDArray[Any]]) -> Sequence[Sequence[NDArray[Any]]]:
        return self._moves

    def close(self) -> None:
        self._env.close()

    def _begin(self, envs: NDArray[np.intp]) -> None:
        self._ticks[envs] = 0
        for last in self._last:
            last[envs] = 0
        self._take()

    def _stick(self, actions: Sequence[NDArray[Any]]) -> list[NDArray[Any]]:
        """Some seats repeat their last action, where they had one."""
        chance, executed = self._rules.sticky_actions, []
        for chosen, last in zip(actions, self._last, strict=True):
            sticks = self._rng.random(chosen.shape[:2]) < chance if chance else np.zeros(chosen.shape[:2], np.bool_)
            sticks &= (self._ticks > 0)[:, None]
            done = np.where(sticks.reshape(*sticks.shape, *[1] * (chosen.ndim - 2)), last, chosen)
            last[:] = done
            executed.append(done)
        return executed

    def _take(self) -> None:
        self.acting, self.rewards = self._env.acting, self._env.rewards
        self.terminated, self.truncated = self._env.terminated, self._env.truncated

    def _cut_long(self) -> None:
        if limit := self._max_ticks:
            cut = self.acting & (self._ticks >= limit)[:, None]
            over = np.asarray(cut.any(axis=1), np.bool_)
            self.acting = self.acting & ~over[:, None]
            self.truncated = self.truncated | (cut if not self.spec.turn_based else over[:, None] & ~self.terminated)
