"""What the results screen says of ratings."""

from __future__ import annotations

import pytest

from arcade.match.result import MatchResult, SeatChange
from arcade.scenes.standings import keep_result


def result(**changed: object) -> MatchResult:
    fields = {
        "game": "house/volley",
        "seed": 7,
        "ticks": 100,
        "seconds": 2.0,
        "ended": "finished",
        "lineup": {"left_0": "Ada", "right_0": "volley-1"},
        "returns": {"left_0": 5.0, "right_0": -5.0},
        "teams": [["left_0"], ["right_0"]],
        "placements": {"left_0": 1, "right_0": 2},
        "late": {"left_0": 0, "right_0": 0},
        **changed,
    }
    return MatchResult(**fields)  # type: ignore[arg-type]


def test_a_match_moves_the_ratings_of_both(tmp_path) -> None:
    standings = keep_result(result(), tmp_path / "ladder.sqlite")
    assert standings.of["Ada"].words.endswith("(new)")
    again = keep_result(result(), tmp_path / "ladder.sqlite")
    assert "(+" in again.of["Ada"].words
    assert "(-" in again.of["volley-1"].words


@pytest.mark.parametrize(
    "why", [{"changes": [SeatChange(tick=5, agent="right_0", label="volley-2")]}, {"ended": "quit"}, {"rated": False}]
)
def test_a_match_that_is_not_rated_says_so(tmp_path, why) -> None:
    keep_result(result(), tmp_path / "ladder.sqlite")
    standings = keep_result(result(**why), tmp_path / "ladder.sqlite")
    assert {standing.words for standing in standings.of.values()} == {""}
