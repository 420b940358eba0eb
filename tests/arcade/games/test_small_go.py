"""Go on 9 by 9: its rules, its player, and the engines that play it."""

from __future__ import annotations

import random
import sys
from typing import Any

import numpy as np
import pytest
from pettingzoo.classic import go_v5

import arcade
from agents.engines.komi import komi_of
from agents.seats.controller import LEVELS
from arcade.games import find_game
from arcade.games.players import go, small_go

SMALL = find_game("go_9x9")
PASS = 81
BLACK, WHITE = "black_0", "white_0"


def after(*moves: int) -> Any:
    env = SMALL.make()
    env.reset(seed=0)
    for move in moves:
        env.step(move)
    return env


def choose(env: Any, *, level: str = "hard", seed: int = 0) -> int:
    seen = env.observe(env.agent_selection)
    return small_go.play(seen["observation"], seen["action_mask"], np.random.default_rng(seed), level=level)


def test_a_tie_by_the_area_and_komi_is_a_draw() -> None:
    """Black has five columns of nine, 45 points, and White 36 and 7 of komi; one point less for Black is a tie."""
    env = after()
    board = env.unwrapped._go.board
    board[:, :5], board[:, 5:] = 1, -1
    assert env.unwrapped._go.score() == 2.0
    board[0, 4] = 0  # touches both: nobody's
    board[1, 4] = 0
    for _ in range(2):
        env.step(PASS)
    assert env.unwrapped._go.score() == 0.0
    assert env.rewards == {BLACK: 0, WHITE: 0}


def test_boards_of_two_sizes_are_played_in_one_process() -> None:
    small = after()
    large = go_v5.env()
    large.reset(seed=0)
    large.step(360)
    small.step(80)
    small.reset(seed=0)
    small.step(8)
    assert small.observe(WHITE)["action_mask"].sum() == 81  # 80 points and the pass


def test_the_komi_that_players_reckon_with_is_that_of_the_games() -> None:
    for spec in (SMALL, find_game("classic/go_v5")):
        env = spec.make()
        env.reset(seed=0)
        assert komi_of(env.unwrapped._N) == env.unwrapped._komi


@pytest.mark.parametrize("level", LEVELS[1:])
@pytest.mark.parametrize("side", [0, 1])
def test_it_takes_what_would_take_its_own(side: int, level: str) -> None:
    """The upper half has one liberty left, in its corner, and the lower one too: who is to move takes all."""
    upper = np.zeros((9, 9), bool)
    upper[:4] = upper[4, :5] = True
    lower = ~upper
    upper[0, 2] = lower[8, 6] = False
    board = np.zeros((9, 9, 17), bool)
    board[:, :, 0], board[:, :, 1], board[:, :, 16] = upper, lower, side
    mask = np.zeros(PASS + 1, np.int8)
    mask[[2, 78, PASS]] = 1
    assert small_go.play(board, mask, np.random.default_rng(0), level=level) == 2


@pytest.mark.parametrize("seed", range(8))
def test_any_position_is_set_up_as_it_is(seed: int) -> None:
    """With the side to move, and as many moves to play, whoever has more stones."""
    env, rng = after(), np.random.default_rng(seed)
    for _ in range(10 * seed):
        mask = env.observe(env.agent_selection)["action_mask"].copy()
        mask[PASS] = 0
        if rng.random() < 0.3 or not mask.any():
            mask = np.eye(PASS + 1, dtype=int)[PASS]
        env.step(int(rng.choice(np.flatnonzero(mask))))
        if env.terminations[BLACK]:
            break
    seen = env.observe(env.agent_selection)["observation"]
    side = int(seen[0, 0, 16])
    shape = small_go.shape_of(9)
    state = small_go._state(shape, go.board_of(seen), side)
    stones = np.array(small_go._stones(shape, state)).reshape(9, 9)[::-1]
    assert np.array_equal(np.choose(stones + 1, [0, 1, -1]), env.unwrapped._go.board)
    assert env.terminations[BLACK] or state.current_player() == side


def test_it_passes_once_it_is_ahead_and_the_other_has_passed() -> None:
    board = np.zeros((9, 9, 17), bool)
    board[:, 4, 1] = board[:, 4, 2] = True  # own stones
    board[0, 0, 0] = board[0, 0, 3] = True  # the other's, now and before
    assert small_go.play(board, np.ones(PASS + 1, np.int8), np.random.default_rng(0), level="easy") == PASS


def test_every_level_beats_random_moves() -> None:
    for place, level in enumerate(LEVELS[:3]):
        seats = {BLACK: f"level:{level}", WHITE: "random"}
        if place % 2:
            seats = {BLACK: "random", WHITE: f"level:{level}"}
        found = arcade.evaluate(SMALL.id, seats, episodes=1, seed=place, swap=False, workers=1)
        won = {seat["seat"]: seat["return"]["mean"] > 0 for seat in found["seats"]}
        assert won == {seat: word != "random" for seat, word in seats.items()}


def stones_of(*rows: str) -> list[int]:
    """Stones by points from below; X is Black's, O White's."""
    return [{"X": 0, "O": 1}.get(mark, -1) for row in reversed(rows) for mark in row.ljust(9, ".")]


def point(column: int, row: int) -> int:
    """From the left and from below, from 0."""
    return 9 * row + column


def test_games_at_random_make_patterns_beside_the_last_stone() -> None:
    shape = small_go.shape_of(9)
    hane = [*stones_of(*[""] * 4, "...XOX", *[""] * 4), small_go.BORDER]
    found = {shape.pattern_move(hane, point(4, 4), lambda first=first: first / 8) for first in range(8)}
    assert found == {point(column, row) for column in (3, 4, 5) for row in (3, 5)}
    alone = [*stones_of(*[""] * 4, "....O", *[""] * 4), small_go.BORDER]
    assert shape.pattern_move(alone, point(4, 4), lambda: 0.0) == -1


def test_engines_are_told_the_size_and_the_komi(tmp_path: Any) -> None:
    """A program that speaks GTP and passes is asked for a game of nine lines and seven points."""
    said = tmp_path / "said"
    engine = tmp_path / "engine.py"
    engine.write_text(
        "import sys\n"
        f"with open({str(said)!r}, 'w') as log:\n"
        "    for line in sys.stdin:\n"
        "        print(line, end='', file=log, flush=True)\n"
        "        print('= pass\\n' if line.startswith('genmove') else '= \\n', flush=True)\n"
    )
    seats = {BLACK: f"gtp:{sys.executable} {engine}", WHITE: f"gtp:{sys.executable} {engine}"}
    arcade.play(SMALL.id, seats, seed=1)
    words = said.read_text().splitlines()
    assert "boardsize 9" in words
    assert "komi 7" in words


def test_a_search_ends_early_where_it_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small_go, "LONGEST_MOVE", 0.0)
    search = small_go.Search(small_go.shape_of(9), small_go.shape_of(9).game.new_initial_state(), random.Random(0))
    search.look(3000)
    assert search.root.total == 1
