"""ParticleWorlds: the world of an mpe2 game for many copies at once, by the formulas and in the order of mpe2's own.

Each entity has a column in the arrays, agents first.  The numbers come out bit for bit as mpe2's, but for functions
that numpy computes differently for one number and for many.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MOVES = np.array([(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)], np.float64)
"""By the number of the action, as in SimpleEnv._set_action."""

SENSITIVITY = 5.0
"""Force of a move of agents without an acceleration of their own, as in SimpleEnv._set_action."""


class ParticleWorlds:
    """N copies of `world`, an mpe2 World whose agents choose numbers; their state is that of mpe2's entities."""

    def __init__(self, world: Any, num_envs: int) -> None:
        agents, entities = world.agents, world.entities
        self.agents, self.words = len(agents), world.dim_c
        self.sizes = np.array([entity.size for entity in entities])
        self.positions: Floats = np.zeros((num_envs, len(entities), 2))
        self.velocities: Floats = np.zeros((num_envs, self.agents, 2))
        self.said: Floats = np.zeros((num_envs, self.agents, self.words))
        """1 at the word that the agent says, 0 elsewhere; all 0 at the start, and for the silent."""
        self._moves = np.array([agent.movable for agent in agents])
        self._silent = np.array([agent.silent for agent in agents])
        self._force = np.array([SENSITIVITY if agent.accel is None else agent.accel for agent in agents])
        self._masses = [agent.mass for agent in agents]
        self._top_speeds = [agent.max_speed for agent in agents]
        self._dt, self._damping = world.dt, world.damping
        self._contact_force, self._margin = world.contact_force, world.contact_margin
        self._pairs = [
            (a, b)
            for a in range(len(entities)) for b in range(a + 1, len(entities))
            if entities[a].collide and entities[b].collide and (entities[a].movable or entities[b].movable)
        ]  # fmt: skip
        self._first, self._second = np.array(self._pairs, np.intp).reshape(-1, 2).T

    def take(self, env: int, world: Any) -> None:
        """Copy the state of a world that was just reset."""
        self.positions[env] = [entity.state.p_pos for entity in world.entities]
        self.velocities[env] = [agent.state.p_vel for agent in world.agents]
        self.said[env] = [agent.state.c for agent in world.agents]

    def step(self, actions: NDArray[np.int64]) -> None:
        """World.step; `actions`, (N, agents), are a move, a word, or a move + 5 x a word."""
        moves = np.where(self._moves, actions % len(MOVES), 0)
        words = np.where(self._moves, actions // len(MOVES), actions)
        self._integrate(self._forces(MOVES[moves] * self._force[:, None]))
        for agent in np.flatnonzero(~self._silent).tolist():
            self.said[:, agent] = np.eye(self.words)[words[:, agent]]

    def distances(self, first: Any, second: Any) -> Floats:
        """Distances (N, …) between entities."""
        return length(self.positions[:, first] - self.positions[:, second])

    def touch(self, first: Any, second: Any) -> NDArray[np.bool_]:
        """Whether entities overlap, (N, …)."""
        overlap: NDArray[np.bool_] = self.distances(first, second) < self.sizes[first] + self.sizes[second]
        return overlap

    def seen_from(self, agent: int, entities: list[int]) -> list[Floats]:
        """The positions (N, 2) of entities relative to the agent."""
        return [self.positions[:, entity] - self.positions[:, agent] for entity in entities]

    def others(self, agent: int) -> list[int]:
        """The other agents."""
        return [other for other in range(self.agents) if other != agent]

    @property
    def landmarks(self) -> list[int]:
        """The entities that are no agents."""
        return list(range(self.agents, self.positions.shape[1]))

    def _forces(self, forces: Floats) -> Floats:
        """World.apply_environment_force: the agents' own forces (N, agents, 2) and those of contacts."""
        if not self._pairs:
            return forces
        apart = self.positions[:, self._first] - self.positions[:, self._second]
        distance, k = length(apart), self._margin
        least = self.sizes[self._first] + self.sizes[self._second]
        penetration = np.logaddexp(0, -(distance - least) / k) * k
        contact = self._contact_force * apart / distance[..., None] * penetration[..., None]
        for number, (a, b) in enumerate(self._pairs):
            if a < self.agents and self._moves[a]:
                forces[:, a] = contact[:, number] + forces[:, a]
            if b < self.agents and self._moves[b]:
                forces[:, b] = -contact[:, number] + forces[:, b]
        return forces

    def _integrate(self, forces: Floats) -> None:
        """World.integrate_state."""
        for agent in np.flatnonzero(self._moves).tolist():
            velocity = self.velocities[:, agent]
            self.positions[:, agent] += velocity * self._dt
            velocity = velocity * (1 - self._damping)
            velocity += (forces[:, agent] / self._masses[agent]) * self._dt
            if (top := self._top_speeds[agent]) is not None:
                speed = length(velocity)
                fast = speed > top
                velocity[fast] = velocity[fast] / speed[fast, None] * top
            self.velocities[:, agent] = velocity


def squared_length(vectors: Floats) -> Floats:
    """Of vectors (…, 2)."""
    squares = np.square(vectors)
    squared: Floats = squares[..., 0] + squares[..., 1]
    return squared


def length(vectors: Floats) -> Floats:
    """Of vectors (…, 2)."""
    return np.asarray(np.sqrt(squared_length(vectors)))
