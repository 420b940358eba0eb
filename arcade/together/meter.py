"""Meter: how an online match feels at one machine."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np

KEPT = 36_000
"""Measurements: ten minutes at 60 ticks a second."""


class Meter:
    """Delays of own inputs, and intervals between the ticks that are shown."""

    def __init__(self, rate: float) -> None:
        """`rate`: ticks a second, 0 for none."""
        self._rate = rate
        self._decided: dict[int, float] = {}  # tick → when its input was decided
        self._inputs: deque[float] = deque(maxlen=KEPT)  # ticks from a decision to its action
        self._frames: deque[float] = deque(maxlen=KEPT)  # seconds
        self._shown_at: float | None = None

    def decided(self, ticks: range, now: float) -> None:
        """The inputs of these ticks were decided; a later one is that of the newest decision."""
        for tick in ticks:
            self._decided.setdefault(tick, now)

    def shown(self, tick: int, now: float) -> None:
        """The step from `tick` was played for the first time."""
        since = self._decided.pop(tick, None)
        if since is not None and self._rate:
            self._inputs.append((now - since) * self._rate)
        if self._shown_at is not None:
            self._frames.append(now - self._shown_at)
        self._shown_at = now

    def as_json(self) -> dict[str, float | None]:
        """``input_p50_ticks``, ``input_p99_ticks``, ``frame_p50_ms``, ``frame_p99_ms``; None without any."""
        return {
            "input_p50_ticks": _percentile(self._inputs, 50), "input_p99_ticks": _percentile(self._inputs, 99),
            "frame_p50_ms": _percentile([1000 * one for one in self._frames], 50),
            "frame_p99_ms": _percentile([1000 * one for one in self._frames], 99),
        }  # fmt: skip


def _percentile(values: Sequence[float] | deque[float], share: float) -> float | None:
    return round(float(np.percentile(values, share)), 3) if values else None
