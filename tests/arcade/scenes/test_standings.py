"""What the results screen says of ratings."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest

from agents.ladder.ladder import Ladder, LadderError
from arcade import language
from arcade.games import find_game
from arcade.match.play.result import MatchResult, SeatChange
from arcade.session.match.outcome import MatchOutcome
from arcade.session.match.rating_changes import ResultKeeper
from arcade.session.worker import Worker


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
    changes = ResultKeeper().keep(result(), tmp_path / "ladder.sqlite")
    assert changes.texts == {
        "left_0": "1578 ± 466, provisional (+78)",
        "right_0": "1422 ± 466, provisional (−78)",
    }
    again = ResultKeeper().keep(result(), tmp_path / "ladder.sqlite")
    assert "(+" in again.texts["left_0"]
    assert "(−" in again.texts["right_0"]


@pytest.mark.parametrize("at_end", [False, True])
def test_a_result_that_met_a_full_disk_is_added_later_and_once(tmp_path, monkeypatch, at_end) -> None:
    path, keeper, ratings = tmp_path / "ladder.sqlite", ResultKeeper(), Ladder.ratings

    def full(*_given: object, **_more: object) -> None:
        raise LadderError("database or disk is full")

    monkeypatch.setattr(Ladder, "add", full)
    assert "full" in keeper.keep(result(seed=1), path).warning
    monkeypatch.undo()
    monkeypatch.setattr(Ladder, "ratings", full)  # after the row was written
    keeper.keep(result(seed=2), path)
    monkeypatch.setattr(Ladder, "ratings", ratings)
    if at_end:
        keeper.finish(path)
    else:
        assert not keeper.keep(result(seed=3), path).warning
    with Ladder(path) as ladder:
        seeds = sorted(row["seed"] for row in ladder.results("house/volley"))
    assert seeds == (["1", "2"] if at_end else ["1", "2", "3"])


def test_a_result_that_waits_for_a_busy_worker_is_added_before_the_program_ends(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    keeper, is_free = ResultKeeper(), threading.Event()
    with Worker(threads=1) as worker:
        worker.submit(lambda: is_free.wait(60))
        services = SimpleNamespace(worker=worker, results=keeper, on_result=lambda result: None)
        outcome = MatchOutcome(services, find_game("house/volley"), {}, result(seed=4))  # type: ignore[arg-type]
        outcome.keep_result()
        keeper.finish(tmp_path / "ladder.sqlite")
        with Ladder(tmp_path / "ladder.sqlite") as ladder:
            assert [row["seed"] for row in ladder.results("house/volley")] == ["4"]
            is_free.set()
            worker.settle()
            assert len(ladder.results("house/volley")) == 1


def test_ratings_are_told_in_the_language_in_use(tmp_path) -> None:
    try:
        language.use("de")
        changes = ResultKeeper().keep(result(), tmp_path / "ladder.sqlite")
    finally:
        language.use("en")
    assert changes.texts["left_0"] == "1578 ± 466, vorläufig (+78)"


def test_where_seats_are_roles_each_is_rated_in_its_own(tmp_path) -> None:
    chase = {"lineup": {"adversary_0": "Ada", "agent_0": "Ada"}, "teams": [["adversary_0"], ["agent_0"]]}
    outcome = {"placements": {"adversary_0": 2, "agent_0": 1}, "returns": {"adversary_0": 0.0, "agent_0": 1.0}}
    changes = ResultKeeper().keep(result(game="mpe/simple_tag_v3", **chase, **outcome), tmp_path / "ladder.sqlite")
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
    ResultKeeper().keep(result(), tmp_path / "ladder.sqlite")
    changes = ResultKeeper().keep(result(**why), tmp_path / "ladder.sqlite")
    assert set(changes.texts.values()) == {""}


def test_a_match_played_together_tells_the_mean_score(tmp_path) -> None:
    together = {"game": "butterfly/cooperative_pong_v6", "teams": [["paddle_0", "paddle_1"]]}
    together |= {"lineup": {"paddle_0": "Ada", "paddle_1": "volley-1"}, "placements": {"paddle_0": 1, "paddle_1": 1}}
    for score in (4.0, 7.0):
        returns = {"paddle_0": score, "paddle_1": score}
        changes = ResultKeeper().keep(result(**together, returns=returns), tmp_path / "ladder.sqlite")
    assert changes.texts == {"paddle_0": "mean 5.5 of 2", "paddle_1": "mean 5.5 of 2"}
    assert ResultKeeper().keep(result(**together, rated=False), tmp_path / "ladder.sqlite").texts == {}
