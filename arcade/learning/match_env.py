"""Games with some seats taken by players, as PettingZoo envs of the seats that stay open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from pettingzoo import AECEnv, ParallelEnv

from agents.seats.controller import Action, AgentID, Controller, SeatChoice, SeatSpec
from agents.snapshots.store import SnapshotStore
from arcade.arguments import ArgumentError
from arcade.games.spec import GameSpec, load_entry
from arcade.learning.opponent_env import MOST_STARTS
from arcade.learning.seats import OpponentSeats
from arcade.match.stage.drivers import split_mask, without_mask
from arcade.match.stage.tick import Tick

OPEN = "open"
"""The word of a seat that the caller plays."""


class FilledSeats:
    """The players of the filled seats of one env; seeds of episodes without one count up."""

    def __init__(self, spec: GameSpec, env: Any, players: Mapping[AgentID, Any], *, store: SnapshotStore) -> None:
        self._spec, self._env, self._players = spec, env, players
        self.open = [agent for agent in spec.agents if agent not in players]
        self._spaces = {agent: env.observation_space(agent) for agent in players}
        places = [
            SeatSpec(
                game=spec.id, agent=agent, observation_space=without_mask(env.observation_space(agent)),
                action_space=env.action_space(agent), fps=spec.fps,
            )
            for agent in spec.agents
        ]  # fmt: skip
        words = {agent: self._name(agent, player) for agent, player in players.items()}
        own = {words[agent]: player for agent, player in players.items() if words[agent].startswith("own:")}
        self._seats = OpponentSeats(spec, places, own, store=store)
        for agent, word in words.items():
            self._seats.seat(agent, word)
        self._rng = np.random.default_rng()
        self._index = 0

    def begin(self, seed: int | None) -> int:
        """Begin an episode; returns its seed."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        own = int(self._rng.integers(2**31)) if seed is None else seed
        self._seats.begin(own % 2**32)
        self._index = 0
        return own

    def act(self, observations: Mapping[AgentID, Any], infos: Mapping[AgentID, Any]) -> dict[AgentID, Action]:
        """The actions of the filled seats among these, which see the env's own observations."""
        parts = {
            agent: split_mask(self._spaces[agent], seen, infos.get(agent, {}))
            for agent, seen in observations.items()
            if agent in self._players
        }
        tick = Tick(
            self._index, tuple(parts), {agent: seen for agent, (seen, _) in parts.items()},
            {agent: mask for agent, (_, mask) in parts.items()},
        )  # fmt: skip
        tick.other_observations = {
            name: load_entry(self._spec.obs_types[name])(self._env) for name in self._seats.obs_types
        }
        self._index += 1
        return self._seats.act(tick)

    def close(self) -> None:
        """Free the players."""
        self._seats.close()

    def _name(self, agent: AgentID, player: Any) -> str:
        if isinstance(player, (str, SeatChoice)):
            return str(player)
        return f"own:{agent}" if not isinstance(player, Controller) else f"own:{id(player)}"


class FilledParallelEnv(ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types here
    """A real-time game; the open seats are its agents, with the env's own spaces."""

    def __init__(self, spec: GameSpec, env: Any, seats: FilledSeats) -> None:
        self.metadata, self.render_mode = dict(env.metadata), getattr(env, "render_mode", None)
        self._env, self._seats = env, seats
        self.possible_agents: list[AgentID] = list(seats.open)
        self.agents: list[AgentID] = []
        self._newest: tuple[Mapping[AgentID, Any], Mapping[AgentID, Any]] = ({}, {})

    def observation_space(self, agent: AgentID) -> Any:
        return self._env.observation_space(agent)

    def action_space(self, agent: AgentID) -> Any:
        return self._env.action_space(agent)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, Any]:
        self._newest = observations, infos = self._env.reset(seed=self._seats.begin(seed), options=options)
        self.agents = list(self.possible_agents)
        return self._of_open(observations), self._of_open(infos)

    def step(self, actions: Mapping[AgentID, Any]) -> tuple[Any, Any, Any, Any, Any]:
        observations, infos = self._newest
        live = {agent: seen for agent, seen in observations.items() if agent in self._env.agents}
        results = self._env.step({**actions, **self._seats.act(live, infos)})
        self._newest = results[0], results[4]
        observations, rewards, terminations, truncations, infos = map(self._of_open, results)
        self.agents = [
            agent for agent in self.agents if not (terminations.get(agent, True) or truncations.get(agent, True))
        ]
        return observations, rewards, terminations, truncations, infos

    def render(self) -> Any:
        return self._env.render()

    def state(self) -> Any:
        return self._env.state()

    def close(self) -> None:
        self._seats.close()
        self._env.close()

    def _of_open(self, values: Mapping[AgentID, Any]) -> dict[AgentID, Any]:
        return {agent: value for agent, value in values.items() if agent in self.agents}


class FilledAECEnv(AECEnv):  # type: ignore[misc]
    """A turn-based game; filled seats act within `step`, and their rewards for open seats add up."""

    def __init__(self, spec: GameSpec, env: Any, seats: FilledSeats) -> None:
        super().__init__()
        self.rewards: dict[AgentID, float] = {}
        self.metadata, self.render_mode = dict(env.metadata), getattr(env, "render_mode", None)
        self._env, self._seats = env, seats
        self.possible_agents: list[AgentID] = list(seats.open)
        self.agents: list[AgentID] = []

    def observation_space(self, agent: AgentID) -> Any:
        return self._env.observation_space(agent)

    def action_space(self, agent: AgentID) -> Any:
        return self._env.action_space(agent)

    def observe(self, agent: AgentID) -> Any:
        return self._env.observe(agent)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        for _ in range(MOST_STARTS):
            self._env.reset(seed=self._seats.begin(seed), options=options)
            seed = None
            self._take_agents()
            self.rewards = dict.fromkeys(self.agents, 0)
            self._cumulative_rewards = dict.fromkeys(self.agents, 0)
            self._play_filled()
            if self.agents and not (any(self.terminations.values()) or any(self.truncations.values())):
                break  # else the filled seats ended the game before the first open turn
        self._accumulate_rewards()

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if agent in self._cumulative_rewards:
            self._cumulative_rewards[agent] = 0
        self.rewards = dict.fromkeys(self.agents, 0)
        self._advance(action)
        self._play_filled()
        for left in set(self._cumulative_rewards) - set(self.agents):
            del self._cumulative_rewards[left]
        self._accumulate_rewards()

    def render(self) -> Any:
        return self._env.render()

    def state(self) -> Any:
        return self._env.state()

    def close(self) -> None:
        self._seats.close()
        self._env.close()

    def _play_filled(self) -> None:
        env = self._env
        while self.agents and env.agent_selection not in self.possible_agents:
            agent = env.agent_selection
            if env.terminations[agent] or env.truncations[agent]:
                self._advance(None)
            else:
                self._advance(self._seats.act({agent: env.observe(agent)}, env.infos)[agent])
        self._take_agents()

    def _advance(self, action: Any) -> None:
        """Step the game once, and add what it pays the open seats."""
        env, before = self._env, self._env.agent_selection
        dead = env.terminations[before] or env.truncations[before]
        env.step(action)
        for agent in self.rewards:
            self.rewards[agent] += 0 if dead else env.rewards.get(agent, 0)
        self._take_agents()

    def _take_agents(self) -> None:
        env = self._env
        self.agents = [agent for agent in self.possible_agents if agent in env.agents]
        self.agent_selection = env.agent_selection
        self.terminations = {agent: bool(env.terminations[agent]) for agent in self.agents}
        self.truncations = {agent: bool(env.truncations[agent]) for agent in self.agents}
        self.infos = {agent: env.infos[agent] for agent in self.agents}
        self.rewards = {agent: self.rewards.get(agent, 0) for agent in self.agents}


def fill(spec: GameSpec, seats: Mapping[Any, Any], *, store: SnapshotStore, render_mode: str | None = None) -> Any:
    """Make the game's env with these players in its seats; raises UserError."""
    players = _players(spec, seats)
    env = spec.make(render_mode=render_mode)
    try:
        filled = FilledSeats(spec, env, players, store=store)
    except Exception:
        env.close()
        raise
    return (FilledAECEnv if hasattr(env, "agent_iter") else FilledParallelEnv)(spec, env, filled)


def _players(spec: GameSpec, seats: Mapping[Any, Any]) -> dict[AgentID, Any]:
    by_text = {str(agent): agent for agent in spec.agents}
    unknown = [key for key in seats if key != "*" and str(key) not in by_text]
    if unknown:
        raise ArgumentError(f"expected seats of {spec.id} among {', '.join(by_text)} or *, got: {unknown[0]!r}")
    given = {str(key): player for key, player in seats.items()}
    players = {agent: given.get(word, given.get("*", OPEN)) for word, agent in by_text.items()}
    found = {agent: player for agent, player in players.items() if player is not None and player != OPEN}
    if len(found) == len(by_text):
        raise ArgumentError('expected at least one seat that is "open", got a player for each; try arcade.play')
    return found
