"""Entombed's scripted player: where it goes when a zombie bars the way down."""

from __future__ import annotations

import numpy as np
import pytest

from arcade.games import find_game
from arcade.games.players.atari.entombed import EntombedPlay, Foe, Square
from arcade.games.players.atari.play import decide_by, read_scene
from arcade.games.players.atari.skill import SKILLS

OWN_X, FOE_X, FOE_Y = 0x32, 0x56, 0x53  # addresses in the console's memory
FIRST = 0  # the line where the topmost row of squares begins
CORRIDOR = ["#.#"] * 12
DEAD_END = ["#.#"] * 4 + ["###"] * 8
SIDE_WAY = ["#.#"] * 3 + ["#.."] + ["#.#"] * 2 + ["###"] * 6


def way(drawn: list[str], start: Square, foe: Square | None) -> list[Square]:
    maze = np.zeros((len(drawn), 20), bool)
    for row, squares in enumerate(drawn):
        maze[row, : len(squares)] = [square == "." for square in squares]
    at: Foe | None = None if foe is None else (foe[0] * 8 + 4, foe[1] * 16 + 8.0)
    player = EntombedPlay(0, np.random.default_rng(1), SKILLS["expert"])
    return player._way(maze, start, at, FIRST)


def test_it_goes_all_the_way_down_where_nothing_bars_it() -> None:
    assert way(CORRIDOR, (1, 3), None) == [(1, row) for row in range(3, 12)]


def test_it_flees_from_a_zombie_below_and_not_through_it() -> None:
    assert way(CORRIDOR, (1, 3), (1, 5)) == [(1, 3), (1, 2), (1, 1), (1, 0)]


def test_it_runs_ahead_of_a_zombie_that_comes_from_above() -> None:
    assert way(CORRIDOR, (1, 3), (1, 1))[:3] == [(1, 3), (1, 4), (1, 5)]


@pytest.mark.parametrize("foe", [None, (15, 9)])
def test_it_stays_at_a_wall_to_be_broken_while_the_zombie_is_far(foe: Square | None) -> None:
    assert way(DEAD_END, (1, 3), foe) == [(1, 3)]


def test_it_leaves_a_dead_end_that_a_zombie_enters() -> None:
    assert way(SIDE_WAY, (1, 5), (1, 5))[-1] == (1, 0)


def test_a_figure_that_is_moved_out_of_the_picture_stops_no_match() -> None:
    """As the console does with one that has lost a life."""
    spec = find_game("atari/entombed_competitive_v3")
    env = spec.make()
    env.reset(seed=1)
    seen = read_scene(env)["first_0"].copy()
    env.close()
    seen[[OWN_X, FOE_X, FOE_Y]] = 255, 80, 150
    player = decide_by(EntombedPlay(0, np.random.default_rng(1), SKILLS["expert"]), spec.names_of("first_0"), 60)
    for _ in range(40):
        assert spec.names_of("first_0")[player(seen, None)]
