"""What windows and reports draw: courses, grids and pairings, from results in a real file."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from agents.ladder.ladder import Ladder
from agents.ladder.ratings.rows import GameFacts
from agents.ladder.ratings.standings import courses, expected_share, most_played, standings


def duel(ladder: Ladder, left: str, right: str, ranks: tuple[int, int] = (1, 2)) -> None:
    ladder.add({
        "game": "a/duel", "lineup": {"l": left, "r": right}, "teams": [["l"], ["r"]],
        "placements": dict(zip("lr", ranks, strict=True)), "returns": {"l": float(ranks[1]), "r": float(ranks[0])},
    })  # fmt: skip


@pytest.fixture
def ladder(tmp_path: Path):
    with Ladder(tmp_path / "ladder.sqlite") as ladder:
        yield ladder


def test_a_course_begins_with_the_first_match_and_ends_with_the_last(ladder) -> None:
    for number in range(50):
        duel(ladder, "ann", "bo", (1, 2) if number % 3 else (2, 1))
    duel(ladder, "bo", "cleo")
    found = standings(ladder, "a/duel")
    ann, bo = courses(found, ["ann", "bo"], most=10)
    assert [course.name for course in courses(found, ["nobody", "cleo"])] == ["cleo"]
    assert (ann.numbers[0], ann.numbers[-1]) == (1, 50)
    assert (bo.numbers[0], bo.numbers[-1]) == (1, 51)
    assert 10 <= len(ann.numbers) <= 11
    assert (np.diff(ann.numbers) > 0).all()
    newest = found.table[[one.name for one in found.table].index("ann")].rating
    assert (ann.points[-1], ann.half[-1]) == pytest.approx((newest.points, newest.margin))
    assert min(ann.half) == ann.half[-1]  # fewer matches say less


def test_the_grid_stands_in_the_order_of_the_table(ladder) -> None:
    for _ in range(6):
        duel(ladder, "weak", "zed the strong", (2, 1))
    duel(ladder, "zed the strong", "new")
    found = standings(ladder, "a/duel").pairs
    strong, weak = found.names.index("zed the strong"), found.names.index("weak")
    assert strong < weak
    assert (found.values[strong, weak], found.games[strong, weak]) == (1, 6)
    assert found.low[strong, weak] < 1
    assert math.isnan(found.values[weak, found.names.index("new")])


def test_cooperative_games_have_a_grid_of_scores(ladder) -> None:
    for pair, score in ((("x", "x"), 4.0), (("x", "y"), 2.0), (("y", "x"), 3.0), (("y", "y"), 1.0)):
        ladder.add({
            "game": "a/house", "lineup": dict(zip("ab", pair, strict=True)), "teams": [["a", "b"]],
            "placements": {"a": 1, "b": 1}, "returns": {"a": score, "b": score},
        })  # fmt: skip
    found = standings(ladder, "a/house").pairs
    assert found.names == ("x", "y")
    assert found.values.tolist() == [[4, 2.5], [2.5, 1]]
    assert found.low[0, 1] < 2.5 < found.high[0, 1]
    assert math.isnan(found.low[0, 0])
    assert standings(ladder, "a/house").matrix is None
    assert expected_share(standings(ladder, "a/house"), "x", "y") is None


def test_cooperative_games_have_one_grid_of_all_roles_and_lengths(ladder) -> None:
    pairs = (("x", "y"), ("y", "x"), ("x", "x"), ("z", "z"))
    for pair, ended in [
        *((pair, "finished") for pair in pairs[:3] * 2),
        (pairs[0], "max_ticks"),
        (pairs[3], "max_ticks"),
    ]:
        ladder.add({
            "game": "a/relay", "lineup": dict(zip("ab", pair, strict=True)), "teams": [["a", "b"]], "ended": ended,
            "ticks": 9, "placements": {"a": 1, "b": 1}, "returns": {"a": 1.0, "b": 3.0},
        })  # fmt: skip
    facts = GameFacts(id="a/relay", teams=(("a", "b"),), roles={"a": "thrower", "b": "catcher"}, cooperative=True)
    found = standings(ladder, "a/relay", facts=facts).pairs
    assert sorted(found.names) == ["x", "y"]
    assert found.games[found.names.index("x"), found.names.index("y")] == 4


def test_what_ratings_expect_is_what_happened_where_only_two_have_met(ladder) -> None:
    for ranks, count in (((1, 2), 50), ((2, 1), 20), ((1, 1), 30)):
        for number in range(count):
            duel(ladder, *(("ann", "bo") if number % 2 else ("bo", "ann")), ranks if number % 2 else ranks[::-1])
    found = standings(ladder, "a/duel")
    record, expected = found.matrix.pair("ann", "bo"), expected_share(found, "ann", "bo")
    assert (record.wins, record.draws, record.losses) == (50, 30, 20)
    assert expected == pytest.approx(0.65, abs=0.01)
    assert expected + expected_share(found, "bo", "ann") == pytest.approx(1)


def test_players_of_one_role_are_not_expected_to_meet(ladder) -> None:
    for number in range(8):
        duel(ladder, f"one-{number % 2}", "two", (1, 2) if number % 3 else (2, 1))
    found = standings(ladder, "a/duel", facts=GameFacts(id="a/duel", roles={"l": "left", "r": "right"}))
    assert expected_share(found, "one-0 [left]", "one-1 [left]") is None
    assert expected_share(found, "one-0 [left]", "two [right]") is not None


def test_most_played_pairs_come_first(ladder) -> None:
    for other, count in (("bo", 2), ("cleo", 5), ("dan", 1)):
        for _ in range(count):
            duel(ladder, "ann", other)
    found = most_played(standings(ladder, "a/duel"), 2)
    assert [(pair.name, pair.other, pair.games) for pair in found] == [("ann", "cleo", 5), ("ann", "bo", 2)]


def test_nothing_to_draw_without_a_match(ladder) -> None:
    found = standings(ladder, "a/duel")
    assert found.pairs.names == ()
    assert courses(found, ["ann"]) == []
    assert most_played(found, 3) == []
