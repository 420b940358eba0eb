"""Insight: what a controller thought of its newest turn, for people to look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Insight:
    """The action probabilities and the value of one decision, as far as its policy gives them.

    A Discrete space is one part.  A MultiDiscrete one has a part an entry, one behind the other in `shares`; a
    MultiBinary one has parts of length 1, each the chance that the entry is on.  A Box has none.
    """

    shares: Sequence[float] = ()  # probability of each action, in the order of the space
    parts: tuple[int, ...] = ()  # lengths that add up to that of `shares`
    value: float | None = None  # the return that it expects from here on
