"""An approximate best response: close to the exact one in small games, and a bound in all others."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from agents.errors import UserError
from agents.snapshots.store import open_store
from arcade.exploitability import exploitability_of
from trainer.best_response import best_response

RPS = "classic/rps_v2"
QUICK = ["training.batch=512", "training.minibatch=128", "training.lr=0.005", "resources.games=8"]


def rock(observation, action_mask, rng):
    return 0


def test_it_finds_the_answer_to_a_player_that_never_changes(arcade_home, ray_cluster) -> None:
    word = "python:tests.trainer.test_best_response:rock"
    found = best_response(RPS, word, steps=6_000, games=20, settings=QUICK)
    assert [value.mean for value in found.values] == pytest.approx([15, 15], abs=1)  # the exact one wins all 15
    assert found.nash_conv == sum(value.mean for value in found.values)
    assert (found.steps >= 6_000, found.values[0].count) == (True, 20)
    assert open_store().list(RPS) == []
    assert not (arcade_home / "ladder.sqlite").exists()


def test_what_it_finds_is_at_most_the_exact_figure(arcade_home, ray_cluster) -> None:
    game = "classic/tictactoe_v3"
    found = best_response(game, "random", steps=12_000, games=100, settings=QUICK)
    exact = exploitability_of(game, "random")
    for value, best, unlearnt in zip(found.values, exact.values, (0.3, -0.3), strict=True):
        assert value.mean > unlearnt + 0.3  # random moves against random moves
        assert value.low is not None
        assert value.low <= best


def test_a_snapshot_is_trained_on_from_its_own_weights(arcade_home, ray_cluster) -> None:
    found = best_response("house/volley", "volley-1", steps=2_048, games=8, settings=QUICK)
    assert found.player == "volley-1"
    assert found.values[0].mean > -1
    with pytest.raises(UserError, match="expected a game of two teams or more"):
        best_response("butterfly/pistonball_v6", "random", steps=1)
    with pytest.raises(UserError, match="nobody"):
        best_response("house/volley", "nobody", steps=1)


def test_one_seat_responds_to_the_others_in_a_game_of_three(arcade_home, ray_cluster) -> None:
    game = "openspiel/kuhn_poker(players=3)"
    found = best_response(game, "random", steps=12_000, games=400, settings=QUICK)
    exact = exploitability_of(game, "random")
    assert len(found.values) == 3
    for value, best, unlearnt in zip(found.values, exact.values, (0.234, -0.047, -0.188), strict=True):
        assert value.mean > unlearnt + 0.15  # random play against random play
        assert value.low is not None
        assert value.low <= best
    assert found.alone == pytest.approx(0)
    assert found.exploitability == pytest.approx(found.nash_conv / 3)


def test_the_command_takes_a_budget_and_says_what_it_did(arcade_home) -> None:
    words = ["ladder", "exploitability", "house/volley", "random"]
    assert "--games with --steps" in run(arcade_home, *words, "--games", "5").stderr
    sizes = [word for setting in QUICK for word in ("--set", setting)]
    done = run(arcade_home, *words, "--steps", "1024", "--games", "10", "--json", *sizes)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["player"], found["exact"], found["games"]) == ("random", False, 10)
    assert found["nash_conv"] == pytest.approx(sum(found["values"]))
    assert found["steps"] >= 1024
    wrong = run(arcade_home, "ladder", "exploitability", "house/volley", "nobody", "--steps", "9", "--json")
    assert wrong.returncode in (2, 3)
    assert "nobody" in json.loads(wrong.stdout)["error"]["message"]


def run(home, *words):
    env = os.environ | {"ARCADE_HOME": str(home)}
    return subprocess.run(
        [sys.executable, "-m", "arcade", *words], env=env, capture_output=True, text=True, timeout=300
    )
