"""How far two samples are from each other."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Sample = NDArray[Any]


def kolmogorov_smirnov(first: Sample, second: Sample) -> float:
    """The largest difference of the two empirical distribution functions, 0 to 1 (Smirnov 1939)."""
    places = np.concatenate([first, second])
    return float(np.abs(_shares(first, places) - _shares(second, places)).max())


def wasserstein(first: Sample, second: Sample) -> float:
    """The area between the two empirical distribution functions, in the samples' own unit (Vallender 1974)."""
    places = np.sort(np.concatenate([first, second]).astype(np.float64))
    apart = np.abs(_shares(first, places[:-1]) - _shares(second, places[:-1]))
    return float((apart * np.diff(places)).sum())


def _shares(sample: Sample, places: Sample) -> NDArray[np.float64]:
    """The share of the sample at or below each place."""
    return np.searchsorted(np.sort(sample), places, side="right") / len(sample)
