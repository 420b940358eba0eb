"""Who beats whom."""

from __future__ import annotations

import math

import numpy as np
import pytest

from agents.ladder.ratings.pairs import win_matrix
from agents.ladder.ratings.rows import Rated


def duels(one, two, wins, losses, draws=0):
    return [Rated([[one], [two]], ranks) for ranks in [(1, 2)] * wins + [(2, 1)] * losses + [(1, 1)] * draws]


def test_a_pairs_record_from_both_sides():
    table = win_matrix(duels("a", "b", 5, 2, 1) + duels("b", "a", 0, 2, 0))
    ours, theirs = table.pair("a", "b"), table.pair("b", "a")
    assert ours[2:7] == (10, 7, 1, 2, 0.75)
    assert theirs[2:7] == (10, 2, 1, 7, 0.25)
    assert (ours.low, ours.high) == pytest.approx((1 - theirs.high, 1 - theirs.low))
    assert 0.4 < ours.low < 0.75 < ours.high < 1
    np.testing.assert_array_equal(table.games, table.games.T)


def test_who_never_met_has_no_rate():
    pair = win_matrix(duels("a", "b", 1, 0) + duels("b", "c", 1, 0)).pair("a", "c")
    assert math.isnan(pair.rate)
    assert (pair.games, pair.low, pair.high) == (0, 0, 1)
    assert win_matrix([]).cycles() == []


def test_a_stranger_is_named():
    with pytest.raises(ValueError, match="expected one of a, b, got: 'c'"):
        win_matrix(duels("a", "b", 1, 0)).pair("a", "c")


def test_teams_and_free_for_alls_count_for_every_pair_that_met():
    table = win_matrix([Rated([["a", "b"], ["c", "a"], ["d", "d"]], (1, 2, 2))])
    assert table.pair("b", "c")[2:6] == (1, 1, 0, 0)
    assert table.pair("c", "d")[2:6] == (1, 0, 1, 0)  # who sits twice in a team meets once
    assert table.pair("a", "d")[2:6] == (2, 1, 1, 0)  # who is in two teams meets twice
    assert table.pair("a", "a").games == 0
    assert table.pair("a", "b").games == 0  # who is in both teams meets neither


def test_rings_of_three_that_are_sure():
    ring = duels("rock", "scissors", 30, 5) + duels("scissors", "paper", 28, 5) + duels("paper", "rock", 40, 5, 2)
    also = duels("best", "rock", 30, 0) + duels("best", "paper", 30, 0) + duels("best", "scissors", 30, 0)
    (cycle,) = win_matrix(ring + also).cycles()
    assert cycle.names == ("paper", "rock", "scissors")
    assert cycle.rates == pytest.approx((41 / 47, 30 / 35, 28 / 33))
    assert 0.5 < cycle.low < min(cycle.rates)


def test_rings_that_may_be_chance_are_none():
    assert win_matrix(duels("a", "b", 30, 5) + duels("b", "c", 30, 5) + duels("c", "a", 6, 4)).cycles() == []


def test_of_many_pairs_some_rings_are_chance():
    ring = duels("a", "b", 20, 6) + duels("b", "c", 20, 6) + duels("c", "a", 20, 6)
    strangers = [Rated([[f"{number}"], [f"{number}'"]], (1, 2)) for number in range(60)]
    assert len(win_matrix(ring).cycles()) == 1
    assert win_matrix(ring + strangers).cycles() == []
