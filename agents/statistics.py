"""Statistics with confidence intervals: means, win rates, Wilson's interval.

All intervals are two-sided and hold the true value in `CONFIDENCE` of all evaluations.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CONFIDENCE = 0.95
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
"""Half the width of the normal interval, in standard deviations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """The mean of a sample, with its interval."""

    count: int
    mean: float
    low: float | None  # of Student's t interval; None for a single group
    high: float | None
    std: float | None  # of the sample, with count - 1; None for a single value
    min: float
    max: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """The share of successes, with Wilson's interval for their probability."""

    count: int
    rate: float
    low: float
    high: float


def as_data(figure: Mean | Rate | None) -> dict[str, Any] | None:
    """A figure as plain data."""
    return None if figure is None else asdict(figure)


def mean_of(values: Sequence[float], groups: Sequence[Hashable] | None = None) -> Mean | None:
    """The mean of `values` with its t interval (Student, "The Probable Error of a Mean", Biometrika 6, 1908).

    Values of one group (two matches with the same seed) are dependent, so the groups count as the independent samples:
    the variance of the mean is G / (G - 1) times the sum of the groups' squared sums of deviations over count², with
    G - 1 degrees of freedom (Liang and Zeger, Biometrika 73, 1986, for a mean alone).  With a group a value that is
    the textbook's std² / count.  None without values.
    """
    if not values:
        return None
    count, mean = len(values), math.fsum(values) / len(values)
    sums: dict[Hashable, float] = {}
    for group, value in zip(range(count) if groups is None else groups, values, strict=True):
        sums[group] = sums.get(group, 0.0) + value - mean
    low = high = None
    if len(sums) > 1:
        from scipy.special import stdtrit  # on demand: its import takes half a second

        error = math.sqrt(len(sums) / (len(sums) - 1) * math.fsum(total**2 for total in sums.values())) / count
        half = float(stdtrit(len(sums) - 1, (1 + CONFIDENCE) / 2)) * error
        low, high = mean - half, mean + half
    std = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (count - 1)) if count > 1 else None
    return Mean(count=count, mean=mean, low=low, high=high, std=std, min=min(values), max=max(values))


def rate_of(count: int, trials: int) -> Rate | None:
    """`count` of `trials` as a rate, with the interval of `wilson`.  None without trials."""
    if not trials:
        return None
    low, high = wilson(np.array([float(count)]), np.array([float(trials)]))
    return Rate(count=count, rate=count / trials, low=float(low[0]), high=float(high[0]))


def wilson(scores: Floats, trials: Floats, *, intervals: int = 1) -> tuple[Floats, Floats]:
    """Lower and upper ends of the score interval of `scores` of `trials`, one by one; (0, 1) without trials.

    With several `intervals`, all of them hold their true values at once in `CONFIDENCE` of all evaluations
    (Bonferroni's correction).

    Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", Journal of the American Statistical
    Association 22, 1927.  A draw as half a success makes it a little too wide, never too narrow.
    """
    z = Z if intervals == 1 else NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / 2 / intervals)
    known = np.maximum(trials, 1e-9)
    rate, shrink = scores / known, 1 + z * z / known
    middle = (rate + z * z / (2 * known)) / shrink
    half = z * np.sqrt(rate * (1 - rate) / known + (z / (2 * known)) ** 2) / shrink
    low = np.where(scores <= 0, 0.0, middle - half)  # exactly so at the ends; rounding would say 1e-18
    return low, np.where(scores >= trials, 1.0, middle + half)
