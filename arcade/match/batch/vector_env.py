"""GameBatch: many games of one kind in lock-step, whatever steps them.

The caller's loop::

    batch.reset(np.arange(batch.games), seeds)
    while True:
        batch.step([choose(group) for group in batch.groups])   # for the seats that `batch.acting` names
        over = np.flatnonzero(batch.over)        # last observations are still there to look at
        batch.reset(over, new_seeds)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.seats.controller import AgentID, SeatSpec
from arcade.games.spec import GameSpec


class SeatGroup:
    """The seats of a batch with the same spaces, side by side: G of the A seats."""

    def __init__(
        self, agents: Sequence[AgentID], columns: Sequence[int], spaces: tuple[Any, Any], *, games: int
    ) -> None:
        self.agents = tuple(agents)
        self.columns = np.array(columns, np.intp)  # (G,): their places among the A seats
        self.observation_space, self.action_space = spaces  # without the mask
        self.observations: NDArray[Any] = np.zeros(
            (games, len(self.agents), *self.observation_space.shape), self.observation_space.dtype
        )  # (N, G, *shape), the env's dtype; stands still while a seat has nothing new to see
        self.masks: NDArray[np.int8] | None = None  # (N, G, actions); None: no action masks

    def no_actions(self) -> NDArray[Any]:
        """Zeros for the actions of all its seats, (N, G, *action shape)."""
        return np.zeros((*self.observations.shape[:2], *self.action_space.shape), self.action_space.dtype)


class GameBatch(ABC):
    """N games with the same A seats.  Arrays hold what came of the newest `step`, or `reset` for games just reset."""

    spec: GameSpec
    games: int  # N
    agents: tuple[AgentID, ...]  # A seats, in the spec's order
    groups: tuple[SeatGroup, ...]  # by their spaces, in the order of their first seats
    acting: NDArray[np.bool_]  # (N, A): the next step needs the seat's action
    rewards: NDArray[np.float32]  # (N, A)
    terminated: NDArray[np.bool_]  # (N, A): the seat's episode ended at the newest step
    truncated: NDArray[np.bool_]  # (N, A): it was cut off there

    @property
    def over(self) -> NDArray[np.bool_]:
        """bool, (N,): nobody is to act any more."""
        return np.asarray(~self.acting.any(axis=1), np.bool_)

    @abstractmethod
    def reset(self, games: NDArray[np.intp], seeds: NDArray[np.int64]) -> None:
        """Begin new episodes in the games numbered `games`, each with its seed, 0 <= seed < 2**31."""

    @abstractmethod
    def step(self, actions: Sequence[NDArray[Any]]) -> None:
        """Advance every game that is not over.

        `actions` has an array (N, G, *action shape) for each group, the env's own actions, read where acting.
        """

    def moves(self, actions: Sequence[NDArray[Any]]) -> Sequence[Sequence[NDArray[Any]]]:
        """What the games were given at each tick of the newest `step`, which was called with `actions`."""
        return [actions]

    def close(self) -> None:  # noqa: B027  (most have nothing to free)
        """Free the games; twice does no harm."""

    @property
    def places(self) -> tuple[SeatSpec, ...]:
        """The seats of one match, in the order of the agents."""
        return make_places(self.spec, self.groups)

    def seats_of(self, group: int, rows: NDArray[np.intp]) -> NDArray[np.intp]:
        """The numbers, match x A + place, of the seats in these rows of a group's flattened arrays."""
        columns = self.groups[group].columns
        return rows // len(columns) * len(self.agents) + columns[rows % len(columns)]

    def group_of(self, agent: AgentID) -> int:
        """The index of the agent's group."""
        return next(i for i, group in enumerate(self.groups) if agent in group.agents)

    def _allocate(self, spaces: Mapping[AgentID, tuple[Any, Any]]) -> None:
        self.groups = make_groups(self.agents, spaces, games=self.games)
        seats = (self.games, len(self.agents))
        self.acting = np.zeros(seats, np.bool_)
        self.rewards = np.zeros(seats, np.float32)
        self.terminated = np.zeros(seats, np.bool_)
        self.truncated = np.zeros(seats, np.bool_)


def make_groups(
    agents: Sequence[AgentID], spaces: Mapping[AgentID, tuple[Any, Any]], *, games: int
) -> tuple[SeatGroup, ...]:
    """The agents by their (observation space, action space)."""
    found: list[tuple[tuple[Any, Any], list[int]]] = []
    for column, agent in enumerate(agents):
        for own, columns in found:
            if own == spaces[agent]:
                columns.append(column)
                break
        else:
            found.append((spaces[agent], [column]))
    return tuple(SeatGroup([agents[c] for c in columns], columns, own, games=games) for own, columns in found)


def make_places(spec: GameSpec, groups: Sequence[SeatGroup]) -> tuple[SeatSpec, ...]:
    """What a controller must know of each seat of a match, in the order of the agents."""
    group_of = {agent: group for group in groups for agent in group.agents}
    return tuple(
        SeatSpec(
            game=spec.id,
            agent=agent,
            observation_space=group_of[agent].observation_space,
            action_space=group_of[agent].action_space,
            fps=spec.fps,
        )
        for agent in spec.agents
    )


def flat(array: NDArray[Any]) -> NDArray[Any]:
    """(N, G, …) as (N x G, …): a row a lane."""
    return array.reshape(-1, *array.shape[2:])
