"""Cooperative games: who makes how much, alone and with whom."""

from __future__ import annotations

import math

import numpy as np
import pytest

from agents.ladder.ladder import Ladder
from agents.ladder.ratings.pairs import cross_play, scores


@pytest.fixture
def rows(tmp_path):
    """Of a ladder: a pair of "kind" makes 10 and 12, one of "new" 4, the two together 1, 2 and 3."""
    played = [("kind", "kind", 10), ("kind", "kind", 12), ("new", "new", 4), ("kind", "new", 1), ("new", "kind", 2)]
    with Ladder(tmp_path / "ladder.sqlite") as ladder:
        for one, two, score in [*played, ("kind", "new", 3)]:
            result = {
                "game": "g",
                "lineup": {"0": one, "1": two},
                "teams": [["0", "1"]],
                "placements": {"0": 1, "1": 1},
                "returns": {"0": score - 1.0, "1": score + 1.0},
            }
            ladder.add(result)
        for left_out in ({"returns": {}}, {"ended": "quit"}, {"error": "boom"}):
            ladder.add(result | left_out)
        return ladder.results("g")


def test_scores_alone_and_with_others(rows):
    kind, new = scores(rows)
    assert (kind.label, kind.alone.mean, kind.alone.count) == ("kind", 11.0, 2)
    assert kind.alone.high - 11 == pytest.approx(12.706 * math.sqrt(2) / math.sqrt(2), rel=1e-3)
    assert (kind.mixed.mean, kind.mixed.count) == (new.mixed.mean, 3) == (2.0, 3)
    assert (new.alone.mean, new.alone.low) == (4.0, None)  # one match says nothing of the spread


def test_cross_play(rows):
    table = cross_play(rows)
    assert table.names == ("kind", "new")
    np.testing.assert_allclose(table.values, [[11, 2], [2, 4]])
    np.testing.assert_array_equal(table.games, [[2, 3], [3, 1]])
    assert table.high[0, 1] - 2 == table.high[1, 0] - 2 == pytest.approx(4.303 / math.sqrt(3), rel=1e-3)
    assert math.isnan(table.high[1, 1])


def test_whoever_never_played_alone_or_with_another():
    lineup, returns = {"0": "a", "1": "b", "2": "c"}, {"0": 3.0, "1": 3.0, "2": 3.0}
    trio = {"teams": [["0"], ["1"], ["2"]], "lineup": lineup, "returns": returns, "ended": "finished", "settings": {}}
    assert [(score.label, score.alone, score.mixed.mean) for score in scores([trio])] == [
        ("a", None, 3), ("b", None, 3), ("c", None, 3)
    ]  # fmt: skip
    table = cross_play([trio])
    np.testing.assert_array_equal(table.games, 1 - np.eye(3))
    assert np.isnan(table.values.diagonal()).all()
    assert cross_play([]).names == ()
    assert scores([]) == []
