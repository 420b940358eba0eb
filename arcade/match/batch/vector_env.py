"""VectorEnv: a vectorised env, many copies of one game stepped together.

The caller's loop::

    env.reset(np.arange(env.num_envs), seeds)
    while True:
        env.step([choose(group) for group in env.groups])   # for the seats of `env.acting`
        over = np.flatnonzero(env.over)        # their last observations are still there
        env.reset(over, new_seeds)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.closing import Closing
from agents.seats.controller import Action, AgentID, SeatSpec
from arcade.games.spec import GameSpec


class Start(NamedTuple):
    """A moment of an episode: its seed, the actions of tick 1, 2, … up to there, and the position before them."""

    seed: int
    moves: Sequence[Mapping[AgentID, Action]]
    position: str = ""  # of GameSpec.set_start; "": the game's own


class SeatGroup:
    """The seats with the same spaces, G of the A seats."""

    def __init__(
        self, agents: Sequence[AgentID], columns: Sequence[int], spaces: tuple[Any, Any], *, num_envs: int
    ) -> None:
        self.agents = tuple(agents)
        self.columns = np.array(columns, np.intp)  # (G,): their places among the A seats
        self.observation_space, self.action_space = spaces  # without the mask
        self.observations: NDArray[Any] = np.zeros(
            (num_envs, len(self.agents), *self.observation_space.shape), self.observation_space.dtype
        )  # (N, G, *shape), the env's dtype; unchanged while a seat has no new observation
        self.masks: NDArray[np.int8] | None = None  # (N, G, actions); None: no action masks

    def no_actions(self) -> NDArray[Any]:
        """Zeros for the actions of all its seats, (N, G, *action shape)."""
        return np.zeros((*self.observations.shape[:2], *self.action_space.shape), self.action_space.dtype)

    def write(self, actions: NDArray[Any], env: int, moves: Mapping[AgentID, Action]) -> None:
        """Write the moves of its seats to the row of `env` in `actions`, (N, G, *action shape)."""
        for place, agent in enumerate(self.agents):
            if agent in moves:
                actions[env, place] = moves[agent]


class VectorEnv(Closing, ABC):
    """N copies of a game with A seats.  Arrays are of the newest `step`, or `reset` for envs just reset."""

    spec: GameSpec
    num_envs: int  # N
    agents: tuple[AgentID, ...]  # A seats, in the spec's order
    other_spaces: Mapping[str, Any] = MappingProxyType({})  # of observations that policies learn from, as in SeatSpec
    groups: tuple[SeatGroup, ...]  # by their spaces, in the order of their first seats
    acting: NDArray[np.bool_]  # (N, A): the next step needs the seat's action
    rewards: NDArray[np.float32]  # (N, A)
    terminated: NDArray[np.bool_]  # (N, A): the seat's episode ended at the newest step
    truncated: NDArray[np.bool_]  # (N, A): it was cut off there
    can_wait: bool = False  # `step` leaves a running env as it is where `acting` was set to False

    @property
    def over(self) -> NDArray[np.bool_]:
        """bool, (N,): no seat acts any more."""
        return np.asarray(~self.acting.any(axis=1), np.bool_)

    @abstractmethod
    def reset(self, envs: NDArray[np.intp], seeds: NDArray[np.int64]) -> None:
        """Begin new episodes in the envs with these indices, each with its seed, 0 <= seed < 2**31."""

    def begin_with(self, env: int, position: str) -> None:
        """From its next `reset` on, the episodes of this env begin with a position; "": the game's own."""
        if position:
            raise NotImplementedError(f"expected an env of {self.spec.id} that can begin with a position")

    def hold(self, starts: Sequence[Start]) -> None:
        """Have these moments ready for `reset_at`, in place of those before."""
        raise NotImplementedError(f"expected an env of {self.spec.id} that can start at moments")

    def reset_at(self, envs: NDArray[np.intp], starts: NDArray[np.intp]) -> None:
        """As `reset`, but at these of the moments that are held, by their places."""
        raise NotImplementedError(f"expected an env of {self.spec.id} that can start at moments")

    @abstractmethod
    def step(self, actions: Sequence[NDArray[Any]]) -> None:
        """Advance every env that is not over.

        `actions` has an array (N, G, *action shape) for each group, the env's own actions, read where acting.
        """

    def step_some(self, actions: Sequence[NDArray[Any]], envs: NDArray[np.bool_]) -> None:
        """As `step`, for the `envs` alone, bool (N,); the others wait, and the step's other arrays mean nothing there.

        Raises NotImplementedError where the game's engine cannot let a running env wait.
        """
        if not np.any(self.acting.any(axis=1) & ~envs):
            return self.step(actions)
        if not self.can_wait:
            raise NotImplementedError(f"expected all running envs of {self.spec.id} to step, got some of them")
        kept = self.acting[~envs]
        self.acting[~envs] = False
        self.step(actions)
        self.acting[~envs] = kept

    def see(self, obs_type: str, seats: NDArray[np.intp]) -> NDArray[Any]:
        """The present observations of these seats for a player of that type, objects (B,); one of spec.obs_types.

        They are made only when asked for.
        """
        raise NotImplementedError(f"expected an env of {self.spec.id} that shows {obs_type}")

    def shown(self, obs_type: str, seats: NDArray[np.intp], own: NDArray[Any]) -> NDArray[Any]:
        """What a player of that `obs_type` decides from in these seats, whose own observations are `own`."""
        wanted = self.spec.shown_as(obs_type)
        return self.see(wanted, seats) if wanted else own

    def moves(self, actions: Sequence[NDArray[Any]]) -> Sequence[Sequence[NDArray[Any]]]:
        """The actions at each tick of the newest `step`, which was called with `actions`."""
        return [actions]

    @property
    def places(self) -> tuple[SeatSpec, ...]:
        """The seats of one match, in the order of the agents."""
        spaces = {agent: (g.observation_space, g.action_space) for g in self.groups for agent in g.agents}
        return tuple(
            SeatSpec(
                game=self.spec.id, agent=agent, observation_space=spaces[agent][0], action_space=spaces[agent][1],
                fps=self.spec.fps, other_spaces=dict(self.other_spaces),
            )
            for agent in self.spec.agents
        )  # fmt: skip

    def seats_of(self, group: int, rows: NDArray[np.intp]) -> NDArray[np.intp]:
        """The numbers, env x A + place, of the seats in these rows of a group's flattened arrays."""
        columns = self.groups[group].columns
        return rows // len(columns) * len(self.agents) + columns[rows % len(columns)]

    def group_of(self, agent: AgentID) -> int:
        """The index of the agent's group."""
        return next(i for i, group in enumerate(self.groups) if agent in group.agents)

    def _allocate(self, spaces: Mapping[AgentID, tuple[Any, Any]]) -> None:
        found: list[tuple[tuple[Any, Any], list[int]]] = []  # spaces and columns; spaces cannot be hashed
        for column, agent in enumerate(self.agents):
            columns = next((columns for own, columns in found if own == spaces[agent]), None)
            if columns is None:
                found.append((spaces[agent], [column]))
            else:
                columns.append(column)
        self.groups = tuple(
            SeatGroup([self.agents[column] for column in columns], columns, own, num_envs=self.num_envs)
            for own, columns in found
        )
        seats = (self.num_envs, len(self.agents))
        self.acting = np.zeros(seats, np.bool_)
        self.rewards = np.zeros(seats, np.float32)
        self.terminated = np.zeros(seats, np.bool_)
        self.truncated = np.zeros(seats, np.bool_)

    def _clear(self, envs: NDArray[np.intp]) -> None:
        """Set the rewards and ends of envs that were just reset to 0."""
        for array in (self.rewards, self.terminated, self.truncated):
            array[envs] = 0


def flat(array: NDArray[Any]) -> NDArray[Any]:
    """(N, G, …) as (N x G, …): a row for each seat."""
    return array.reshape(-1, *array.shape[2:])
