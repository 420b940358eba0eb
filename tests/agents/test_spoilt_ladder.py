"""Spoilt rows of a ladder are named and skipped, and a ladder that was emptied does not pass for a new one."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing

import pytest

from agents.ladder.ladder import Ladder, LadderError
from agents.ladder.ratings.standings import standings
from agents.ladder.ratings.views import find_view
from tests.support.ladder_rows import duel, together

GAME = "house/volley"
DEEP = "[" * 100_000 + "]" * 100_000


def execute(path, statement, *values):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, values)


@pytest.fixture
def path(tmp_path):
    """A ladder of three matches of Ada and Bob."""
    with Ladder(tmp_path / "ladder.sqlite") as ladder:
        for _ in range(3):
            ladder.add(duel("Ada", "Bob"))
    return tmp_path / "ladder.sqlite"


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("lineup", "[]"), ("lineup", "{}"), ("lineup", "null"), ("lineup", '{"left_0": 3, "right_0": "Bob"}'),
        ("lineup", b"\x00\xff"), ("lineup", "{"), ("lineup", ""), ("lineup", '{"left_0": "Ada"}], [[]'),
        ("lineup", DEEP), ("teams", DEEP),
        ("teams", "3"), ("teams", '[["left_0"], ["somebody"]]'), ("teams", '[[["left_0"]]]'), ("teams", b"[[]]"),
        ("placements", '{"left_0": null}'), ("placements", '{"left_0": 1e999, "right_0": 1}'),
        ("placements", '{"left_0": "first"}'), ("placements", '{"left_0": ' + "9" * 5000 + "}"),
        ("returns", '{"left_0": NaN}'), ("returns", '{"left_0": Infinity}'), ("returns", '{"left_0": [1]}'),
        ("returns", '{"left_0": 1e308, "right_0": 1e308}'),
        ("settings", "[]"), ("settings", '{"seats": []}'), ("settings", '{"seats": {"left_0": "keyboard"}}'),
        ("settings", '{"seats": {"left_0": {"kind": []}}}'), ("settings", '{"game_kwargs": 3}'),
        ("settings", '{"seconds": "long"}'), ("settings", '{"tournament": {"id": "a", "number": "x"}}'),
        ("time", 1e300), ("time", -1e300), ("time", "yesterday"), ("time", 253402300799.0), ("time", b"now"),
        ("ticks", "many"), ("ticks", 1.5), ("ticks", -4), ("ended", b"finished"), ("seed", b"1"), ("source", b"x"),
    ],
)  # fmt: skip
def test_a_spoilt_row_is_named_and_hides_no_other(column, value, path):
    execute(path, f"UPDATE results SET {column} = ? WHERE id = 2", value)
    with Ladder(path) as ladder:
        found = standings(ladder, GAME)
        for view in ("ratings", "matrix", "history", "cycles"):
            json.dumps(list(find_view(found, view).lines(found)))
        assert [row["id"] for row in ladder.results(GAME)] == [1, 3]
        assert found.matches == 2
        assert found.notice.startswith("match 2 on the ladder cannot be read and is skipped: ")
        assert "jSON" not in found.notice
        assert len(found.notice) < 400
        assert [total.game for total in ladder.totals()] == [GAME]
        ladder.recompute(GAME)
        assert [rating.games for rating in ladder.ratings(GAME)] == [2, 2]


def test_a_game_that_is_no_text_hides_no_other(path):
    execute(path, "UPDATE results SET game = ? WHERE id = 2", b"\xff")
    with Ladder(path) as ladder:
        assert ladder.games() == [GAME]
        assert [total.results for total in ladder.totals()] == [2]


def test_a_text_that_is_no_text_hides_no_other(path):
    execute(path, "UPDATE results SET ended = CAST(x'ff' AS TEXT) WHERE id = 2")
    with Ladder(path) as ladder:
        assert {1, 3} <= {row["id"] for row in ladder.results(GAME)}


@pytest.mark.parametrize("value", ["much", b"\x00", 9e999])
def test_spoilt_ratings_are_made_again(value, path):
    with Ladder(path) as ladder:
        right = ladder.ratings(GAME)
    execute(path, "UPDATE moments SET mu = ? WHERE result = 3", value)
    with Ladder(path) as ladder:
        assert ladder.ratings(GAME) == right
        assert standings(ladder, GAME).table


@pytest.mark.parametrize("how", ["truncated", "deleted", "rows"])
def test_a_ladder_that_was_emptied_says_so(how, path):
    if how == "rows":
        execute(path, "DELETE FROM results")
    elif how == "truncated":
        path.write_bytes(b"")
    else:
        path.unlink()
    with Ladder(path) as ladder:
        assert ladder.notice == (
            f"expected at least 2 matches in {path}, got 0: the file was emptied or replaced; restore it from a "
            "backup, or delete ladder.sqlite.count beside it to begin anew"
        )


def test_a_new_ladder_says_nothing(tmp_path):
    with Ladder(tmp_path / "ladder.sqlite") as ladder:
        assert ladder.notice == ""
        ladder.add(duel("Ada", "Bob"))
        assert ladder.notice == ""


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER more AFTER INSERT ON results BEGIN DELETE FROM results; END",
        "CREATE VIEW more AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
        "CREATE TABLE more (x)",
    ],
)
def test_a_ladder_that_brings_code_is_refused(statement, path):
    execute(path, statement)
    with pytest.raises(LadderError, match="'more'; move the file away"):
        Ladder(path)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: path.symlink_to("/dev/zero")])
def test_what_is_no_file_is_no_ladder(make, tmp_path):
    make(tmp_path / "ladder.sqlite")
    with pytest.raises(LadderError, match="another kind of entry than a file; move it away"):
        Ladder(tmp_path / "ladder.sqlite")


def test_a_score_that_is_missing_leaves_its_match_out(tmp_path):
    with Ladder(tmp_path / "ladder.sqlite") as ladder:
        ladder.add(together("Ada", "Bob", score=3.0))
        ladder.add(together("Ada", "Bob", score=9.0, returns={"left_0": None, "right_0": 9.0}))
        found = standings(ladder, "butterfly/pistonball_v6")
        assert [one.score.mixed.mean for one in found.table] == [3.0, 3.0]
