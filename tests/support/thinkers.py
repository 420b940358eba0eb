"""Players that take a level, for the process that they think in."""

from __future__ import annotations

import time
from typing import Any


def slow(observation: Any, action_mask: Any, rng: Any, *, level: str) -> int:
    """Takes a while, and prints, which must not reach the answers."""
    print("thinking")
    time.sleep(0.3)
    return {"easy": 1, "expert": 4}[level]


def failing(observation: Any, action_mask: Any, rng: Any, *, level: str) -> int:
    raise ValueError("lost the thread")
