"""What a number of matches says: means and rates, each with the interval it is known to.

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

CONFIDENCE = 0.95
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
"""Half the width of the normal interval, in standard deviations."""

_SERIES_UP_TO = 200  # degrees of freedom; the finite sums grow with them, and the expansion is exact to 1e-9 there


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """A sample and what it says of the mean that it comes from."""

    count: int
    mean: float
    low: float | None  # of Student's t interval; None where one group alone says nothing of the spread
    high: float | None
    std: float | None  # of the sample, with count - 1; None for a single value
    min: float
    max: float

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """How often something was so, with Wilson's interval for its probability."""

    count: int
    rate: float
    low: float
    high: float

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def mean_of(values: Sequence[float], groups: Sequence[Hashable] | None = None) -> Mean | None:
    """The mean of `values` with its t interval (Student, "The Probable Error of a Mean", Biometrika 6, 1908).

    Values of one group (two matches with the same seed) hang together, so it is the groups that count as independent:
    the variance of the mean is G / (G - 1) times the sum of the groups' squared sums of deviations over count², with
    G - 1 degrees of freedom (Liang and Zeger, Biometrika 73, 1986, for a mean alone).  With a group a value that is
    the textbook's std² / count.  None without values.
    """
    if not values:
        return None
    count, mean = len(values), math.fsum(values) / len(values)
    deviations = [value - mean for value in values]
    sums: dict[Hashable, float] = {}
    for group, deviation in zip(range(count) if groups is None else groups, deviations, strict=True):
        sums[group] = sums.get(group, 0.0) + deviation
    half = None
    if len(sums) > 1:
        error = math.sqrt(len(sums) / (len(sums) - 1) * math.fsum(total**2 for total in sums.values())) / count
        half = student_quantile((1 + CONFIDENCE) / 2, len(sums) - 1) * error
    return Mean(
        count=count,
        mean=mean,
        low=None if half is None else mean - half,
        high=None if half is None else mean + half,
        std=math.sqrt(math.fsum(d**2 for d in deviations) / (count - 1)) if count > 1 else None,
        min=min(values),
        max=max(values),
    )


def rate_of(count: int, trials: int) -> Rate | None:
    """`count` of `trials` as a rate, with the interval of `wilson`.  None without trials."""
    if not trials:
        return None
    low, high = wilson(np.array([float(count)]), np.array([float(trials)]))
    return Rate(count=count, rate=count / trials, low=float(low[0]), high=float(high[0]))


def wilson(scores: Floats, trials: Floats) -> tuple[Floats, Floats]:
    """Lower and upper ends of the score interval of `scores` of `trials`, one by one; (0, 1) without trials.

    Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", Journal of the American Statistical
    Association 22, 1927.  A draw as half a success makes it a little too wide, never too narrow.
    """
    known = np.maximum(trials, 1e-9)
    rate, shrink = scores / known, 1 + Z * Z / known
    middle = (rate + Z * Z / (2 * known)) / shrink
    half = Z * np.sqrt(rate * (1 - rate) / known + (Z / (2 * known)) ** 2) / shrink
    low = np.where(scores <= 0, 0.0, middle - half)  # exactly so at the ends; rounding would say 1e-18
    return low, np.where(scores >= trials, 1.0, middle + half)


def student_quantile(probability: float, freedom: int) -> float:
    """Where Student's t with `freedom` degrees of freedom stays below with 0.5 <= `probability` < 1.

    Up to 200 degrees by halving the interval of the angle in `_central_probability`, above them by the expansion
    26.7.5 around the normal quantile; both of Abramowitz and Stegun, "Handbook of Mathematical Functions", 1964.
    """
    if not 0.5 <= probability < 1 or freedom < 1:
        raise ValueError(f"expected 0.5 <= probability < 1 and freedom >= 1, got: {probability}, {freedom}")
    if freedom > _SERIES_UP_TO:
        return _expanded_quantile(NormalDist().inv_cdf(probability), freedom)
    low, high = 0.0, math.pi / 2
    while low < (middle := (low + high) / 2) < high:
        if _central_probability(middle, freedom) < 2 * probability - 1:
            low = middle
        else:
            high = middle
    return math.sqrt(freedom) * math.tan(low)


def _central_probability(angle: float, freedom: int) -> float:
    """That |t| stays below sqrt(freedom) tan(angle): Abramowitz and Stegun 26.7.3 (odd) and 26.7.4 (even)."""
    sine, square = math.sin(angle), math.cos(angle) ** 2
    is_odd = freedom % 2
    term = math.cos(angle) if is_odd else 1.0
    total = 0.0
    for factor in range(2 + is_odd, freedom + 1, 2):
        total += term
        term *= square * (factor - 1) / factor
    return 2 / math.pi * (angle + sine * total) if is_odd else sine * total


def _expanded_quantile(z: float, freedom: int) -> float:
    corrections = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + math.fsum(part / freedom**power for power, part in enumerate(corrections, 1))
