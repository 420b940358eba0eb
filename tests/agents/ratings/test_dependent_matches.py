"""Matches that repeat, players of pairs that beat each other in circles, and players that never change."""

import itertools
import math

import pytest

from agents.ladder.ladder import Ladder
from agents.ladder.ratings.batch import BatchFit, Estimate, fit
from agents.ladder.ratings.margins import with_margins
from agents.ladder.ratings.online import POINTS, OnlineRatings, Rating
from agents.ladder.ratings.rows import Rated, rated
from agents.ladder.ratings.standings import standings
from agents.ladder.ratings.views import find_view
from tests.benchmarks.repeating_leagues import KINDS, coverage
from tests.support.ladder_rows import duel


@pytest.mark.parametrize("kind", KINDS)
def test_intervals_hold_the_truth_where_matches_depend_on_each_other(kind):
    repeats, cyclic = KINDS[kind]
    assert 0.86 < coverage(leagues=4, is_deterministic=repeats, cyclic=cyclic) <= 1.0


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


def test_a_rating_is_as_uncertain_as_the_fit_and_its_distance_to_it():
    fitted = BatchFit(
        players={"a": Estimate(1600, 1500, 1700), "b": Estimate(1400, 1300, 1500)}, shares={"a": 0.5, "b": 0.5},
        first_seat=None, draw=0.0, converged=True,
    )  # fmt: skip
    sure = {"sigma": 0.1}
    near = with_margins([Rating("a", mu=25 + 100 / POINTS, **sure), Rating("b", mu=25 - 100 / POINTS, **sure)], fitted)
    assert [one.margin for one in near] == pytest.approx([100, 100])
    far = with_margins([Rating("a", mu=25 + 160 / POINTS, **sure), Rating("b", mu=25 - 160 / POINTS, **sure)], fitted)
    assert [one.margin for one in far] == pytest.approx([144, 144], abs=1)
    assert not near[0].is_provisional
    astray = with_margins(
        [Rating("a", mu=25 + 900 / POINTS, **sure), Rating("b", mu=25 - 900 / POINTS, **sure)], fitted
    )
    assert [one.margin for one in astray] == [Rating("new").margin] * 2
    unsure = Rating("a", mu=25 + 100 / POINTS, sigma=8.0)
    assert with_margins([unsure], fitted)[0].margin == unsure.margin  # it may learn
    assert with_margins([unsure], fitted, steady={"a"})[0].margin < unsure.margin
    assert with_margins([Rating("new")], fitted) == [Rating("new")]


def test_tables_show_intervals_that_know_of_repeats(tmp_path):
    names = "abcdef"
    with Ladder(tmp_path / "ladder.sqlite") as ladder:
        for (i, one), (j, other) in itertools.combinations(enumerate(names), 2):
            for _ in range(60):
                ladder.add(duel(one, other, winner=(j - i + 1) % 2, kinds=("snapshot", "snapshot")))
        found = standings(ladder, "house/volley")
        running = {one.name: one for one in ladder.ratings("house/volley")}
    assert all(one.rating.margin > 1.5 * running[one.name].margin for one in found.table)
    lines = [*find_view(found, "history").lines(found)]
    newest = {line["name"]: line["margin"] for line in lines}
    assert newest == {one.name: one.rating.margin for one in found.table}
    assert all(line["margin"] >= newest[line["name"]] for line in lines)


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
