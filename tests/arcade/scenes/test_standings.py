"""What the results screen says of ratings."""

from __future__ import annotations

import pytest

from arcade.match.play.result import MatchResult, SeatChange
from arcade.session.result_texts import keep_result


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
    changes = keep_result(result(), tmp_path / "ladder.sqlite")
    assert changes.texts == {
        "left_0": "1578 ± 466, provisional (+78)",
        "right_0": "1422 ± 466, provisional (-78)",
    }
    again = keep_result(result(), tmp_path / "ladder.sqlite")
    assert "(+" in again.texts["left_0"]
    assert "(-" in again.texts["right_0"]


def test_where_seats_are_roles_each_is_rated_in_its_own(tmp_path) -> None:
    chase = {"lineup": {"adversary_0": "Ada", "agent_0": "Ada"}, "teams": [["adversary_0"], ["agent_0"]]}
    outcome = {"placements": {"adversary_0": 2, "agent_0": 1}, "returns": {"adversary_0": 0.0, "agent_0": 1.0}}
    changes = keep_result(result(game="mpe/simple_tag_v3", **chase, **outcome), tmp_path / "ladder.sqlite")
    elo = {agent: int(text.split()[0]) for agent, text in changes.texts.items()}
    assert elo["agent_0"] > 1500 > elo["adversary_0"]


@pytest.mark.parametrize(
    "why",
    [
        {"changes": [SeatChange(tick=5, agent="right_0", label="volley-2")]},
        {"ended": "quit"},
        {"rated": False},
        {"settings": {"speed": 0.5}, "seats": {"left_0": {"kind": "keyboard"}}},
    ],
)
def test_a_match_that_is_not_rated_says_so(tmp_path, why) -> None:
    keep_result(result(), tmp_path / "ladder.sqlite")
    changes = keep_result(result(**why), tmp_path / "ladder.sqlite")
    assert set(changes.texts.values()) == {""}


def test_a_match_played_together_tells_the_mean_score(tmp_path) -> None:
    together = {"game": "butterfly/cooperative_pong_v6", "teams": [["paddle_0", "paddle_1"]]}
    together |= {"lineup": {"paddle_0": "Ada", "paddle_1": "volley-1"}, "placements": {"paddle_0": 1, "paddle_1": 1}}
    for score in (4.0, 7.0):
        returns = {"paddle_0": score, "paddle_1": score}
        changes = keep_result(result(**together, returns=returns), tmp_path / "ladder.sqlite")
    assert changes.texts == {"paddle_0": "mean 5.5 of 2", "paddle_1": "mean 5.5 of 2"}
    assert keep_result(result(**together, rated=False), tmp_path / "ladder.sqlite").texts == {}
