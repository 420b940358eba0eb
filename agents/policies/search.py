"""SearchTree: Monte Carlo tree search with a policy and a value, for two sides that take turns and hide nothing.

Selection is PUCT with the exploration of AlphaZero (Silver et al. 2018, A general reinforcement learning algorithm that
masters chess, shogi, and Go, supplement "Search"); actions without a visit count as worth what their position is worth,
as in Leela Chess Zero.  Leaves are evaluated in batches; those on the way count as lost until then ("virtual loss",
Chaslot et al. 2008, Parallel Monte-Carlo Tree Search).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

C_BASE, C_INIT = 19_652.0, 1.25
NEAR = 0.9
"""Of the most visits: actions with as many are as good, and one of them is drawn, so that no two games are alike."""


@dataclass(slots=True, eq=False)
class Position:
    """A position of the game: the side to move and its legal actions, or the result."""

    side: int  # 0 or 1
    actions: NDArray[np.intp]  # legal ones, () at the end
    result: float = 0.0  # at the end: 1 where side 0 has won, -1 where side 1 has, 0 for a draw
    seen: Any = None  # what the evaluation needs
    state: Any = None  # what the game needs to play on from here

    @property
    def over(self) -> bool:
        return not len(self.actions)


Evaluate = Callable[[Sequence[Position]], list[tuple[NDArray[np.float32], float]]]
"""Positions that are not over → for each the share of its actions, in their order, and its value for the side to move,
-1 to 1."""


class Game(Protocol):
    """A game that can be played on from any position."""

    def play(self, position: Position, action: int) -> Position:
        """The position after a legal action."""


@dataclass(slots=True, eq=False)
class Node:
    """A position whose actions have been evaluated."""

    position: Position
    shares: NDArray[np.float32]
    value: float  # for the side to move, as evaluated
    visits: NDArray[np.int64] = field(init=False)
    totals: NDArray[np.float64] = field(init=False)  # of the values after each action, for the side to move
    children: dict[int, Node | Position] = field(
        default_factory=dict
    )  # by place among the actions; the end as position

    def __post_init__(self) -> None:
        count = len(self.position.actions)
        self.visits, self.totals = np.zeros(count, np.int64), np.zeros(count)

    def choose(self) -> int:
        """The place of the action to look at next."""
        visited = self.visits.sum()
        worth = np.where(self.visits > 0, self.totals / np.maximum(self.visits, 1), self.value)
        exploration = math.log((visited + C_BASE + 1) / C_BASE) + C_INIT
        bonus = exploration * math.sqrt(visited + 1) * self.shares / (1 + self.visits)
        return int(np.argmax(worth + bonus))

    def add(self, place: int, visits: int, value: float) -> None:
        """Count visits whose values add up to `value`, for side 0."""
        self.visits[place] += visits
        self.totals[place] += value if self.position.side == 0 else -value


_Path = list[tuple[Node, int]]


class SearchTree:
    """Searches one position; `moved` keeps what is known of the positions after it."""

    def __init__(self, game: Game, evaluate: Evaluate, root: Position, *, batch: int = 8) -> None:
        self._game, self._evaluate, self._batch = game, evaluate, batch
        self.root = self._expand([root])[0]

    def search(self, simulations: int, *, is_time_left: Callable[[], bool] = lambda: True) -> None:
        """Look at positions until the root has as many visits, those of earlier searches included."""
        while (left := simulations - int(self.root.visits.sum())) > 0 and is_time_left():
            self._look(min(left, self._batch))

    def pick(self, rng: np.random.Generator) -> int:
        """One of the actions with the most visits."""
        visits = self.root.visits
        if not visits.any():
            return int(self.root.position.actions[int(np.argmax(self.root.shares))])
        return int(rng.choice(self.root.position.actions[visits >= NEAR * visits.max()]))

    def moved(self, action: int) -> bool:
        """Move the root to the position after a legal action; False where it has not been evaluated."""
        place = np.flatnonzero(self.root.position.actions == action)
        child = self.root.children.get(int(place[0])) if len(place) else None
        if not isinstance(child, Node):
            return False
        self.root = child
        return True

    @property
    def value(self) -> float:
        """What the root is worth to the side to move, as searched."""
        visits = self.root.visits.sum()
        return float(self.root.totals.sum() / visits) if visits else self.root.value

    @property
    def line(self) -> list[int]:
        """The actions with the most visits, one after the other."""
        line: list[int] = []
        node: Node | Position | None = self.root
        while isinstance(node, Node) and node.visits.any():
            best = int(np.argmax(node.visits))
            line.append(int(node.position.actions[best]))
            node = node.children.get(best)
        return line

    def _look(self, count: int) -> None:
        """Evaluate up to that many new positions together."""
        paths: list[_Path] = []
        leaves: dict[tuple[int, int], Position] = {}  # by their parent and place in it
        for _ in range(count):
            path, leaf = self._descend(leaves)
            node, place = path[-1]
            if leaf.over:
                node.children[place] = leaf
                self._credit(path, leaf.result)
            elif (id(node), place) in leaves:
                break  # the tree is too small to look at more positions at once
            else:
                leaves[id(node), place] = leaf
                paths.append(path)
                for one, taken in path:
                    one.add(taken, 1, -1.0 if one.position.side == 0 else 1.0)
        for path, child in zip(paths, self._expand(list(leaves.values())), strict=True):
            node, place = path[-1]
            node.children[place] = child
            for one, taken in path:
                one.add(taken, -1, 1.0 if one.position.side == 0 else -1.0)
            self._credit(path, child.value if child.position.side == 0 else -child.value)

    def _descend(self, leaves: dict[tuple[int, int], Position]) -> tuple[_Path, Position]:
        """The way from the root to a position that is not in the tree, or to an end."""
        node, path = self.root, _Path()
        while True:
            place = node.choose()
            path.append((node, place))
            child = node.children.get(place)
            if child is None:
                waiting = leaves.get((id(node), place))
                return path, waiting or self._game.play(node.position, int(node.position.actions[place]))
            if isinstance(child, Position):
                return path, child
            node = child

    @staticmethod
    def _credit(path: _Path, value: float) -> None:
        for node, place in path:
            node.add(place, 1, value)

    def _expand(self, positions: Sequence[Position]) -> list[Node]:
        if not positions:
            return []
        found = self._evaluate(positions)
        return [Node(position, *one) for position, one in zip(positions, found, strict=True)]
