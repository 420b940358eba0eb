"""Digests of ticks: two plays with equal digests are the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import numpy as np
from isal.isal_zlib import crc32

from agents.seats.controller import AgentID
from arcade.match.stage.tick import Tick

T = TypeVar("T")
_NOTHING = object()

TickParts = dict[str, str | int]
"""Each part of a tick as text, its masks and observations as CRC-32."""


def tick_digest(tick: Tick) -> int:
    """CRC-32 over each agent's reward, and the CRC-32 of its observation, in the tick's own order."""
    crc = tick.index & 0xFFFFFFFF
    for agent, reward in tick.rewards.items():
        crc = crc32(f"{agent}{float(reward)!r}".encode(), crc)
    for agent, digest in once_each(tick.observations.items(), lambda value: _digest_value(value, 0)):
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
    return parts | {f"the observation of {agent}": _digest_value(seen, 0) for agent, seen in tick.observations.items()}


def _number(value: float) -> str:
    return repr(float(value) + 0.0).removesuffix(".0")  # 0.0 makes -0.0 the same as 0.0


def first_unlike(parts: TickParts, other: TickParts) -> str:
    """The name of the first part that is missing from one or differs; "" where all agree."""
    return next((part for part in {**parts, **other} if parts.get(part) != other.get(part)), "")


def same_value(one: Any, other: Any) -> bool:
    """Whether two observations are the same to a digest."""
    return _digest_value(one, 0) == _digest_value(other, 0)


def _digest_value(value: Any, crc: int) -> int:
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
