"""Players that take a level, for the process that they think in."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any


def patient(observation: Any, action_mask: Any, rng: Any, *, level: str) -> int:
    """Thinks until the file that the environment names is there, and prints, which must not reach the answers."""
    print("thinking")
    while not Path(os.environ["THOUGHT"]).exists():
        time.sleep(0.01)
    return {"easy": 1, "expert": 4}[level]


def failing(observation: Any, action_mask: Any, rng: Any, *, level: str) -> int:
    raise ValueError("lost the thread")


def reaching(observation: Any, action_mask: Any, rng: Any, *, level: str) -> int:
    """Answers with an action that the game does not have."""
    return -1
