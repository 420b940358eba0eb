"""Teams, outcomes and titles that are guessed for unknown games."""

from __future__ import annotations

from pathlib import Path

import pytest

from arcade.games.catalogue import game_row, open_game
from arcade.games.spec import GameSpec
from arcade.games.third_party.own_env import game_of
from arcade.games.third_party.probe import _title
from arcade.games.third_party.sides import teams_by_name, titles

GAMES = """
import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv


class Env(ParallelEnv):
    def __init__(self, agents, pay, name="crowd_v2"):
        self.possible_agents, self.pay, self.metadata = agents, pay, {"name": name}

    def observation_space(self, agent):
        return spaces.Box(0, 1, (2,), np.float32)

    def action_space(self, agent):
        return spaces.Discrete(3)

    def reset(self, seed=None, options=None):
        self.agents = list(self.possible_agents)
        return dict.fromkeys(self.agents, np.zeros(2, np.float32)), {agent: {} for agent in self.agents}

    def step(self, actions):
        off = dict.fromkeys(self.agents, False)
        rewards = dict(zip(self.agents, self.pay, strict=True))
        return dict.fromkeys(self.agents, np.zeros(2, np.float32)), rewards, off, off, {a: {} for a in self.agents}


def battle():
    return Env([f"{side}_{i}" for side in ("red", "blue") for i in range(3)], [1, 0, 0, 0, 0, 0], "BattleField_v4")


def together():
    return Env(["player_0", "player_1"], [2, 2])


def against():
    return Env(["player_0", "player_1"], [1, -1])


def each():
    return Env(["player_0", "player_1"], [1, 3])


def broken():
    env = Env(["player_0", "player_1"], [1, 3])
    env.step = None
    return env
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "guessed_games.py").write_text(GAMES)


def opened(name: str) -> GameSpec:
    return open_game(f"guessed_games:{name}")


def test_agents_whose_names_begin_alike_are_a_team() -> None:
    spec = opened("battle")
    assert spec.teams == (("red_0", "red_1", "red_2"), ("blue_0", "blue_1", "blue_2"))
    assert (spec.outcome, spec.title, spec.seat_title("red_2")) == ("versus", "Battle Field", "Red 3")
    assert teams_by_name(["player_0", "player_1"]) == (("player_0",), ("player_1",))
    assert teams_by_name([1, 2]) == ((1,), (2,))


@pytest.mark.parametrize(
    ("name", "outcome", "teams"),
    [("together", "cooperative", 1), ("against", "versus", 2), ("each", "mixed", 2), ("broken", "mixed", 2)],
)
def test_rewards_tell_who_plays_together(name: str, outcome: str, teams: int) -> None:
    spec = opened(name)
    assert (spec.outcome, len(spec.teams)) == (outcome, teams)
    assert spec.seat_title("player_1") == "Player 2"


def test_an_env_of_this_process_is_not_played_but_known_games_keep_their_teams() -> None:
    from mpe2 import simple_spread_v3

    spec = game_of(simple_spread_v3.parallel_env())
    assert (spec.outcome, len(spec.teams)) == ("cooperative", 1)


def test_titles_of_seats_and_games() -> None:
    assert titles(["left_0", "right_0"]) == {"left_0": "Left", "right_0": "Right"}
    assert titles(["agent_0", "adversary_0"]) == {}
    assert [_title(name) for name in ("CaptureTheFlag-v0", "simple_tag_v3", "DSSE", "")] == [
        "Capture The Flag", "Simple Tag", "DSSE", "Untitled",
    ]  # fmt: skip


def test_the_listing_has_the_controls_of_each_seat() -> None:
    controls = game_row(game_of("house/volley"))["controls"]
    assert set(controls) == {"left_0", "right_0"}
    [jump] = [row for row in controls["left_0"]["rows"] if row["words"] == "Jump"]
    assert jump == {"words": "Jump", "controls": ["up", "a", "b"], "action": "up"}
