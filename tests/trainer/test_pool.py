"""What a pool knows of its members, and for how long."""

import json

import pytest

from agents.matchmaking.pool import HALF_LIFE, Member, Pool
from trainer.sampling.episodes import EpisodeResult


def make_pool(*names):
    pool = Pool()
    for name in names:
        pool.add(Member(name, "snapshot", "main", 7))
    return pool


def play(pool, name, outcome, games):
    pool.count(EpisodeResult("main", name, outcome, 0.0, 10) for _ in range(games))


def row(pool, name):
    return next(row for row in pool.rows() if row["name"] == name)


def test_a_draw_is_half_a_win_and_games_of_others_change_nothing():
    pool = make_pool("a", "b")
    for outcome in (1.0, 0.5, 0.5, 0.0):
        play(pool, "a", outcome, 1)
    play(pool, "stranger", 1.0, 5)
    play(pool, "", 0.5, 5)
    assert row(pool, "a")["games"] == 4
    assert row(pool, "a")["win_rate"] == pytest.approx(0.5, abs=0.01)
    assert (row(pool, "b")["games"], row(pool, "b")["low"], row(pool, "b")["high"]) == (0, 0.0, 1.0)
    assert pool.recent().games == 4


def test_old_games_fade_as_the_policy_changes():
    pool = make_pool("a")
    play(pool, "a", 0.0, 1000)
    play(pool, "a", 1.0, HALF_LIFE)
    assert row(pool, "a")["win_rate"] == pytest.approx(0.5, abs=0.03)
    before = row(pool, "a")
    for _ in range(30):
        pool.begin_period()
    after = row(pool, "a")
    assert after["win_rate"] == pytest.approx(before["win_rate"])
    assert after["high"] - after["low"] > 2 * (before["high"] - before["low"])  # not met for long: uncertain again
    assert after["games"] == 1000 + HALF_LIFE
    assert pool.recent().games == 0


def test_a_pool_is_the_same_after_a_checkpoint():
    pool = make_pool(*(f"s{i}" for i in range(40)))
    pool.add(Member("scripted", "fixed"))
    play(pool, "s3", 1.0, 9)
    play(pool, "live:other", 0.0, 2)
    again = Pool.from_data(json.loads(json.dumps(pool.as_data())))
    assert again.rows() == pool.rows()
    assert again.recent() == pool.recent()
    assert again.members == pool.members
    play(again, "s3", 1.0, 1)
    assert row(again, "s3")["games"] == 10


def test_one_that_was_dropped_keeps_its_record_and_plays_no_more():
    pool = make_pool("a", "b")
    play(pool, "a", 1.0, 3)
    pool.dropped["a"] = "gone"
    assert pool.places(kind="snapshot").tolist() == [1]
    assert (row(pool, "a")["games"], row(pool, "a")["dropped"]) == (3, "gone")
