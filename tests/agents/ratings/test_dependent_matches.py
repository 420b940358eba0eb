"""Matches that repeat, players of pairs that beat each other in circles, and players that never change."""

import math

import pytest

from agents.ladder.ratings.batch import fit
from agents.ladder.ratings.online import OnlineRatings
from agents.ladder.ratings.rows import Rated, rated
from tests.benchmarks.repeating_leagues import KINDS, coverage
from tests.support.ladder_rows import duel


@pytest.mark.parametrize("kind", KINDS)
def test_intervals_hold_the_truth_where_matches_depend_on_each_other(kind):
    repeats, cyclic = KINDS[kind]
    assert 0.86 < coverage(leagues=6, is_deterministic=repeats, cyclic=cyclic) <= 1.0


def test_a_hundred_repeats_of_a_ring_are_no_more_certain_than_ten():
    def halves(times):
        names = "abcdef"
        matches = [
            Rated([[one], [other]], (1, 2) if (j - i) % 2 else (2, 1)) for i, one in enumerate(names)
            for j, other in enumerate(names) if i < j for _ in range(times)
        ]  # fmt: skip
        return [one.high - one.low for one in fit(matches, first_seat=False).players.values()]

    for few, many in zip(halves(10), halves(100), strict=True):
        assert many > 0.8 * few


def deviations(kinds, matches=3000):
    ratings = OnlineRatings()
    for number in range(matches):
        row = duel("one", "two", winner=number % 2, kinds=kinds)
        row = {**row, "settings": {"seats": row["seats"]}, "source": "arcade"}
        ratings.add(rated(row, {}))
    return [ratings[name].sigma for name in ("one", "two")]


def test_the_rating_of_a_snapshot_becomes_as_certain_as_its_matches_and_that_of_a_person_does_not():
    person, snapshot = deviations(("keyboard", "snapshot"))
    assert snapshot < person
    engine, other = deviations(("uci", "snapshot"))
    assert math.isclose(engine, other)
    assert engine < 0.7 * deviations(("keyboard", "gamepad"))[0]
