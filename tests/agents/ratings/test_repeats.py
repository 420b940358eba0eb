"""Matches that repeat each other count once."""

import sqlite3

import pytest

from agents.ladder.ladder import Ladder
from agents.ladder.ratings.repeats import Repeats
from agents.ladder.ratings.standings import standings
from tests.support.ladder_rows import duel

GAME = "house/volley"


@pytest.fixture
def ladder(tmp_path):
    with Ladder(tmp_path / "ladder.sqlite") as ladder:
        yield ladder


def played(*, seed, actions, **more):
    return duel("one", "two", seed=seed, actions=actions, kinds=("snapshot", "snapshot"), **more)


def counted(ladder):
    """Matches by the running rating, by the matrix of pairs, and those left out."""
    found = standings(ladder, GAME)
    assert ladder.recompute(GAME) == 0
    return ladder.ratings(GAME)[0].games, found.matrix.pair("one", "two").games, found.repeats


def test_players_without_chance_count_once_on_each_side(ladder):
    for seed in range(30):
        ladder.add(played(seed=seed, actions="a"))
    assert counted(ladder) == (1, 1, 29)
    swapped = played(seed=0, actions="b") | {"lineup": {"left_0": "two", "right_0": "one"}}
    for _ in range(3):
        ladder.add(swapped)
    assert counted(ladder) == (2, 2, 31)


def test_the_same_seed_played_again_counts_once_and_chance_keeps_its_frequencies(ladder):
    for seed, actions in [(1, "a"), (1, "a"), (2, "b"), (3, "a"), (4, "a"), (2, "b"), (5, "b")]:
        ladder.add(played(seed=seed, actions=actions))
    assert counted(ladder) == (5, 5, 2)


def test_matches_that_were_withheld_count_when_another_process_adds_one_that_differs(ladder):
    for seed in range(4):
        ladder.add(played(seed=seed, actions="a"))
        assert counted(ladder) == (1, 1, seed)
    with Ladder(ladder.path) as other:
        other.add(played(seed=9, actions="b", winner=1))
        assert [one.games for one in other.ratings(GAME)] == [5, 5]
    assert counted(ladder) == (5, 5, 0)


def test_rows_without_a_digest_and_other_starts_are_other_matches(ladder):
    for opening in ("", "e2e4", "e2e4"):
        ladder.add(played(seed=3, actions="a", settings={"opening": opening}))
    for _ in range(3):
        ladder.add(duel("one", "two"))
    assert counted(ladder) == (5, 5, 1)


def test_a_ladder_without_digests_is_upgraded_and_its_matches_all_count(tmp_path):
    path = tmp_path / "old.sqlite"
    with Ladder(path) as ladder:
        for _ in range(3):
            ladder.add(duel("one", "two"))
    with sqlite3.connect(path) as connection:
        connection.executescript(
            "DROP INDEX results_by_meeting; ALTER TABLE results DROP COLUMN actions; PRAGMA user_version = 2"
        )
    with Ladder(path) as ladder:
        assert counted(ladder) == (3, 3, 0)
        for seed in (7, 8):
            ladder.add(played(seed=seed, actions="a"))
        assert counted(ladder) == (4, 4, 1)


def test_the_order_of_matches_with_chance_does_not_change_their_number():
    for digests in ("aaab", "abaa", "baaa"):
        repeats = Repeats[int]()
        found = [one for seed, own in enumerate(digests) for one in repeats.add("x", str(seed), own, seed)]
        assert sorted(found) == [0, 1, 2, 3]
