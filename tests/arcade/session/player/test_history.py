"""A player's matches, totals, streaks and best scores, from results on a real ladder."""

from __future__ import annotations

import pytest

from agents.ladder.ladder import Ladder
from arcade.session.player.history import PlayerHistory
from arcade.session.player.matches import level_in, matches_of
from tests.support.ladder_rows import duel, together


@pytest.fixture
def history_of(tmp_path):
    def make(*results: dict) -> PlayerHistory:
        with Ladder(tmp_path / "ladder.sqlite") as ladder:
            for result in results:
                ladder.add(result)
            rows = ladder.results_of("Ann", 0, ladder.newest())
        return PlayerHistory("Ann", tuple(matches_of("Ann", rows)))

    return make


def test_wins_draws_losses_and_time_are_counted(history_of):
    history = history_of(
        duel("Ann", "volley-1"), duel("volley-1", "Ann"), duel("Ann", "Bo", winner=None), duel("Bo", "volley-1")
    )
    totals = history.totals
    assert (totals.played, totals.wins, totals.draws, totals.losses) == (3, 1, 1, 1)
    assert totals.seconds == 180
    assert totals.win_rate == 0.5


def test_a_name_inside_another_one_is_another_player(history_of):
    assert history_of(duel("Anna", "Joe Ann"), duel('"Ann"', "Bo")).matches == ()


def test_a_streak_ends_with_a_loss_and_the_best_one_stays(history_of):
    results = [duel("Ann", "Bo", winner=winner) for winner in (0, 0, 0, 1, 0)]
    totals = history_of(*results).totals
    assert (totals.streak, totals.best_streak) == (1, 3)


def test_matches_that_do_not_count_neither_win_nor_break_a_streak(history_of):
    history = history_of(duel("Ann", "Bo"), duel("Ann", "Bo", winner=1, ended="quit"), duel("Ann", "Bo"))
    assert (history.totals.played, history.totals.wins, history.totals.streak) == (2, 2, 2)


def test_both_sides_played_alone_is_no_win(history_of):
    assert history_of(duel("Ann", "Ann")).matches[0].outcome == ""


def test_the_best_score_is_that_of_matches_on_the_same_terms(history_of):
    history = history_of(
        together("Ann", "random", score=90.0, settings={"game_kwargs": {"max_cycles": 9999}}),
        together("Ann", "random", score=12.0),
        together("Ann", "random", score=30.0),
        together("Ann", "random", score=20.0),
        together("Ann", "random", score=70.0, ended="quit"),
        duel("Ann", "Bo"),
    )
    assert history.by_game["butterfly/pistonball_v6"].best_score == 30.0
    assert history.by_game["house/volley"].best_score is None
    assert list(history.by_game) == ["house/volley", "butterfly/pistonball_v6"]


def test_recent_matches_come_newest_first(history_of):
    history = history_of(*[duel("Ann", f"Bo {number}") for number in range(25)])
    assert [match.opponents[0].label for match in history.recent][:2] == ["Bo 24", "Bo 23"]
    assert len(history.recent) == 20


def test_opponents_have_their_level_and_kind(history_of):
    match = history_of(duel("Ann", "volley-7", level="hard")).matches[0]
    assert (match.opponents[0].level, match.opponents[0].kind) == ("hard", "snapshot")
    assert match.beat("hard")
    assert not match.beat("easy")


@pytest.mark.parametrize(
    ("label", "level"), [("AI, hard", "hard"), ("volley-7 (easy)", "easy"), ("stockfish (skill 3)", ""), ("hardly", "")]
)
def test_the_level_is_read_from_a_label_without_a_report(label, level):
    assert level_in(label, {}) == level
