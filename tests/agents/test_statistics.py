"""Means, rates and their intervals, against published values."""

from __future__ import annotations

import pytest

from agents.statistics import mean_of, rate_of


@pytest.mark.parametrize(
    ("count", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilsons_interval_as_published(count: int, trials: int, low: float, high: float) -> None:
    """Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I,
    method 3."""
    rate = rate_of(count, trials)
    assert rate is not None
    assert (rate.low, rate.high) == pytest.approx((low, high), abs=5e-5)
    turned = rate_of(trials - count, trials)
    assert turned is not None
    assert (1 - turned.high, 1 - turned.low) == pytest.approx((low, high), abs=5e-5)


def test_the_ends_are_exact_and_nothing_says_nothing() -> None:
    none, every = rate_of(0, 3), rate_of(3, 3)
    assert none is not None
    assert every is not None
    assert (none.low, every.high) == (0.0, 1.0)
    assert rate_of(0, 0) is None
    assert mean_of([]) is None


def test_the_mean_of_a_small_sample() -> None:
    """Student's own sample: the additional hours of sleep of ten patients, from the paper of 1908."""
    sleep = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    mean = mean_of(sleep)
    assert mean is not None
    assert (mean.mean, mean.std, mean.min, mean.max) == pytest.approx((0.75, 1.7890, -1.6, 3.7), abs=1e-4)
    assert (mean.low, mean.high) == pytest.approx((-0.5298, 2.0298), abs=1e-4)


def test_one_value_has_a_mean_and_no_interval() -> None:
    mean = mean_of([4.0])
    assert mean is not None
    assert (mean.mean, mean.std, mean.low, mean.high) == (4.0, None, None, None)


def test_values_of_one_group_count_as_one_observation() -> None:
    pairs = mean_of([1.0, 3.0, 4.0, 8.0, 0.0, 2.0], ["a", "a", "b", "b", "c", "c"])
    means = mean_of([2.0, 6.0, 1.0])
    assert pairs is not None
    assert means is not None
    assert (pairs.mean, pairs.low, pairs.high) == pytest.approx((means.mean, means.low, means.high))
    cancelling = mean_of([1.0, -1.0, -5.0, 5.0], [1, 1, 2, 2])  # what one side gains, the other one loses
    assert cancelling is not None
    assert (cancelling.low, cancelling.high) == (0.0, 0.0)
