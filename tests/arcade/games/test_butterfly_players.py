"""The players of the Butterfly games: teams of experts do nearly all there is to do, and the easy ones do not."""

from __future__ import annotations

import numpy as np
import pytest

import arcade
from arcade.games import find_game
from arcade.games.players import pistonball, zombies


def team_return(game: str, level: str, *, max_ticks: int, episodes: int = 1) -> float:
    """The mean return of a seat."""
    word = level if level == "random" else f"level:{level}"
    data = arcade.evaluate(game, {"*": word}, episodes=episodes, seed=2, max_ticks=max_ticks, swap=False, workers=1)
    return float(np.mean([np.mean(list(match["returns"].values())) for match in data["matches"]]))


def test_a_team_of_experts_rolls_the_ball_to_the_wall():
    assert team_return("butterfly/pistonball_v6", "expert", max_ticks=125, episodes=2) > 90  # of 100
    assert team_return("butterfly/pistonball_v6", "random", max_ticks=60) < 40


def test_two_experts_keep_the_ball_of_cooperative_pong():
    reached = team_return("butterfly/cooperative_pong_v6", "expert", max_ticks=300)
    assert reached == pytest.approx(300 * 100 / 900)  # no ball was lost
    assert team_return("butterfly/cooperative_pong_v6", "random", max_ticks=300) < 10


def test_a_team_of_experts_stops_all_zombies():
    assert 4 * team_return("butterfly/knights_archers_zombies_v11", "expert", max_ticks=300) >= 10  # 15 have appeared


def test_every_level_repeats_by_its_seed():
    for game in ("butterfly/cooperative_pong_v6", "butterfly/knights_archers_zombies_v11"):
        one, again = (team_return(game, "easy", max_ticks=80) for _ in range(2))
        assert one == again


def test_what_seats_observe_of_a_picture_is_drawn_without_a_window():
    env = find_game("butterfly/pistonball_v6").make()
    seen, _ = env.reset(seed=0)
    assert any(pistonball.find_ball(picture) is not None for picture in seen.values())


@pytest.mark.parametrize(("heading", "aim", "action"), [
    (0.0, 90.0, zombies.RIGHT), (90.0, 0.0, zombies.LEFT), (350.0, 10.0, zombies.RIGHT), (4.0, 0.0, zombies.NOTHING),
])  # fmt: skip
def test_fighters_turn_the_shorter_way(heading: float, aim: float, action: int):
    assert zombies.turn_to(heading, aim) == action
