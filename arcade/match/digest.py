"""A digest of what a tick brought: two plays that agree on it are the same."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np

from arcade.match.tick import Tick


def tick_digest(tick: Tick) -> int:
    """CRC-32 over each agent's reward and observation, in the tick's own order."""
    crc = zlib.crc32(struct.pack("<q", tick.index))
    for agent, reward in tick.rewards.items():
        crc = zlib.crc32(f"{agent}{float(reward)!r}".encode(), crc)
    for agent, observation in tick.observations.items():
        crc = _digest_value(observation, zlib.crc32(str(agent).encode(), crc))
    return crc


def _digest_value(value: Any, crc: int) -> int:
    if isinstance(value, dict):
        for key, part in value.items():
            crc = _digest_value(part, zlib.crc32(str(key).encode(), crc))
        return crc
    array = np.ascontiguousarray(value)
    return zlib.crc32(array.data if array.dtype.kind != "O" else repr(value).encode(), crc)
