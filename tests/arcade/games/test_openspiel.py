"""Games of OpenSpiel by name: PettingZoo's tests, rules, move names, search, and errors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pettingzoo.test import api_test

import arcade
from arcade.games import GameError, find_game
from arcade.match.stage.hosted import HostedStage

NAMES = ["breakthrough", "hex(board_size=5)", "leduc_poker", "goofspiel", "backgammon", "kuhn_poker(players=3)", "2048"]


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "home"))


@pytest.mark.parametrize("name", NAMES)
def test_games_pass_pettingzoos_own_test(name: str) -> None:
    api_test(arcade.make(f"openspiel/{name}"), num_cycles=60)


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_repeats_chance(name: str) -> None:
    def played(seed: int) -> str:
        [match] = arcade.play(f"openspiel/{name}", {"*": "random"}, seed=seed, max_ticks=60).matches
        assert not match.error
        return match.actions

    assert played(1) == played(1) != played(2)


def test_seats_teams_and_moves_are_those_of_the_game() -> None:
    spec = find_game("openspiel/breakthrough")
    assert (spec.title, spec.seats, spec.outcome, spec.secret) == ("Breakthrough", 2, "versus", False)
    assert "a7a6" in spec.names_of("player_0")
    assert len(spec.names_of("player_1")) == 768
    assert find_game("openspiel/leduc_poker").secret
    assert len(find_game("openspiel/2048").teams) == 1


def test_rewards_are_the_growth_of_the_returns() -> None:
    env = arcade.make("openspiel/tic_tac_toe")
    env.reset(seed=1)
    for action in (0, 3, 1, 4, 2):
        assert env.observe(env.agent_selection)["action_mask"][action] == 1
        env.step(action)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}


def test_the_search_beats_random_play_and_stronger_levels_beat_weaker_ones() -> None:
    def points(game: str, one: str, other: str) -> float:
        data = arcade.evaluate(game, {"player_0": one, "player_1": other}, episodes=6, seed=1, workers=1)
        return float(np.mean([row["return"]["mean"] for row in data["seats"][:1]]))

    assert points("openspiel/breakthrough", "level:hard", "random") == 1.0
    assert points("openspiel/connect_four", "level:hard", "level:easy") > 0.3


def test_the_search_plays_in_a_process_of_its_own_too() -> None:
    spec = find_game("openspiel/tic_tac_toe")
    with HostedStage(spec) as stage:
        stage.obs_types = frozenset({"state"})
        while not stage.ready:
            stage.poll(0.1)
        stage.reset(1)
        tick = stage.wait()
        assert b"tic_tac_toe" in bytes(tick.seen("player_0", "state"))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("brakethrough", "did you mean openspiel/breakthrough"),
        ("mfg_garnet", "a mean-field game"),
        ("cribbage", "shows its state as numbers"),
        ("add_noise", "OpenSpiel can load"),
        ("crossword", "played move by move"),
    ],
)
def test_games_that_cannot_be_played_say_why(name: str, text: str) -> None:
    with pytest.raises(GameError, match=text):
        find_game(f"openspiel/{name}")
