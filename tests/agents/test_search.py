"""The search tree: it finds what wins, looks at as many positions as asked, and keeps what it knows between moves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from agents.policies.search import Position, SearchTree

# Nim with one heap: each side takes 1 to 3, and who takes the last one wins.  A heap of 4, 8, 12 ... loses.


def heap_of(position: Position) -> int:
    return int(position.state)


class Nim:
    """Counts the positions that were played."""

    def __init__(self) -> None:
        self.played = 0

    def start(self, heap: int, side: int = 0) -> Position:
        if heap == 0:
            return Position(side, np.zeros(0, np.intp), result=-1.0 if side == 0 else 1.0)  # the other took the last
        return Position(side, np.arange(1, min(heap, 3) + 1), state=heap)

    def play(self, position: Position, action: int) -> Position:
        self.played += 1
        return self.start(heap_of(position) - action, 1 - position.side)


def know_nothing(positions: Sequence[Position]) -> list[tuple[np.ndarray, float]]:
    return [(np.full(len(one.actions), 1 / len(one.actions), np.float32), 0.0) for one in positions]


@pytest.mark.parametrize("batch", [1, 8])
@pytest.mark.parametrize(("heap", "best"), [(5, 1), (6, 2), (7, 3), (9, 1), (11, 3)])
@pytest.mark.parametrize("side", [0, 1])
def test_a_search_finds_the_move_that_wins(heap: int, best: int, batch: int, side: int) -> None:
    game = Nim()
    tree = SearchTree(game, know_nothing, game.start(heap, side), batch=batch)
    tree.search(2000)
    assert tree.pick(np.random.default_rng(0)) == best
    assert tree.line[0] == best
    assert tree.value > 0.5


def test_a_lost_position_is_worth_what_it_is() -> None:
    game = Nim()
    tree = SearchTree(game, know_nothing, game.start(8))
    tree.search(4000)
    assert tree.value < -0.5


@pytest.mark.parametrize("batch", [1, 8, 64])
def test_a_search_looks_as_often_as_it_is_told(batch: int) -> None:
    game = Nim()
    tree = SearchTree(game, know_nothing, game.start(21), batch=batch)
    tree.search(100)
    assert tree.root.visits.sum() == 100
    tree.search(100)
    assert tree.root.visits.sum() == 100  # those of before count
    assert game.played <= 100


def test_a_search_ends_when_its_time_is_over() -> None:
    game, left = Nim(), iter([True, True, False])
    tree = SearchTree(game, know_nothing, game.start(21), batch=1)
    tree.search(1000, is_time_left=lambda: next(left))
    assert tree.root.visits.sum() == 2
    assert tree.pick(np.random.default_rng(0)) in (1, 2, 3)


def test_the_tree_goes_on_from_move_to_move() -> None:
    game = Nim()
    tree = SearchTree(game, know_nothing, game.start(21))
    tree.search(400)
    below = int(tree.root.children[0].visits.sum())  # type: ignore[union-attr]
    assert tree.moved(1)
    assert heap_of(tree.root.position) == 20
    assert tree.root.visits.sum() == below > 0
    assert not tree.moved(7)  # no such move


def test_a_policy_guides_the_search() -> None:
    def prefer_three(positions: Sequence[Position]) -> list[tuple[np.ndarray, float]]:
        return [(np.where(one.actions == 3, 0.98, 0.01).astype(np.float32), 0.0) for one in positions]

    game = Nim()
    tree = SearchTree(game, prefer_three, game.start(21), batch=1)
    tree.search(20)
    assert np.argmax(tree.root.visits) == 2
    bare = SearchTree(game, prefer_three, game.start(21))
    assert bare.pick(np.random.default_rng(0)) == 3  # without a search
