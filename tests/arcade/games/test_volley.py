"""house/volley as a player and PettingZoo meet it."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test

from arcade.games.house import volley_rules as rules
from arcade.games.house.volley import env, parallel_env

JUMP = rules.ACTION_NAMES.index("jump")


def play_randomly(game, *, seed, ticks):
    """Everything that `ticks` ticks of random play return."""
    dice, story = np.random.default_rng(seed), [game.reset(seed=seed)]
    for _ in range(ticks):
        if not game.agents:
            story.append(game.reset())
        story.append(game.step({agent: int(dice.integers(6)) for agent in game.agents}))
    return story


@pytest.mark.parametrize("team_size", [1, 2])
def test_pettingzoo_api(team_size):
    parallel_api_test(parallel_env(team_size=team_size), num_cycles=700)


def test_pettingzoo_api_across_the_end_of_a_game():
    parallel_api_test(parallel_env(max_ticks=120), num_cycles=400)


def test_pettingzoo_seeds():
    parallel_seed_test(parallel_env, num_cycles=300)


def test_pettingzoo_render():
    render_test(env)


def test_pettingzoo_api_one_agent_at_a_time():
    api_test(env(), num_cycles=200)


@pytest.mark.parametrize("team_size", [1, 2])
def test_a_seed_fixes_everything(team_size):
    first, second = (play_randomly(parallel_env(team_size=team_size), seed=5, ticks=700) for _ in range(2))
    np.testing.assert_equal(first, second)


def test_other_seeds_serve_otherwise():
    game = parallel_env()
    serves = {tuple(game.reset(seed=seed)[0]["left_0"][4:6].tolist()) for seed in range(20)}
    assert len(serves) == 20
    assert {x > 0 for x, _ in serves} == {True, False}, "both sides serve first now and then"


def test_without_a_seed_every_game_is_another():
    game = parallel_env()
    serves = [game.reset(seed=1)[0]] + [game.reset()[0] for _ in range(5)]
    assert len({tuple(seen["left_0"].tolist()) for seen in serves}) == 6


def test_a_point_rewards_one_team_and_costs_the_other():
    game = parallel_env(team_size=2)
    game.reset(seed=2)
    for _ in range(400):
        _, rewards, _, _, infos = game.step(dict.fromkeys(game.agents, 0))
        if any(rewards.values()):
            break
    assert rewards["left_0"] == rewards["left_1"] == -rewards["right_0"] == -rewards["right_1"]
    assert infos["left_0"]["event"] == "point"
    assert infos["left_0"]["score"] == ((1, 0) if rewards["left_0"] > 0 else (0, 1))


def test_the_game_ends_at_its_points():
    game = parallel_env(points=2)
    game.reset(seed=3)
    total = 0.0
    while game.agents:
        _, rewards, terminations, truncations, infos = game.step(dict.fromkeys(game.agents, 0))
        total += rewards["left_0"]
    assert all(terminations.values())
    assert not any(truncations.values())
    left, right = infos["left_0"]["score"]
    assert max(left, right) == 2
    assert total == left - right
    assert game.step({}) == ({}, {}, {}, {}, {})


def test_the_game_ends_at_its_ticks():
    game = parallel_env(max_ticks=30)
    game.reset(seed=3)
    for tick in range(30):
        assert game.agents, f"over already at tick {tick}"
        _, _, terminations, truncations, _ = game.step(dict.fromkeys(game.agents, 0))
    assert all(truncations.values())
    assert not any(terminations.values())
    assert not game.agents


@pytest.mark.parametrize("agent", ["left_0", "right_0"])
def test_players_move_as_they_see_the_court(agent):
    game = parallel_env()
    before = game.reset(seed=0)[0][agent]
    for name, sign in (("right", 1), ("left", -1)):
        for _ in range(20):
            after = game.step({a: rules.ACTION_NAMES.index(name) if a == agent else 0 for a in game.agents})[0][agent]
        assert np.sign(after[0] - before[0]) == np.sign(after[2]) == sign
        before = after


def test_players_stay_on_their_side_and_jump_over_the_height_of_the_net():
    game = parallel_env()
    game.reset(seed=0)
    seen = [game.step(dict.fromkeys(game.agents, 2 + 3))[0] for _ in range(150)]
    own_x = np.array([[tick[agent][0] for agent in game.agents] for tick in seen]) / rules.POSITION_SCALE
    own_y = np.array([tick["left_0"][1] for tick in seen]) / rules.POSITION_SCALE
    assert own_x.max() <= -rules.NET_RADIUS - rules.PLAYER_RADIUS + 1e-5
    assert own_y.min() >= rules.PLAYER_RADIUS - 1e-6
    assert own_y.max() > rules.NET_TOP


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"team_size": 3}, "expected team_size 1 or 2, got: 3"),
        ({"max_ticks": 0}, "expected max_ticks a whole number of at least 1, got: 0"),
        ({"points": 2.5}, "expected points a whole number of at least 1, got: 2.5"),
        ({"render_mode": "ansi"}, "expected render_mode None, 'rgb_array' or 'human', got: 'ansi'"),
    ],
)
def test_impossible_settings_are_refused(settings, word):
    with pytest.raises(ValueError, match=word):
        parallel_env(**settings)


def test_a_wrong_action_is_named():
    game = parallel_env()
    game.reset(seed=0)
    with pytest.raises(ValueError, match="expected 0 <= action < 6, got: 6"):
        game.step({"left_0": 6, "right_0": 0})
    with pytest.raises(ValueError, match="got none for: right_0"):
        game.step({"left_0": 0})


def test_the_picture_shows_what_happens():
    game = parallel_env(render_mode="rgb_array")
    game.reset(seed=4)
    frames = [game.render()]
    for _ in range(60):
        game.step(dict.fromkeys(game.agents, JUMP))
        frames.append(game.render())
    assert all(frame.shape == (540, 960, 3) and frame.dtype == np.uint8 for frame in frames)
    assert all((a != b).any() for a, b in pairwise(frames[45:])), "the ball flies"
    before, after = frames[0].astype(int), frames[50].astype(int)
    for half in (slice(0, 480), slice(480, 960)):
        assert np.abs(before[:, half] - after[:, half]).sum() > 0, "both players jumped"
    assert not np.shares_memory(frames[0], frames[1])


def test_the_picture_changes_with_the_score():
    game = parallel_env(render_mode="rgb_array", points=1)
    game.reset(seed=4)
    top = game.render()[:100, 300:660]
    while game.agents:
        game.step(dict.fromkeys(game.agents, 0))
    after = game.render()
    assert (after[:100, 300:660] != top).any()
    game.close()
    game.close()


def test_frames_need_no_display_and_a_window_needs_one():
    script = """
import pygame
from arcade.games.house.volley import parallel_env
game = parallel_env(render_mode="rgb_array")
game.reset(seed=0)
game.render()
game.close()
assert not pygame.display.get_init(), "a display was opened for a picture"
game = parallel_env(render_mode="human")
game.reset(seed=0)
game.step({"left_0": 0, "right_0": 0})
assert pygame.display.get_surface().get_size() == (960, 540)
game.close()
assert not pygame.display.get_init()
"""
    surroundings = {**os.environ, "SDL_VIDEODRIVER": "dummy"}
    done = subprocess.run([sys.executable, "-c", script], env=surroundings, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
