"""The player of Go: takes what is in atari, saves its own, and lets a game end."""

from __future__ import annotations

import numpy as np
from pettingzoo.classic import go_v5

from agents.seats.controller import LEVELS
from arcade.games.players import go

SIZE = 9
PASS = SIZE * SIZE


def after(*moves: int) -> dict[str, np.ndarray]:
    env = go_v5.env(board_size=SIZE)
    env.reset(seed=0)
    for move in moves:
        env.step(move)
    return env.observe(env.agent_selection)


def move(seen: dict[str, np.ndarray], level: str = "expert", seed: int = 0) -> int:
    return go.play(seen["observation"], seen["action_mask"], np.random.default_rng(seed), level=level)


def test_it_takes_a_stone_in_atari() -> None:
    seen = after(39, 40, 41, 10, 31, 20)  # black around the white stone at 40, but for 49
    assert all(move(seen, level) == 49 for level in ("hard", "expert"))


def test_it_saves_its_own_stone() -> None:
    seen = after(40, 39, 10, 41, 20, 31)
    assert move(seen) == 49


def test_it_passes_when_nothing_is_left_and_the_other_passed() -> None:
    board = np.zeros((SIZE, SIZE, 17), bool)
    full = np.ones((SIZE, SIZE), bool)
    full[0, 0] = full[4, 4] = False
    board[:, :, 1] = board[:, :, 2] = full  # own stones all over but for two eyes
    mask = np.zeros(PASS + 1, np.int8)
    mask[[0, 4 * SIZE + 4, PASS]] = 1
    assert all(go.play(board, mask, np.random.default_rng(0), level=level) == PASS for level in LEVELS)


def test_every_level_beats_random_moves() -> None:
    for place, level in enumerate(LEVELS):
        env = go_v5.env(board_size=SIZE)
        env.reset(seed=1)
        rng, rewards = np.random.default_rng(1), {}
        for agent in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                rewards = rewards or dict(env.rewards)
                env.step(None)
                continue
            own = env.possible_agents.index(agent) == place % 2
            mask = seen["action_mask"]
            env.step(
                go.play(seen["observation"], mask, rng, level=level) if own else int(rng.choice(np.flatnonzero(mask)))
            )
        assert rewards[env.possible_agents[place % 2]] == 1, level
