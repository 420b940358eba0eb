"""What each game of mpe2 adds to the physics: observations and rewards, as in its Scenario class."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.games.particles.world import Floats, ParticleWorlds, length, squared_length


class Scenario(ABC):
    """Observations and rewards of N games in `worlds`."""

    def __init__(self, worlds: ParticleWorlds, world: Any) -> None:
        self.worlds, num_envs = worlds, len(worlds.positions)
        self.hunters = [i for i, agent in enumerate(world.agents) if getattr(agent, "adversary", False)]
        self.good = [i for i in range(worlds.agents) if i not in self.hunters]
        self.goals = np.zeros((num_envs, worlds.agents), np.intp)  # the landmark of each agent, from 0
        self.colours = np.zeros((num_envs, len(world.entities), len(world.entities[-1].color)))

    def take(self, env: int, world: Any) -> None:
        """Copy what belongs to the scenario from a world that was just reset."""
        del env, world  # in most games: nothing

    @abstractmethod
    def observe(self, agent: int) -> list[Floats]:
        """The parts (N, …) of what the agent observes."""

    @abstractmethod
    def reward(self, agent: int) -> Floats:
        """(N,)."""

    def reward_of_all(self) -> Floats:
        """(N,): what local_ratio mixes with the agents' own rewards."""
        raise NotImplementedError

    def _own(self, agent: int) -> list[Floats]:
        return [self.worlds.velocities[:, agent], self.worlds.positions[:, agent]]

    def _to_goal(self, agent: int, goal_of: int) -> Floats:
        """Distances (N,) from an agent to the goal of an agent."""
        return length(self._goal_from(agent, goal_of))

    def _goal_from(self, agent: int, goal_of: int) -> Floats:
        """The position (N, 2) of the goal of an agent relative to an agent."""
        games = np.arange(len(self.goals))
        goal: Floats = self.worlds.positions[games, self.worlds.agents + self.goals[:, goal_of]]
        return goal - self.worlds.positions[:, agent]


class Simple(Scenario):
    def observe(self, agent: int) -> list[Floats]:
        return [self.worlds.velocities[:, agent], *self.worlds.seen_from(agent, self.worlds.landmarks)]

    def reward(self, agent: int) -> Floats:
        (landmark,) = self.worlds.seen_from(agent, self.worlds.landmarks[:1])
        return -squared_length(landmark)


class Spread(Scenario):
    def observe(self, agent: int) -> list[Floats]:
        worlds, others = self.worlds, self.worlds.others(agent)
        seen = worlds.seen_from(agent, [*worlds.landmarks, *others])
        return [*self._own(agent), *seen, *(worlds.said[:, other] for other in others)]

    def reward(self, agent: int) -> Floats:
        others = self.worlds.others(agent)
        bumps: Floats = -1.0 * self.worlds.touch(others, [agent] * len(others)).sum(axis=1)
        return bumps

    def reward_of_all(self) -> Floats:
        agents, total = list(range(self.worlds.agents)), np.zeros(len(self.goals))
        for landmark in self.worlds.landmarks:
            total -= self.worlds.distances(agents, [landmark] * len(agents)).min(axis=1)
        return total


class WithGoal(Scenario):
    """All agents have the same landmark as their goal."""

    def take(self, env: int, world: Any) -> None:
        self.goals[env] = [world.landmarks.index(agent.goal_a) for agent in world.agents]


class Adversary(WithGoal):
    def observe(self, agent: int) -> list[Floats]:
        worlds = self.worlds
        seen = worlds.seen_from(agent, [*worlds.landmarks, *worlds.others(agent)])
        return seen if agent in self.hunters else [self._goal_from(agent, agent), *seen]

    def reward(self, agent: int) -> Floats:
        if agent in self.hunters:
            return -self._to_goal(agent, agent)
        nearest: Floats = np.min([self._to_goal(one, one) for one in self.good], axis=0)
        theirs: Floats = np.sum([self._to_goal(hunter, hunter) for hunter in self.hunters], axis=0)
        return -nearest + theirs


class Push(WithGoal):
    def take(self, env: int, world: Any) -> None:
        super().take(env, world)
        self.colours[env] = [entity.color for entity in world.entities]

    def observe(self, agent: int) -> list[Floats]:
        worlds, velocity = self.worlds, self.worlds.velocities[:, agent]
        landmarks, others = (worlds.seen_from(agent, one) for one in (worlds.landmarks, worlds.others(agent)))
        if agent in self.hunters:
            return [velocity, *landmarks, *others]
        colours = [self.colours[:, landmark] for landmark in worlds.landmarks]
        return [velocity, self._goal_from(agent, agent), self.colours[:, agent], *landmarks, *colours, *others]

    def reward(self, agent: int) -> Floats:
        if agent not in self.hunters:
            return -self._to_goal(agent, agent)
        nearest: Floats = np.min([self._to_goal(one, one) for one in self.good], axis=0)
        return nearest - self._to_goal(agent, agent)


class Tag(Scenario):
    catch = 10.0

    def observe(self, agent: int) -> list[Floats]:
        worlds, others = self.worlds, self.worlds.others(agent)
        seen = worlds.seen_from(agent, [*worlds.landmarks, *others])
        return [*self._own(agent), *seen, *(worlds.velocities[:, other] for other in others if other in self.good)]

    def reward(self, agent: int) -> Floats:
        total = np.zeros(len(self.goals))
        if agent in self.hunters:
            for prey in self.good:
                for hunter in self.hunters:
                    total += self.catch * self.worlds.touch(prey, hunter)
            return total
        for hunter in self.hunters:
            total -= self.catch * self.worlds.touch(hunter, agent)
        for axis in range(2):
            total -= self._outside(np.abs(self.worlds.positions[:, agent, axis]))
        return total

    def _outside(self, place: Floats) -> Floats:
        """The penalty for leaving the screen, by the distance from its middle."""
        far = np.minimum(np.exp(2 * np.minimum(place, 5.0) - 2), 10)
        return np.where(place < 0.9, 0, np.where(place < 1.0, (place - 0.9) * 10, far))


class WorldComm(Tag):
    """Landmarks are obstacles, then food, then forests."""

    catch = 5.0

    def __init__(self, worlds: ParticleWorlds, world: Any) -> None:
        super().__init__(worlds, world)
        number = {id(entity): i for i, entity in enumerate(world.entities)}
        self._food = [number[id(one)] for one in world.food]
        self._forests = [number[id(one)] for one in world.forests]

    def observe(self, agent: int) -> list[Floats]:
        worlds, others = self.worlds, self.worlds.others(agent)
        inside = worlds.touch(*np.ix_(range(worlds.agents), self._forests))  # (N, agents, forests)
        hidden = self._hidden(agent, inside)[..., None]
        seen = zip(others, worlds.seen_from(agent, others), strict=True)
        places = [np.where(hidden[:, other], 0.0, place) for other, place in seen]
        speeds = [
            np.where(hidden[:, other], 0.0, worlds.velocities[:, other]) for other in others if other in self.good
        ]
        forests = [np.where(inside[:, agent], 1.0, -1.0)]
        first = [*self._own(agent), *worlds.seen_from(agent, worlds.landmarks), *places]
        if agent in self.hunters:
            return [*first, *speeds, *forests, worlds.said[:, 0]]
        return [*first, *forests, *speeds]

    def reward(self, agent: int) -> Floats:
        worlds, total = self.worlds, np.zeros(len(self.goals))
        if agent in self.hunters:
            total -= 0.1 * np.min([worlds.distances(prey, agent) for prey in self.good], axis=0)
            for prey in self.good:
                for hunter in self.hunters:
                    total += self.catch * worlds.touch(prey, hunter)
            return total
        for hunter in self.hunters:
            total -= self.catch * worlds.touch(hunter, agent)
        for axis in range(2):
            total -= 2 * self._outside(np.abs(worlds.positions[:, agent, axis]))
        for food in self._food:
            total += 2.0 * worlds.touch(agent, food)
        total -= 0.05 * np.min([worlds.distances(food, agent) for food in self._food], axis=0)
        return total

    def _hidden(self, agent: int, inside: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Whether each agent is out of sight, (N, agents), since one of the two is in a forest without the other."""
        if agent == 0:  # the leader sees everything
            return np.zeros(inside.shape[:2], np.bool_)
        own = inside[:, [agent]]
        together, either = (own & inside).any(axis=2), (own | inside).any(axis=2)
        return np.asarray(either & ~together, np.bool_)


class WithWords(Scenario):
    """Some agents know the landmark that another one should reach."""

    def take(self, env: int, world: Any) -> None:
        self.colours[env] = [entity.color for entity in world.entities]
        self.goals[env] = [
            0 if getattr(agent, "_goal_b", None) is None else world.landmarks.index(agent.goal_b)
            for agent in world.agents
        ]

    def _colour_of_goal(self, agent: int) -> Floats:
        colour: Floats = self.colours[np.arange(len(self.goals)), self.worlds.agents + self.goals[:, agent]]
        return colour


class Reference(WithWords):
    def observe(self, agent: int) -> list[Floats]:
        worlds = self.worlds
        seen = worlds.seen_from(agent, worlds.landmarks)
        return [worlds.velocities[:, agent], *seen, self._colour_of_goal(agent), worlds.said[:, 1 - agent]]

    def reward(self, agent: int) -> Floats:
        return -self._to_goal(1 - agent, agent)

    def reward_of_all(self) -> Floats:
        return (self.reward(0) + self.reward(1)) / 2


class SpeakerListener(WithWords):
    def observe(self, agent: int) -> list[Floats]:
        if agent == 0:
            return [self._colour_of_goal(0)]
        worlds = self.worlds
        return [worlds.velocities[:, 1], *worlds.seen_from(1, worlds.landmarks), worlds.said[:, 0]]

    def reward(self, agent: int) -> Floats:
        return -squared_length(self._goal_from(1, 0))
