"""Drivers of PettingZoo's AEC and Parallel APIs, one Tick at a time.

AEC: https://pettingzoo.farama.org/api/aec/   Parallel: https://pettingzoo.farama.org/api/parallel/
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from gymnasium import spaces
from pettingzoo.utils.conversions import aec_to_parallel_wrapper
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from agents.seats.controller import Action, ActionMask, AgentID
from arcade.games.spec import GameError, GameSpec
from arcade.match.stage.tick import Tick

_MASK = "action_mask"
Masks = Mapping[AgentID, ActionMask | None]


class Driver(Protocol):
    """Steps one env; the rendering and the process around it are the stage's."""

    def reset(self, seed: int) -> Tick: ...

    def step(self, actions: Mapping[AgentID, Action]) -> Tick: ...

    def look(self) -> Tick:
        """The state of an env that was changed since its reset, as tick 0."""


CHECKS = (OrderEnforcingWrapper, AssertOutOfBoundsWrapper, TerminateIllegalWrapper)
"""Wrappers that leave legal play as it is."""


def make_driver(env: Any, spec: GameSpec, *, checked: bool = True) -> Driver:
    """The driver for the env that the game's entry returned; raises GameError for anything but a PettingZoo env.

    Without `checked`, PettingZoo's wrappers against wrong calls and illegal actions are removed, which makes many games
    several times as fast: for callers whose every action is legal.
    """
    declared = seat_spaces(env, spec) if hasattr(env, "possible_agents") else {}
    if type(env) is aec_to_parallel_wrapper:
        return RoundDriver(env.aec_env if checked else _without_checks(env.aec_env), declared)
    if hasattr(env, "agent_iter") and hasattr(env, "observe"):
        inner = env if checked else _without_checks(env)
        if not spec.turn_based and env.metadata.get("is_parallelizable"):
            return RoundDriver(inner, declared)  # a tick of a real-time game is a round of all agents
        return AecDriver(inner, declared)
    if hasattr(env, "possible_agents") and hasattr(env, "step"):
        return ParallelDriver(env, declared)
    raise GameError(f"expected {spec.entry} to return a PettingZoo AECEnv or ParallelEnv, got: {env!r}")


def _without_checks(env: Any) -> Any:
    while type(env) in CHECKS:
        env = env.env
    return env


def seat_spaces(env: Any, spec: GameSpec) -> dict[AgentID, tuple[Any, Any]]:
    """Each agent's observation space, as the env declares it, and its action space."""
    try:
        return {agent: (env.observation_space(agent), env.action_space(agent)) for agent in spec.agents}
    except KeyError as error:
        raise GameError(f"expected {spec.id} to have the agents {spec.agents}, got none named {error}") from error


def has_mask(space: Any) -> bool:
    """True where the mask sits in the observation: Dict with ``action_mask`` (PettingZoo's Classic family)."""
    return isinstance(space, spaces.Dict) and _MASK in space.spaces


def without_mask(space: Any) -> Any:
    """The part of an observation space that a policy sees: all but the mask, alone where one entry is left."""
    if not has_mask(space):
        return space
    rest = _rest(space.spaces)
    return spaces.Dict(rest) if isinstance(rest, dict) else rest


def split_mask(space: Any, observation: Any, info: Mapping[str, Any]) -> tuple[Any, ActionMask | None]:
    """The observation of a declared `space` without its mask, and the mask, wherever the env has it."""
    if has_mask(space):
        return _rest(observation), observation[_MASK]
    return observation, info.get(_MASK)


def _rest(entries: Mapping[str, Any]) -> Any:
    """All entries but the mask; a single one by itself."""
    rest = {key: part for key, part in entries.items() if key != _MASK}
    return next(iter(rest.values())) if len(rest) == 1 else rest


def _ended(terminations: Mapping[AgentID, bool], truncations: Mapping[AgentID, bool]) -> tuple[AgentID, ...]:
    return tuple(agent for agent, over in terminations.items() if over or truncations.get(agent))


class _EnvDriver:
    """The env, the agents with their mask in the observation, and the index of the tick."""

    def __init__(self, env: Any, declared: Mapping[AgentID, tuple[Any, Any]]) -> None:
        self._env = env
        self._masked = frozenset(agent for agent, (space, _) in declared.items() if has_mask(space))
        self._index = 0

    def look(self) -> Tick:
        raise GameError("expected a game whose agents act one at a time, to begin with another position")


class ParallelDriver(_EnvDriver):
    """All live agents act at once."""

    def reset(self, seed: int) -> Tick:
        observations, infos = self._env.reset(seed=seed)
        self._index = 0
        observations, masks = self._unmask(observations, infos)
        return Tick(0, tuple(self._env.agents), observations, masks, {}, {}, {}, infos)

    def step(self, actions: Mapping[AgentID, Action]) -> Tick:
        observations, rewards, terminations, truncations, infos = self._env.step(actions)
        self._index += 1
        acting = tuple(self._env.agents)
        ended: tuple[AgentID, ...] = ()
        if True in terminations.values() or True in truncations.values():
            ended = _ended(terminations, truncations)
            acting = tuple(agent for agent in acting if agent not in ended)
        observations, masks = self._unmask(observations, infos)
        return Tick(self._index, acting, observations, masks, rewards, terminations, truncations, infos, ended)

    def _unmask(
        self, observations: Mapping[AgentID, Any], infos: Mapping[AgentID, Any]
    ) -> tuple[Mapping[AgentID, Any], Masks]:
        masks: dict[AgentID, ActionMask | None] = {a: info[_MASK] for a, info in infos.items() if _MASK in info}
        if self._masked:
            seen = dict(observations)
            for agent in self._masked & seen.keys():
                masks[agent] = seen[agent][_MASK]
                seen[agent] = _rest(seen[agent])
            observations = seen
        return observations, masks


class _TurnDriver(_EnvDriver):
    """An AEC env.  Its attributes are read beneath PettingZoo's checks, each of which costs a lookup in Python."""

    def __init__(self, env: Any, declared: Mapping[AgentID, tuple[Any, Any]]) -> None:
        super().__init__(env, declared)
        self._state = _without_checks(env)

    def reset(self, seed: int) -> Tick:
        self._env.reset(seed=seed)
        self._index = 0
        return self._tick()

    def look(self) -> Tick:
        return self._tick()

    def _tick(self) -> Tick:
        """The state before the next step, without what the last one brought."""
        raise NotImplementedError

    def _is_dead(self) -> bool:
        """Whether the episode of the next agent is over."""
        agent = self._state.agent_selection
        return bool(self._state.terminations[agent] or self._state.truncations[agent])

    def _observe(self, agent: AgentID, infos: Mapping[AgentID, Any]) -> tuple[Any, ActionMask | None]:
        """The observation without its mask, and the mask, wherever the env has it."""
        observation = self._env.observe(agent)
        if agent in self._masked:
            return _rest(observation), observation[_MASK]
        return observation, infos.get(agent, {}).get(_MASK)


class RoundDriver(_TurnDriver):
    """An AEC env whose agents act in a fixed cycle, a whole round at a time.

    The same as PettingZoo's ``aec_to_parallel``, without the observations in mid-round, which are not shown.
    """

    def step(self, actions: Mapping[AgentID, Action]) -> Tick:
        env, step = self._state, self._env.step
        rewards: dict[AgentID, float] = {}
        for agent in tuple(env.agents):
            if agent != env.agent_selection:
                raise GameError(f"expected agent {agent!r} to be next in the round, got: {env.agent_selection!r}")
            step(actions[agent])
            for other, reward in env.rewards.items():
                rewards[other] = rewards.get(other, 0) + reward
        self._index += 1
        tick = self._tick()
        tick.rewards, tick.terminations, tick.truncations = rewards, dict(env.terminations), dict(env.truncations)
        if True in tick.terminations.values() or True in tick.truncations.values():
            tick.ended = _ended(tick.terminations, tick.truncations)
            while env.agents and self._is_dead():
                step(None)
            tick.acting = tuple(env.agents)
        return tick

    def _tick(self) -> Tick:
        observations, masks = {}, {}
        agents, infos = tuple(self._state.agents), dict(self._state.infos)
        for agent in agents:
            observations[agent], mask = self._observe(agent, infos)
            if mask is not None:
                masks[agent] = mask
        return Tick(self._index, agents, observations, masks, infos=infos)


class AecDriver(_TurnDriver):
    """One agent acts at a time; dead agents are stepped out of the env inside one Tick, as AEC requires.

    An agent's episode ends with its dead step, as in PettingZoo's own loop: some games continue for a while before it,
    and pay the agent for that.
    """

    def step(self, actions: Mapping[AgentID, Action]) -> Tick:
        env, step = self._state, self._env.step
        step(actions[env.agent_selection])
        self._index += 1
        # A dead step clears the env's dicts, so what the live step brought is taken before it.
        rewards = dict(env.rewards)
        terminations, truncations = dict(env.terminations), dict(env.truncations)
        last: dict[AgentID, tuple[Any, ActionMask | None]] = {}
        while env.agents and self._is_dead():
            agent = env.agent_selection
            last[agent] = self._observe(agent, env.infos)
            step(None)
        tick = self._tick()
        tick.rewards, tick.ended = rewards, tuple(last)
        tick.terminations = {agent: bool(over) and agent in last for agent, over in terminations.items()}
        tick.truncations = {agent: bool(over) and agent in last for agent, over in truncations.items()}
        if last:
            tick.observations = {**{agent: seen for agent, (seen, _) in last.items()}, **tick.observations}
            tick.action_masks = {**{agent: mask for agent, (_, mask) in last.items()}, **tick.action_masks}
        return tick

    def _tick(self) -> Tick:
        env = self._state
        if not env.agents:
            return Tick(self._index, (), infos=dict(env.infos))
        agent, infos = env.agent_selection, dict(env.infos)
        observation, mask = self._observe(agent, infos)
        return Tick(self._index, (agent,), {agent: observation}, {agent: mask}, infos=infos)
