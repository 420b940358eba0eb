"""An opponent of about somebody's strength is found by the ladder, and is one."""

import math

import numpy as np
import pytest

from agents.ladder.ratings.online import SCALE, OnlineRatings, Rating, chances, expected_reduction
from agents.ladder.ratings.rows import Rated
from agents.seats.controller import SeatChoice
from agents.seats.even import Opponent, find_even, seated_as
from agents.seats.kinds import parse_seat

LEVELS = [Opponent(SeatChoice("level", level), f"net ({level})") for level in ("easy", "normal", "hard", "expert")]


def rating(name, mu, sigma=1.0):
    return Rating(name, mu, sigma)


def found(*ratings):
    return find_even(["Ada"], LEVELS, {one.name: one for one in ratings}).opponent.label


def test_a_newcomer_begins_with_the_easy_level_and_is_told_so():
    match = find_even(["Ada"], LEVELS, {"net (hard)": rating("net (hard)", 30)})
    assert match.opponent == LEVELS[0]
    assert "No rated match of Ada yet" in match.why


def test_the_nearest_to_one_half_is_found_and_its_chance_is_told():
    known = [rating("net (easy)", 15), rating("net (normal)", 24), rating("net (hard)", 35), rating("net (expert)", 45)]
    match = find_even(["Ada"], LEVELS, {one.name: one for one in [*known, rating("Ada", 26)]})
    assert match.opponent.label == "net (normal)"
    assert match.why.startswith("By the ladder, Ada should win 58% (")


def test_of_two_who_seem_equal_the_ladder_takes_the_one_that_it_knows():
    vague, sure = rating("net (easy)", 25, 8.0), rating("net (normal)", 27, 1.0)
    assert found(rating("Ada", 25), vague, sure) == "net (normal)"


def test_a_stranger_is_tried_once_all_who_are_known_are_too_weak():
    assert found(rating("Ada", 40, 2.0), rating("net (easy)", 10, 2.0)) == "net (normal)"


def test_several_people_are_as_strong_as_their_mean():
    ratings = {one.name: one for one in (rating("Ada", 20), rating("Ben", 40), *_at(20, 30, 40, 50))}
    assert find_even(["Ada", "Ben"], LEVELS, ratings).opponent.label == "net (normal)"


def _at(*strengths):
    return [rating(one.label, mu) for one, mu in zip(LEVELS, strengths, strict=True)]


def test_limits_behind_the_word_hold_whoever_is_found():
    one = Opponent(parse_seat("snapshot:net?noise=0.2&reaction_ms=100"), "net")
    assert str(seated_as(parse_seat("level:even?noise=0.5"), one)) == "snapshot:net?noise=0.5&reaction_ms=100"


def test_chances_are_what_they_say():
    rng = np.random.default_rng(0)
    own, other = rating("a", 30, 3.0), rating("b", 26, 4.0)
    may_be = 1 / (1 + np.exp(-(rng.normal(30, 3, 200_000) - rng.normal(26, 4, 200_000)) / SCALE))
    (mean,), (variance,), (low,), (high,) = chances(own, [other])
    assert (mean, variance) == (pytest.approx(may_be.mean(), abs=2e-3), pytest.approx(may_be.var(), rel=0.02))
    assert (low, high) == pytest.approx(np.quantile(may_be, [0.025, 0.975]), abs=5e-3)
    even, far = expected_reduction(own, [rating("even", 30), rating("far", 80)])
    assert even > 10 * far


@pytest.mark.parametrize(("strength", "level"), [(14, "easy"), (24, "normal"), (34, "hard"), (44, "expert")])
def test_people_come_to_the_level_of_their_strength(strength, level):
    """Strengths are known here; forty matches, the last twenty of which are with the right one mostly."""
    truth = dict(zip([one.label for one in LEVELS], (15, 25, 35, 45), strict=True))
    share, wins = [], []
    for seed in range(10):
        rng, ratings = np.random.default_rng(seed), OnlineRatings()
        for number in range(40):
            label = find_even(["Ada"], LEVELS, {one.name: one for one in ratings.table()}).opponent.label
            won = rng.random() < 1 / (1 + math.exp((truth[label] - strength) / SCALE))
            ratings.add(Rated([["Ada"], [label]], [1, 2] if won else [2, 1]))
            if number >= 20:
                share.append(label == f"net ({level})")
                wins.append(won)
    assert np.mean(share) > 0.5
    assert 0.35 < np.mean(wins) < 0.65
