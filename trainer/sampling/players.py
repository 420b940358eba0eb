"""Players: who decides for many seats at once and does not learn, with memory by lane where there is some.

A lane is one seat of one game, numbered game x seat of its group of seats.  The caller's loop::

    player.begin(group, lanes)                                       # episodes begin there; memory is forgotten
    actions = player.act(group, lanes, observations, masks, rng)     # as often as these lanes are to act
"""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from agents.seats.controller import AgentID
from agents.snapshots.onnx_policy import OnnxPolicy
from agents.snapshots.store import Snapshot
from arcade.games.spec import GameSpec
from arcade.match.batch.vector_env import SeatGroup

Array = NDArray[Any]
Lanes = NDArray[np.intp]
Masks = NDArray[np.int8] | None

Act = Callable[[Array, Masks, np.random.Generator], Array]
"""(observations (B, *shape), masks (B, n) or None, rng) -> the env's actions (B, *action shape); no memory."""


class Player(ABC):
    """Plays any number of lanes of a batch of games; `group` is the index of the lanes' group of seats."""

    def begin(self, group: int, lanes: Lanes) -> None:  # noqa: B027  (most have no memory)
        """New episodes begin in these lanes."""

    @abstractmethod
    def act(self, group: int, lanes: Lanes, observations: Array, masks: Masks, rng: np.random.Generator) -> Array:
        """The env's actions (B, *action shape) for raw observations (B, *shape), a row a lane."""

    def close(self) -> None:  # noqa: B027
        """Free what the player holds; twice does no harm."""


class ActPlayer(Player):
    """A function of the observations."""

    def __init__(self, act: Act) -> None:
        self._act = act

    def act(self, group: int, lanes: Lanes, observations: Array, masks: Masks, rng: np.random.Generator) -> Array:
        return self._act(observations, masks, rng)


class RandomPlayer(Player):
    """Draws evenly from the legal actions."""

    def __init__(self, groups: Sequence[SeatGroup]) -> None:
        self._spaces = [group.action_space for group in groups]

    def act(self, group: int, lanes: Lanes, observations: Array, masks: Masks, rng: np.random.Generator) -> Array:
        return draw_legal(self._spaces[group], len(lanes), masks, rng)


class SnapshotPlayer(Player):
    """A snapshot: one inference for all lanes.  Raises SnapshotError where its graph does not load."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._policy = OnnxPolicy(snapshot, threads=1)
        self._memory = LaneMemory(self._policy.initial_state())

    def begin(self, group: int, lanes: Lanes) -> None:
        self._memory.forget(group, lanes)

    def act(self, group: int, lanes: Lanes, observations: Array, masks: Masks, rng: np.random.Generator) -> Array:
        state = self._memory.recall(group, lanes)
        decision = self._policy.decide(observations, masks, rng, state=state)
        self._memory.keep(group, lanes, decision.state)
        return decision.actions


class SeatPlayers(Player):
    """A player for each agent, such as one for each role; agents with the same player share its calls."""

    def __init__(self, groups: Sequence[SeatGroup], by_agent: Mapping[AgentID, Player]) -> None:
        self._groups, self._players = groups, list(dict.fromkeys(by_agent.values()))
        number = {agent: self._players.index(player) for agent, player in by_agent.items()}
        self._numbers = [np.array([number.get(agent, -1) for agent in group.agents]) for group in groups]

    def begin(self, group: int, lanes: Lanes) -> None:
        for player, rows in self._split(group, lanes):
            player.begin(group, lanes[rows])

    def act(self, group: int, lanes: Lanes, observations: Array, masks: Masks, rng: np.random.Generator) -> Array:
        space = self._groups[group].action_space
        actions = np.zeros((len(lanes), *space.shape), space.dtype)
        for player, rows in self._split(group, lanes):
            own = None if masks is None else masks[rows]
            actions[rows] = player.act(group, lanes[rows], observations[rows], own, rng)
        return actions

    def close(self) -> None:
        for player in self._players:
            player.close()

    def _split(self, group: int, lanes: Lanes) -> list[tuple[Player, Lanes]]:
        numbers = self._numbers[group][lanes % len(self._numbers[group])]
        return [(self._players[n], np.flatnonzero(numbers == n)) for n in np.unique(numbers) if n >= 0]


class LaneMemory:
    """What a policy keeps of each lane's episode, by name; `first` has a row (1, *shape) of each, zeros, as it is at an
    episode's start."""

    def __init__(self, first: Mapping[str, Array]) -> None:
        self._first = dict(first)
        self._rows: dict[int, dict[str, Array]] = {}

    def recall(self, group: int, lanes: Lanes) -> dict[str, Array]:
        """Rows of these lanes as their last decisions left them; {} where nothing is kept."""
        if not self._first:
            return {}
        kept = self._rows.setdefault(group, {name: row.copy() for name, row in self._first.items()})
        needed = int(lanes.max(initial=0)) + 1
        for name, rows in kept.items():
            if len(rows) < needed:
                kept[name] = np.concatenate([rows, np.zeros((needed - len(rows), *rows.shape[1:]), rows.dtype)])
        return {name: rows[lanes] for name, rows in kept.items()}

    def keep(self, group: int, lanes: Lanes, rows: Mapping[str, Array]) -> None:
        for name, array in rows.items():
            self._rows[group][name][lanes] = array

    def forget(self, group: int, lanes: Lanes) -> None:
        for rows in self._rows.get(group, {}).values():
            rows[lanes[lanes < len(rows)]] = 0


def draw_legal(space: Any, count: int, masks: Masks, rng: np.random.Generator) -> Array:
    """Actions (count, *shape) of the space, drawn evenly, from the legal ones where there are masks."""
    match space:
        case spaces.Discrete() if masks is not None:
            legal: Array = np.argmax(rng.random(masks.shape) * (masks != 0), axis=1) + int(space.start)
            return legal
        case spaces.Discrete():
            return rng.integers(int(space.start), int(space.start) + int(space.n), count)
        case spaces.MultiDiscrete():
            moves: Array = space.start + rng.integers(0, space.nvec, (count, *space.shape))
            return moves.astype(space.dtype)
        case spaces.MultiBinary():
            return rng.integers(0, 2, (count, *space.shape)).astype(space.dtype)
        case spaces.Box() if space.is_bounded() and np.issubdtype(space.dtype, np.floating):
            return rng.uniform(space.low, space.high, (count, *space.shape)).astype(space.dtype)
    space.seed(int(rng.integers(2**31)))
    return np.stack([space.sample() for _ in range(count)])


def scripted_act(spec: GameSpec) -> Act | None:
    """The game's scripted player for batches, None where none ships."""
    if not spec.scripted:
        return None
    module_name, _, name = spec.scripted.partition(":")
    module = importlib.import_module(module_name)
    play_batch = getattr(module, f"{name}_batch", None)
    if play_batch is not None:
        return lambda observations, masks, rng: play_batch(observations, rng)
    play = getattr(module, name)

    def one_by_one(observations: Array, masks: Masks, rng: np.random.Generator) -> Array:
        rows: Any = [None] * len(observations) if masks is None else masks
        return np.stack([np.asarray(play(seen, mask, rng)) for seen, mask in zip(observations, rows, strict=True)])

    return one_by_one


Side = Player | Act | Mapping[AgentID, Player]
"""Who plays some seats of a match: one for all of them, or a player for each agent that may be asked."""


def as_player(side: Side, groups: Sequence[SeatGroup]) -> Player:
    """The side as one player."""
    if isinstance(side, Mapping):
        return SeatPlayers(groups, side)
    return side if isinstance(side, Player) else ActPlayer(side)
