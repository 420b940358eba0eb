"""ParticleBatch: an mpe2 game for many copies at once, in the same states as the game itself.

A caller's loop::

    batch = simple_tag_v3(32)
    batch.reset_games(np.arange(32), seeds)
    while training:
        batch.step(actions, np.ones(32, bool))      # (32, agents); then batch.observations, rewards and truncated
        over = np.flatnonzero(batch.truncated)
        batch.reset_games(over, new_seeds)
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from gymnasium.utils import seeding
from numpy.typing import NDArray

from arcade.games.particles import scenarios
from arcade.games.particles.scenarios import Scenario
from arcade.games.particles.world import ParticleWorlds
from arcade.games.spec import load_entry

Bools = NDArray[np.bool_]

VARIANTS = (
    "curriculum", "terminate_on_success", "num_agent_neighbors", "num_landmark_neighbors",
)  # fmt: skip
"""What changes a scenario's rules where it is set: such games are stepped one by one."""


class ParticleBatch:
    """N copies of `env`, an unwrapped mpe2 env, which makes the states that games begin with."""

    def __init__(self, env: Any, kind: type[Scenario], num_envs: int) -> None:
        self._env, self._ticks = env, np.zeros(num_envs, np.intp)
        self._worlds = ParticleWorlds(env.world, num_envs)
        self._scenario = kind(self._worlds, env.world)
        agents = env.possible_agents
        self.agent_spaces = {agent: (env.observation_space(agent), env.action_space(agent)) for agent in agents}
        self.observations: list[NDArray[np.float32]] = [
            np.zeros((num_envs, *space.shape), np.float32) for space, _ in self.agent_spaces.values()
        ]
        """For each agent, (N, …)."""
        self.rewards = np.zeros((num_envs, len(agents)), np.float32)
        self.truncated: Bools = np.zeros(num_envs, np.bool_)

    def reset_games(self, envs: NDArray[np.intp], seeds: NDArray[np.int64]) -> None:
        """Begin games of these seeds."""
        for env, seed in zip(envs.tolist(), seeds.tolist(), strict=True):
            generator, _ = seeding.np_random(seed)
            self._env.scenario.reset_world(self._env.world, generator)
            self._worlds.take(env, self._env.world)
            self._scenario.take(env, self._env.world)
        self._ticks[envs], self.truncated[envs], self.rewards[envs] = 0, False, 0
        self._observe(envs)

    def step(self, actions: NDArray[np.int64], running: Bools) -> None:
        """One tick of the games that are `running`; the others stay as they are."""
        worlds = self._worlds
        states, still = (worlds.positions, worlds.velocities, worlds.said), ~running
        kept = [state[still] for state in states] if still.any() else []
        worlds.step(actions)
        for state, old in zip(states, kept, strict=False):
            state[still] = old
        self._ticks += running
        rows = np.flatnonzero(running)
        self.rewards[rows] = self._rewards()[rows]
        self.truncated[rows] = self._ticks[rows] >= self._env.max_cycles
        self._observe(rows if kept else slice(None))

    def _rewards(self) -> NDArray[np.float64]:
        own = np.stack([self._scenario.reward(agent) for agent in range(self._worlds.agents)], axis=1)
        ratio = self._env.local_ratio
        return own if ratio is None else self._scenario.reward_of_all()[:, None] * (1 - ratio) + own * ratio

    def _observe(self, envs: Any) -> None:
        for agent, seen in enumerate(self.observations):
            seen[envs] = np.concatenate(self._scenario.observe(agent), axis=1)[envs]


def make_batch(game: str, kind: type[Scenario], num_envs: int, **kwargs: Any) -> ParticleBatch | None:
    """None for settings that are stepped one by one."""
    env = load_entry(f"mpe2.{game}:raw_env")(**kwargs)
    scenario = env.scenario
    if env.continuous_actions or any(getattr(scenario, name, None) for name in VARIANTS):
        return None
    return ParticleBatch(env, kind, num_envs)


simple_v3 = partial(make_batch, "simple_v3", scenarios.Simple)
simple_adversary_v3 = partial(make_batch, "simple_adversary_v3", scenarios.Adversary)
simple_push_v3 = partial(make_batch, "simple_push_v3", scenarios.Push)
simple_reference_v3 = partial(make_batch, "simple_reference_v3", scenarios.Reference)
simple_speaker_listener_v4 = partial(make_batch, "simple_speaker_listener_v4", scenarios.SpeakerListener)
simple_spread_v3 = partial(make_batch, "simple_spread_v3", scenarios.Spread)
simple_tag_v3 = partial(make_batch, "simple_tag_v3", scenarios.Tag)
simple_world_comm_v3 = partial(make_batch, "simple_world_comm_v3", scenarios.WorldComm)
