"""Digests of ticks: two plays with equal digests are the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import numpy as np
from isal.isal_zlib import crc32

from agents.seats.controller import AgentID
from arcade.match.stage.tick import Tick

T = TypeVar("T")
_NOTHING = object()


def tick_digest(tick: Tick) -> int:
    """CRC-32 over each agent's reward, and the CRC-32 of its observation, in the tick's own order."""
    return joined_digest(tick.index, tick.rewards, seen_digests(tick))


def seen_digests(tick: Tick) -> list[tuple[AgentID, int]]:
    """The CRC-32 of each observation's bytes."""
    return once_each(tick.observations.items(), lambda value: _digest_value(value, 0))


def once_each(values: Iterable[tuple[AgentID, Any]], make: Callable[[Any], T]) -> list[tuple[AgentID, T]]:
    """`make` of each value, called once for adjacent values that are one object: many games show all seats the same."""
    found: list[tuple[AgentID, T]] = []
    last: Any = _NOTHING
    for agent, value in values:
        found.append((agent, found[-1][1] if value is last else make(value)))
        last = value
    return found


def joined_digest(index: int, rewards: Mapping[AgentID, float], seen: Iterable[tuple[AgentID, int]]) -> int:
    """The digest of a tick, from its parts; `seen` as `seen_digests` has it."""
    crc = index & 0xFFFFFFFF
    for agent, reward in rewards.items():
        crc = crc32(f"{agent}{float(reward)!r}".encode(), crc)
    for agent, digest in seen:
        crc = crc32(f"{agent}{digest}".encode(), crc)
    return crc


def tick_parts(tick: Tick) -> dict[str, int]:
    """A CRC-32 for each part of the tick, in words for people: who is to act, then each agent's, rewards first."""
    parts = {"who is to act": crc32(repr(tuple(map(str, tick.acting))).encode())}
    for agent, reward in tick.rewards.items():
        parts[f"the reward of {agent}"] = crc32(repr(float(reward)).encode())
    for agent in tick.ended:
        parts[f"the end of {agent}"] = int(bool(tick.terminations.get(agent)))
    for agent, mask in tick.action_masks.items():
        parts[f"the legal actions of {agent}"] = _digest_value([] if mask is None else mask, 0)
    for agent, observation in tick.observations.items():
        parts[f"the observation of {agent}"] = _digest_value(observation, 0)
    return parts


def first_unlike(parts: dict[str, int], other: dict[str, int]) -> str:
    """The first part that is missing from one or differs; "" where all agree."""
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
