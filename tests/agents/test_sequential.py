"""Sequential tests of two players: the statistic, its errors by simulation, and what is refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from agents.errors import UserError
from agents.ladder.ratings.sequential import SCORES, SequentialTest, difference, expected_score
from tests.benchmarks.sequential_tests import WORLDS, fixed_pairs, run, shares_of

COUNTS = st.lists(st.integers(0, 400), min_size=5, max_size=5).filter(any)


def best_fit(counts, score):
    """The log likelihood of the likeliest five shares with that mean, by a general optimiser."""
    free = minimize(
        lambda shares: -np.sum(counts * np.log(np.maximum(shares, 1e-12))), np.full(5, 0.2), method="SLSQP",
        bounds=[(1e-12, 1)] * 5, options={"ftol": 1e-12, "maxiter": 500},
        constraints=[{"type": "eq", "fun": lambda p: p.sum() - 1}, {"type": "eq", "fun": lambda p: p @ SCORES - score}],
    )  # fmt: skip
    return -free.fun


def test_the_ratio_is_that_of_the_two_best_fits():
    test, counts = SequentialTest(elo0=0, elo1=30), np.array([12.0, 33, 71, 40, 19])
    expected = best_fit(counts, expected_score(30)) - best_fit(counts, expected_score(0))
    assert float(test.ratios(counts)) == pytest.approx(expected, abs=1e-3)


@settings(max_examples=150, deadline=None)
@given(COUNTS)
def test_swapping_the_players_turns_the_ratio_round(counts):
    one, other = SequentialTest(elo0=-10, elo1=40), SequentialTest(elo0=-40, elo1=10)
    forth, back = one.ratios(np.array(counts, float)), other.ratios(np.array(counts[::-1], float))
    assert forth == pytest.approx(-back, rel=1e-6, abs=1e-6)


@settings(max_examples=150, deadline=None)
@given(COUNTS)
def test_one_more_pair_won_never_speaks_for_the_weaker_hypothesis(counts):
    test, before = SequentialTest(), np.array(counts, float)
    assert test.ratios(before + np.array([0, 0, 0, 0, 1.0])) >= test.ratios(before) - 1e-6


@pytest.mark.parametrize("name", WORLDS)
def test_simulated_tests_are_wrong_as_seldom_as_they_say_and_save_games(name):
    world = WORLDS[name]
    test = SequentialTest(elo0=0, elo1=4 * world.elo1)  # a quarter of the games and more
    fixed = fixed_pairs(test, world)
    accepts, lengths = run(test, shares_of(world, 0), tests=300, most=int(8 * fixed), seed=5)
    assert accepts.mean() < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 300)
    assert np.median(lengths) < 0.75 * fixed
    accepts, _ = run(test, shares_of(world, test.elo1), tests=300, most=int(8 * fixed), seed=6)
    assert accepts.mean() > 0.95 - 3 * np.sqrt(0.05 * 0.95 / 300)


def test_no_pair_decides_nothing_and_the_difference_is_unknown():
    assert SequentialTest().verdict([0] * 5) == ""
    assert difference([0] * 5) is None


def test_the_difference_has_an_interval_even_where_every_game_was_won():
    found = difference([0, 0, 0, 0, 12])
    assert found.low < found.elo <= found.high + 1e-9
    assert found.low > 150


@pytest.mark.parametrize("wrong", [{"elo0": 20, "elo1": 20}, {"elo0": 5, "elo1": 0}, {"alpha": 0}, {"beta": 0.6}])
def test_hypotheses_that_contradict_each_other_are_refused(wrong):
    with pytest.raises(UserError, match="expected"):
        SequentialTest(**wrong)
