"""Games with filled seats pass PettingZoo's own tests, and the catalogue is in PettingZoo's registry."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pettingzoo
import pytest
from pettingzoo.test import api_test, parallel_api_test

import arcade
from agents import RandomController
from agents.seats.controller import SeatError
from arcade.arguments import ArgumentError
from arcade.games import GameError, find_game
from arcade.games.catalogue import open_game

FILLED = [
    (spec.id, place)
    for spec in arcade.games()
    if not spec.broken and spec.seats > 1
    for place in ((-1,) if spec.family == "atari" else (0, -1))  # Atari's seats are all alike
]


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "home"))


def last_column(observation: Any, action_mask: Any) -> int:
    return 6


@pytest.mark.parametrize(("game", "place"), FILLED)
def test_every_game_passes_pettingzoos_own_tests(game: str, place: int) -> None:
    spec = find_game(game)
    env = arcade.match_env(game, {spec.agents[place]: "random"})
    (api_test if hasattr(env, "agent_iter") else parallel_api_test)(env, num_cycles=40)
    env.close()


def test_open_seats_of_a_turn_based_game() -> None:
    env = arcade.match_env("classic/connect_four_v3", {"player_1": last_column})
    env.reset(seed=1)
    for _ in range(3):
        env.step(0)
        assert (env.agents, env.agent_selection) == (["player_0"], "player_0")
    assert env.observe("player_0")["observation"][:, 6, 1].sum() == 3
    env.step(0)
    assert env.last()[1:4] == (1, True, False)
    env.step(None)
    assert env.agents == []


def test_a_filled_seat_that_wins_pays_the_open_one() -> None:
    env = arcade.match_env("classic/connect_four_v3", {"player_0": last_column})
    env.reset(seed=1)
    for column in (0, 1, 0):
        env.step(column)
    assert env.last()[1:4] == (-1, True, False)


def test_a_star_fills_all_but_the_open_seats_and_the_seed_repeats() -> None:
    def trace(seed: int) -> list[Any]:
        env = arcade.match_env("mpe/simple_tag_v3", {"*": "random", "agent_0": "open"})
        observations, _ = env.reset(seed=seed)
        assert env.agents == ["agent_0"]
        return [observations["agent_0"].tolist(), *(env.step({"agent_0": 1})[0]["agent_0"].tolist() for _ in range(5))]

    assert trace(1) == trace(1) != trace(2)


def test_wrong_seats_say_what_is_right() -> None:
    with pytest.raises(ArgumentError, match="among left_0, right_0 or"):
        arcade.match_env("house/volley", {"middle": "random"})
    with pytest.raises(ArgumentError, match='at least one seat that is "open"'):
        arcade.match_env("house/volley", {"*": "random"})
    with pytest.raises(SeatError, match="expected a seat like"):
        arcade.match_env("house/volley", {"left_0": "robot"})
    robot = RandomController()
    with pytest.raises(ArgumentError, match="one for several"):
        arcade.match_env("mpe/simple_tag_v3", {"adversary_0": robot, "adversary_1": robot})


def test_the_catalogue_is_in_pettingzoos_registry() -> None:
    arcade.register_games()
    assert arcade.register_games() == []
    assert pettingzoo.make("parallel", "house/volley", points=1).possible_agents == ["left_0", "right_0"]
    assert pettingzoo.make("aec", "mpe/simple_tag_v3").possible_agents[0] == "adversary_0"
    assert pettingzoo.make("aec", "classic/connect_four").possible_agents == ["player_0", "player_1"]
    missing = [spec.id for spec in arcade.games() if not spec.broken and not is_registered(spec.id)]
    assert missing == []


def is_registered(id: str) -> bool:
    return pettingzoo.EnvSpec(id).id in pettingzoo.aec_registry


def test_ids_of_the_registry_name_games() -> None:
    assert find_game("classic/connect_four-v3").id == find_game("connect_four-v3").id == "classic/connect_four_v3"
    with pytest.raises(GameError, match="expected a game of the catalogue"):
        open_game("tests/crowd-v0")
    pettingzoo.register("parallel", "tests/crowd-v0", "mpe2.simple_tag_v3:parallel_env")
    try:
        spec = open_game("tests/crowd-v0")
    finally:
        del pettingzoo.parallel_registry["tests/crowd-v0"]
    assert spec.entry == "mpe2.simple_tag_v3:parallel_env"
