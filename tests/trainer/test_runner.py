"""The runner: who learns, who is credited, who is met, in a game small enough to check by hand."""

import numpy as np
import pytest

from agents.snapshots.store import SnapshotStore
from tests.support.runners import PLIES, Turns, freeze, make_runner, meet
from trainer.networks.seat import decide


def sample(runner, policy="main"):
    (decisions,) = runner.sample()
    rows = decisions.columns[policy]
    return rows["obs"][:, 0].astype(int), rows["value_targets"]


def test_in_a_game_of_turns_each_seat_is_credited_with_its_own_outcome(monkeypatch):
    plies, targets = sample(make_runner(monkeypatch))
    assert len(plies) == 4 * 20  # every decision of every game: all seats learn
    assert targets[plies % 2 == 0] == pytest.approx(1.0, abs=1e-5)
    assert targets[plies % 2 == 1] == pytest.approx(-1.0, abs=1e-5)


def test_a_game_cut_off_bootstraps_from_what_was_seen_last(monkeypatch):
    monkeypatch.setattr(Turns, "cut_off", True)
    runner = make_runner(monkeypatch)
    plies, targets = sample(runner)
    last = np.full((1, 1), PLIES, np.float32)
    value = float(decide(runner.network("main"), last, None, {}).values[0])
    assert targets[plies % 2 == 0] == pytest.approx(1.0 + value, abs=1e-5)
    assert targets[plies % 2 == 1] == pytest.approx(-1.0 + value, abs=1e-5)


def test_only_the_learning_seat_learns_against_a_snapshot_and_wins_are_counted(monkeypatch, tmp_path):
    runner = make_runner(monkeypatch)
    runner.sample()
    assert {r.opponent for r in runner.pop_report().results} == {""}  # an empty pool: itself
    meet(runner, freeze(runner, SnapshotStore(tmp_path), "one"))
    runner.sample()  # games under way are finished as they began
    runner.pop_report()
    runner.sample()
    results = runner.pop_report().results
    assert {r.opponent for r in results} == {"one"}
    assert {r.outcome for r in results} == {0.0, 1.0}  # it sat on either side
    plies, targets = sample(runner)
    assert len(plies) == sum(3 if r.outcome else 2 for r in runner.pop_report().results)
    assert set(np.round(targets, 3)) == {1.0, -1.0}


def test_a_new_snapshot_is_met_at_the_next_episode_without_a_restart(monkeypatch, tmp_path):
    runner, store = (
        make_runner(monkeypatch),
        SnapshotStore(tmp_path),
    )
    meet(runner, freeze(runner, store, "one"))
    runner.sample()
    runner.pop_report()
    meet(runner, freeze(runner, store, "two"))
    runner.sample()
    runner.sample()
    met = [r.opponent for r in runner.pop_report().results]
    assert met[-8:] == ["two"] * 8
    assert list(runner.opponents.snapshots) == ["one", "two"]


def test_a_game_that_ends_before_the_learning_seats_first_move_teaches_nothing(monkeypatch, tmp_path):
    monkeypatch.setattr(Turns, "plies", 1)
    runner = make_runner(monkeypatch)
    meet(runner, freeze(runner, SnapshotStore(tmp_path), "one"))
    runner.sample()  # the games that had begun before it came are played to their ends
    runner.pop_report()
    plies, targets = sample(runner)
    results = runner.pop_report().results
    assert {r.team for r in results} == {0, 1}
    assert len(plies) == sum(r.team == 0 for r in results)  # the second seat never moved
    assert targets == pytest.approx(1.0)


def test_policies_of_their_own_learn_each_from_their_own_seat(monkeypatch):
    runner = make_runner(monkeypatch, policies={"kind": "independent"})
    (decisions,) = runner.sample()
    plies = {policy: set(rows["obs"][:, 0].astype(int)) for policy, rows in decisions.columns.items()}
    assert plies == {"a": {0, 2, 4}, "b": {1, 3}}
    outcomes = {policy: set(rows["value_targets"].round(3)) for policy, rows in decisions.columns.items()}
    assert outcomes == {"a": {1.0}, "b": {-1.0}}


def test_a_policy_that_is_not_trained_plays_and_teaches_nothing(monkeypatch):
    runner = make_runner(monkeypatch, policies={"kind": "independent", "train": ["b"]})
    (decisions,) = runner.sample()
    assert list(decisions.columns) == ["b"]
    assert {r.policy for r in runner.pop_report().results} == {"b"}


def test_each_role_meets_the_snapshots_of_the_other_role(monkeypatch, tmp_path):
    store = SnapshotStore(tmp_path)
    runner = make_runner(monkeypatch, policies={"kind": "independent"})
    meet(runner, freeze(runner, store, "of-a", "a"), freeze(runner, store, "of-b", "b"))
    runner.sample()
    runner.pop_report()
    runner.sample()
    assert {(r.policy, r.opponent) for r in runner.pop_report().results} == {("a", "of-b"), ("b", "of-a")}


def test_the_moves_of_the_watched_game_show_it_again(monkeypatch):
    runner = make_runner(monkeypatch)
    runner.spectated.turn(True)
    runner.sample()
    pieces = runner.spectated.pop_pieces()
    assert [piece["first"] for piece in pieces] == [True] * len(pieces)
    whole = [piece for piece in pieces if piece["over"]]
    assert len(whole) >= 2
    for piece in whole:
        assert [list(tick) for tick in piece["ticks"]] == [["a"], ["b"], ["a"], ["b"], ["a"]]
        assert piece["lineup"] == {"a": "main", "b": "main"}
    assert [piece["episode"] for piece in pieces] == list(range(1, len(pieces) + 1))
    runner.spectated.turn(False)
    runner.sample()
    assert runner.spectated.pop_pieces() == []


def test_the_watched_games_seats_have_their_own_names_whoever_plays_in_others(monkeypatch, tmp_path):
    store = SnapshotStore(tmp_path)
    runner = make_runner(monkeypatch, policies={"kind": "independent"})
    meet(runner, freeze(runner, store, "of-a", "a"), freeze(runner, store, "of-b", "b"), live=0.5)
    lineups = []
    monkeypatch.setattr(
        runner.spectated, "begin", lambda games, seeds, lineup, hidden: lineups.extend(map(lineup, games))
    )
    for _ in range(4):
        runner.sample()
    assert {lineup["a"] for lineup in lineups} == {"a", "of-a"}
    assert {lineup["b"] for lineup in lineups} == {"b", "of-b"}


def test_an_episode_of_several_policies_is_told_of_for_each_and_counts_once(monkeypatch):
    runner = make_runner(monkeypatch, policies={"kind": "independent"})
    runner.sample()
    results = runner.pop_report().results
    assert [(r.policy, r.again) for r in results] == [("a", False), ("b", True)] * (len(results) // 2)


def test_scaled_rewards_are_for_learning_alone(monkeypatch):
    runner = make_runner(monkeypatch, wrappers={"reward_scale": 0.5}, policies={"kind": "independent"})
    _, targets = sample(runner, "a")
    assert targets == pytest.approx(0.5, abs=1e-5)
    assert {(r.policy, r.score) for r in runner.pop_report().results} == {("a", 1.0), ("b", -1.0)}


def test_a_fragment_too_short_to_close_a_decision_goes_on_until_one_is(monkeypatch):
    monkeypatch.setattr(Turns, "plies", 50)
    runner = make_runner(monkeypatch, batch=4, play_against_latest_model_ratio=1.0)  # a tick of four games
    (first,) = runner.sample()
    assert first.env_steps == 3 * 4  # the seat that began decides again at the third tick
    assert list(first.columns["main"]["obs"][:, 0]) == [0] * 4
