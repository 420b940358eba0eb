"""Axes: ranges, round ticks and short numbers for charts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from arcade.language import local_number, percent


@dataclass(frozen=True, slots=True)
class Span:
    """The range of an axis, both ends inclusive; `low` < `high`."""

    low: float
    high: float

    @classmethod
    def around(cls, low: float, high: float, *, padded: bool = True) -> Span:
        """Make the range from `low` to `high`, never empty, with a margin of a twentieth where `padded`."""
        room = (high - low) * 0.05 if padded else 0.0
        if not high - low > abs(high) * 1e-9:
            room = abs(high) * 0.05 if abs(high) > 1e-12 else 1.0
        return cls(low - room, high + room)

    def share(self, value: float) -> float:
        """Return the position of `value` along the axis, within 0 … 1."""
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))

    def place(self, value: float, pixels: int) -> int:
        """Return the position of `value` on an axis of that many pixels."""
        return round(self.share(value) * pixels)


def nice_ticks(low: float, high: float, most: int) -> list[float]:
    """Return about `most` round numbers in [low, high].

    Heckbert, Nice Numbers for Graph Labels, Graphics Gems (1990).
    """
    if not high > low:
        return [low]
    raw = (high - low) / max(1, most)
    scale = 10.0 ** math.floor(math.log10(raw))
    step = next(scale * nice for nice in (1, 2, 2.5, 5, 10) if scale * nice >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [(first + place) * step + 0.0 for place in range(min(last - first, 4 * most + 4) + 1)]


def figures_needed(ticks: Sequence[float]) -> int:
    """Return the figures, three to six, that tell `ticks` apart: 24.75M between 24.5M and 25M."""
    room = min((after - before for before, after in pairwise(ticks)), default=math.inf) / 100
    return next((most for most in range(3, 6) if all(abs(float(f"{t:.{most}g}") - t) <= room for t in ticks)), 6)


def short_number(value: float, *, figures: int = 3) -> str:
    """Format with at most that many figures: 12, 0.125, 1.5k, 2.34M, 1.2e-05; zero is 0."""
    size = abs(value)
    if size < 1e-12:
        return "0"
    for bound, unit in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if size >= bound * 0.99995:
            form = f".{figures}g" if size < bound * 999.5 else ".0f"
            return local_number(f"{value / bound:{form}}{unit}")
    if size < 1e-4:
        return f"{value:.1e}"
    return local_number(f"{value:.{figures}g}")


def share(value: float) -> str:
    """Format a share of one: 62%."""
    return percent(value)
