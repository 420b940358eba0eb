"""Players of a line or two, for seats named python:tests.support.small_players:NAME."""

from __future__ import annotations

import os
import signal
from typing import Any


def one(observation: Any, mask: Any, rng: Any) -> int:
    return 1


def three(observation: Any, mask: Any, rng: Any) -> int:
    return 3


def stumbles(observation: Any, mask: Any, rng: Any) -> int:
    """Raises in about every second match of forty ticks; in which ones follows from the seeds."""
    if rng.random() < 0.02:
        raise RuntimeError("stumbled")
    return 2


def kills(observation: Any, mask: Any, rng: Any) -> int:
    """Ends its process where `stumbles` raises."""
    if rng.random() < 0.02:
        os.kill(os.getpid(), signal.SIGKILL)
    return 2
