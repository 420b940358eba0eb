"""One advance of a Stage, the same for AEC and Parallel games, in process or in a child, and its digest.

Two plays whose ticks have equal digests are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from isal.isal_zlib import crc32
from numpy.typing import NDArray

from agents.seats.controller import Action, ActionMask, AgentID
from arcade.games.figures import Place
from arcade.games.scores import Points

Frame = NDArray[np.uint8]
"""uint8, (rows, columns, 3): a picture of the game, red green blue."""

View = Mapping[str, Any]
"""The knowledge of one seat of a game that we draw: numbers, texts and lists of them; see GameSpec.table."""


@dataclass(slots=True)
class Tick:
    """The outcome of a reset (index 0) or of one step.

    The mappings hold every agent that the step concerned, also those whose episode it ended; `acting` holds the
    agents whose action the next step needs: one in an AEC game, all that live in a Parallel one, none when the
    episode is over.  Observations come without their masks.
    """

    index: int
    acting: tuple[AgentID, ...]
    observations: Mapping[AgentID, Any] = field(default_factory=dict)
    action_masks: Mapping[AgentID, ActionMask | None] = field(default_factory=dict)
    rewards: Mapping[AgentID, float] = field(default_factory=dict)
    terminations: Mapping[AgentID, bool] = field(default_factory=dict)
    truncations: Mapping[AgentID, bool] = field(default_factory=dict)
    infos: Mapping[AgentID, Mapping[str, Any]] = field(default_factory=dict)
    ended: tuple[AgentID, ...] = ()  # the live agents whose episode this step ended
    frame: Frame | None = None
    figures: Mapping[AgentID, Place] = field(default_factory=dict)  # in the frame, where the stage `locates` them
    views: Mapping[AgentID | None, View] = field(default_factory=dict)  # by seat; None: the public view
    text: str = ""  # of a game that renders words only
    executed: Mapping[AgentID, Action] = field(default_factory=dict)  # the executed actions that differ from those sent
    score: Points = ()  # of each team, where the game declares how it is read
    other_observations: Mapping[str, Mapping[AgentID, Any]] = field(default_factory=dict)  # of the stage's `obs_types`

    @property
    def over(self) -> bool:
        return not self.acting

    def seen(self, agent: AgentID, obs_type: str = "") -> Any:
        """The agent's observation of that type, "" for the env's own; None where the tick has none of another type."""
        if not obs_type:
            return self.observations[agent]
        return self.other_observations.get(obs_type, {}).get(agent)

    @property
    def ends(self) -> dict[AgentID, str]:
        """ "terminated" or "truncated" for each agent whose episode this step ended."""
        return {agent: "terminated" if self.terminations.get(agent) else "truncated" for agent in self.ended}


T = TypeVar("T")
_NOTHING = object()

TickParts = dict[str, str | int]
"""Each part of a tick as text, its masks and observations as CRC-32."""


def tick_digest(tick: Tick) -> int:
    """CRC-32 over each agent's reward, and the CRC-32 of its observation, in the tick's own order."""
    crc = tick.index & 0xFFFFFFFF
    for agent, reward in tick.rewards.items():
        crc = crc32(f"{agent}{float(reward)!r}".encode(), crc)
    for agent, digest in once_each(tick.observations.items(), _digest_value):
        crc = crc32(f"{agent}{digest}".encode(), crc)
    return crc


def once_each(values: Iterable[tuple[AgentID, Any]], make: Callable[[Any], T]) -> list[tuple[AgentID, T]]:
    """`make` of each value, called once for adjacent values that are one object: many games show all seats the same."""
    found: list[tuple[AgentID, T]] = []
    last: Any = _NOTHING
    for agent, value in values:
        found.append((agent, found[-1][1] if value is last else make(value)))
        last = value
    return found


def tick_parts(tick: Tick) -> TickParts:
    """The parts of the tick by their names for people, rewards first."""
    parts: TickParts = {f"the reward of {agent}": _number(reward) for agent, reward in tick.rewards.items()}
    parts["the seats to act"] = ", ".join(map(str, tick.acting)) or "none"
    parts |= {f"the end of {agent}": end for agent, end in tick.ends.items()}
    for agent, mask in tick.action_masks.items():
        if mask is not None:
            parts[f"the legal actions of {agent}"] = crc32(np.ascontiguousarray(mask, np.int8))
    return parts | {f"the observation of {agent}": _digest_value(seen) for agent, seen in tick.observations.items()}


def _number(value: float) -> str:
    return repr(float(value) + 0.0).removesuffix(".0")  # 0.0 makes -0.0 the same as 0.0


def first_unlike(parts: TickParts, other: TickParts) -> str:
    """The name of the first part that is missing from one or differs; "" where all agree."""
    return next((part for part in {**parts, **other} if parts.get(part) != other.get(part)), "")


def same_value(one: Any, other: Any) -> bool:
    """Whether two observations are the same to a digest."""
    return _digest_value(one) == _digest_value(other)


def _digest_value(value: Any, crc: int = 0) -> int:
    if isinstance(value, dict):
        for key, part in value.items():
            crc = _digest_value(part, crc32(str(key).encode(), crc))
        return crc
    if isinstance(value, tuple | list):
        for part in value:
            crc = _digest_value(part, crc)
        return crc
    array = np.ascontiguousarray(value)
    return crc32(array if array.dtype.kind != "O" else repr(value).encode(), crc)
