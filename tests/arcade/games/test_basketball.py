"""Basketball Pong's player knows how the ball flies, and scores by it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from arcade.games import find_game
from arcade.games.players.atari.basketball import BasketballPlay, ball_in
from arcade.games.players.atari.paddles import BALL_Y
from arcade.games.players.atari.play import decide_by, read_memory
from arcade.games.players.atari.skill import Skill

SPEC = find_game("atari/basketball_pong_v3")
NAMES = SPEC.names_of(SPEC.agents[0])


def memory(env: Any) -> list[int]:
    return [int(byte) for byte in read_memory(env)[SPEC.agents[0]]]


def test_it_sees_where_a_ball_comes_down() -> None:
    env = SPEC.make()
    env.reset(seed=1)
    idle, serve = (dict.fromkeys(SPEC.agents, NAMES.index(name)) for name in ("nothing", "fire"))
    while not memory(env)[BALL_Y]:
        env.step(serve)
    foreseen, hits = None, 0
    for _ in range(900):  # up and down on the paddle that it is over
        ball = ball_in(memory(env))
        end, scores = ball.fly()
        assert scores is None
        if ball == end:
            hits, foreseen = hits + 1, None
        else:
            assert foreseen in (None, end)
            foreseen = end
        env.step(idle)
    assert hits >= 10
    env.close()


@pytest.mark.parametrize("place", [0, 1])
def test_the_expert_scores_against_random_moves(place: int) -> None:
    env = SPEC.make()
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    play = decide_by(BasketballPlay(place, rng, Skill()), NAMES, SPEC.fps)
    mine, scored = SPEC.agents[place], 0
    for _ in range(6000):
        seen = read_memory(env)[mine]
        others = dict.fromkeys(SPEC.agents, int(rng.integers(len(NAMES))))
        rewards = env.step(others | {mine: play(seen, None)})[1]
        scored += int(rewards[mine])
    env.close()
    assert scored > 0
