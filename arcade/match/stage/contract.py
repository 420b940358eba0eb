"""Checks each Tick against PettingZoo's contract, so that what a broken game returns goes no further.

https://pettingzoo.farama.org/api/parallel/ and https://pettingzoo.farama.org/api/aec/ say what a game owes.  The bounds
of a Box are not checked: many games leave them now and then.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from agents.seats.controller import AgentID
from arcade.match.stage.tick import Tick

MOST_REWARD = 1e12
"""Rewards that are larger in size are mistakes: sums of them lose the small ones."""

EXAMINED_TICKS = 3
"""First ticks of an episode of which every part is checked; later ones only where the quick look finds something."""

_NUMBERS = frozenset((float, int, bool, *(np.dtype(code).type for code in "?bBhHiIlLqQefdg")))
"""Types of one number."""

_ARRAYS = (spaces.Box, spaces.MultiBinary, spaces.MultiDiscrete)

_count = np.count_nonzero

Layout = tuple[tuple[int, ...], Any]
"""Shape and dtype."""


class ContractError(Exception):
    """The game broke PettingZoo's contract; the message says where and how."""


def check_ids(agents: Iterable[AgentID], *, where: str) -> None:
    """Raise ContractError where an agent comes twice."""
    seen: set[AgentID] = set()
    for agent in agents:
        if agent in seen:
            raise ContractError(f"expected each agent once in {where}, got {agent!r} twice")
        seen.add(agent)


class TickCheck:
    """The ticks of one game whose seats have these (observation space, action space)."""

    def __init__(self, seats: Mapping[AgentID, tuple[Any, Any]]) -> None:
        self._seats = seats
        self._known = frozenset(seats)
        self._acting: tuple[AgentID, ...] = ()  # of the last tick
        self._layouts: dict[AgentID, Layout] = {}  # of observations that were found right
        self._sizes = {agent: (int(act.n),) for agent, (_, act) in seats.items() if isinstance(act, spaces.Discrete)}

    def check(self, tick: Tick) -> None:
        """Raise ContractError naming the tick, the agent and what was wrong.

        One quick look at the types and sizes of every tick; every part of the first ticks, and where that look fails.
        """
        if tick.index < EXAMINED_TICKS or not self._looks_right(tick):
            try:
                self._examine(tick)
            except ContractError as error:
                raise ContractError(f"{error} (at tick {tick.index})") from None

    def _looks_right(self, tick: Tick) -> bool:
        """Called for every tick, so that a tenth of a microsecond counts."""
        try:
            for reward in tick.rewards.values():
                if (
                    type(reward) is not float and type(reward) not in _NUMBERS
                ) or not -MOST_REWARD < reward < MOST_REWARD:
                    return False
            acting, observations, layouts = tick.acting, tick.observations, self._layouts
            if acting != self._acting:
                if len(ids := {*acting}) != len(acting) or not ids <= self._known:
                    return False
                self._acting = acting
            for agent in acting:
                observation = observations[agent]
                shape, dtype = layouts[agent]
                if observation.dtype is not dtype or observation.shape != shape:
                    return False
            for agent, mask in tick.action_masks.items():
                if mask is not None and (mask.shape != self._sizes[agent] or not _count(mask)):
                    return False
        except Exception:  # noqa: BLE001  (anything at all may come from a game; `_examine` says what)
            return False
        return True

    def _examine(self, tick: Tick) -> None:
        for agent, reward in tick.rewards.items():
            _check_reward(agent, reward)
        self._check_acting(tick.acting)
        for agent in tick.acting:
            if agent not in tick.observations:
                raise ContractError(f"expected an observation of {agent!r}, which is to act, got none")
            self._check_observation(agent, tick.observations[agent])
            if (mask := tick.action_masks.get(agent)) is not None:
                self._check_mask(agent, mask)

    def _check_acting(self, acting: tuple[AgentID, ...]) -> None:
        check_ids(acting, where="the agents to act")
        if unknown := [agent for agent in acting if agent not in self._seats]:
            known = ", ".join(map(repr, self._seats))
            raise ContractError(f"expected only agents of the game to act ({known}), got: {unknown[0]!r}")

    def _check_observation(self, agent: AgentID, seen: Any) -> None:
        space = self._seats[agent][0]
        if wrong := _unlike(seen, space):
            raise ContractError(f"expected the observation of {agent!r} in its space, {wrong}")
        if isinstance(seen, np.ndarray):
            self._layouts[agent] = seen.shape, seen.dtype

    def _check_mask(self, agent: AgentID, mask: Any) -> None:
        if agent not in self._sizes:  # of a composite action, which no seat reads
            return
        (count,) = self._sizes[agent]
        if not isinstance(mask, np.ndarray) or mask.shape != (count,) or mask.dtype.kind not in "biuf":
            raise ContractError(f"expected the action mask of {agent!r} as an array of {count}, got {_shown(mask)}")
        if not mask.any():
            raise ContractError(f"expected a legal action in the action mask of {agent!r}, got only zeros")


def _check_reward(agent: AgentID, reward: Any) -> None:
    is_number = type(reward) in _NUMBERS or (isinstance(reward, np.ndarray) and reward.shape == ())
    try:
        if is_number and math.isfinite(reward) and abs(reward) < MOST_REWARD:
            return
    except (TypeError, ValueError, OverflowError):
        pass
    raise ContractError(f"expected the reward of {agent!r} as one number below {MOST_REWARD:g}, got {_shown(reward)}")


def _unlike(seen: Any, space: Any) -> str:
    """How an observation differs from its space, "" where it has its shape and kind of values."""
    if isinstance(space, _ARRAYS):
        wanted = f"expected {space.dtype} {space.shape}"
        if not isinstance(seen, np.ndarray) or seen.shape != space.shape:
            return f"{wanted}, got {_shown(seen)}"
        if not np.can_cast(seen.dtype, np.dtype(space.dtype), "same_kind") and not _holds(seen, space):
            return f"{wanted}, got {_shown(seen)}"
        return ""
    if isinstance(space, spaces.Dict) and isinstance(seen, Mapping):
        missing = [key for key in space.spaces if key not in seen]
        parts = (_unlike(seen[key], part) for key, part in space.spaces.items() if key in seen)
        return f"expected {missing[0]!r}, got none" if missing else next(filter(None, parts), "")
    if isinstance(space, spaces.Tuple) and isinstance(seen, tuple) and len(seen) == len(space.spaces):
        return next(filter(None, (_unlike(one, part) for one, part in zip(seen, space.spaces, strict=True))), "")
    return "" if space.contains(seen) else f"expected an element of {_shortened(str(space))}, got {_shown(seen)}"


def _holds(seen: np.ndarray[Any, Any], space: Any) -> bool:
    """Whether numbers of another kind are values of the space all the same."""
    return seen.dtype.kind in "biuf" and bool(space.contains(seen.astype(space.dtype)))


def _shown(value: Any) -> str:
    if isinstance(value, np.ndarray) and value.size > 4:
        return f"{value.dtype} {value.shape}"
    return f"{type(value).__name__} {_shortened(repr(value))}"


def _shortened(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."
