"""The batch of connect four, move for move beside PettingZoo's env."""

import numpy as np
import pytest

from arcade.games import find_game
from arcade.games.connect_four_batch import ConnectFourBatch
from arcade.match.stage.local import LocalStage

GAMES = 60
SPEC = find_game("classic/connect_four_v3")


def test_it_is_pettingzoos_game_to_the_last_move():
    """Random games in lock-step: who moves, what is seen, what is legal, who has won."""
    rng = np.random.default_rng(0)
    batch = ConnectFourBatch(GAMES)
    seen = batch.reset_games(np.arange(GAMES), np.arange(GAMES))
    stages = [LocalStage(SPEC) for _ in range(GAMES)]
    ticks = []
    for stage in stages:
        stage.reset(0)
        ticks.append(stage.wait())
    outcomes = set()
    while batch.acting.any():
        actions = np.zeros((GAMES, 2), np.int64)
        for game, tick in enumerate(ticks):
            acting = [SPEC.agents[seat] for seat in np.flatnonzero(batch.acting[game])]
            assert list(tick.acting) == acting
            for agent in acting:
                seat = SPEC.agents.index(agent)
                assert np.array_equal(seen[game, seat], tick.observations[agent])
                assert np.array_equal(batch.masks[game, seat], tick.action_masks[agent])
                actions[game, seat] = rng.choice(np.flatnonzero(batch.masks[game, seat]))
        before = batch.acting.any(axis=1)
        seen, rewards, terminated, truncated = batch.step(actions)
        for game in np.flatnonzero(before):
            mover = ticks[game].acting[0]
            stages[game].step({mover: int(actions[game, SPEC.agents.index(mover)])})
            ticks[game] = tick = stages[game].wait()
            assert rewards[game].tolist() == [tick.rewards[agent] for agent in SPEC.agents]
            assert terminated[game] == tick.over
            outcomes |= {tuple(rewards[game])} if tick.over else set()
        assert not rewards[~before].any()
        assert not truncated.any()
    assert outcomes >= {(1.0, -1.0), (-1.0, 1.0)}


@pytest.mark.parametrize(
    "moves",
    [
        [3, 0, 3, 0, 3, 0, 3],  # upwards
        [0, 0, 1, 1, 2, 2, 3],  # along
        [0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3],  # rising
        [6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3],  # falling
    ],
)
def test_four_in_a_row_win_in_every_direction(moves):
    batch = ConnectFourBatch(1)
    batch.reset_games(np.arange(1), [0])
    for i, column in enumerate(moves):
        _, rewards, terminated, _ = batch.step(np.full((1, 2), column))
        assert terminated[0] == (i == len(moves) - 1), i
    assert rewards.tolist() == [[1.0, -1.0]]


def test_a_full_board_is_a_draw():
    batch = ConnectFourBatch(1)
    batch.reset_games(np.arange(1), [0])
    columns = [
        0,
        1,
        0,
        1,
        1,
        0,
        1,
        0,
        0,
        1,
        0,
        1,
        2,
        3,
        2,
        3,
        3,
        2,
        3,
        2,
        2,
        3,
        2,
        3,
        4,
        5,
        4,
        5,
        5,
        4,
        5,
        4,
        4,
        5,
        4,
        5,
    ]
    columns += [6] * 6
    for column in columns:
        assert batch.acting.any()
        _, rewards, terminated, _ = batch.step(np.full((1, 2), column))
    assert terminated[0]
    assert not rewards.any()
    assert not batch.acting.any()


def test_a_full_column_takes_no_more():
    batch = ConnectFourBatch(1)
    batch.reset_games(np.arange(1), [0])
    for _ in range(6):
        batch.step(np.zeros((1, 2), np.int64))
    assert batch.masks[0].tolist() == [[0, 1, 1, 1, 1, 1, 1], [0] * 7]
    with pytest.raises(ValueError, match="columns with room"):
        batch.step(np.zeros((1, 2), np.int64))
