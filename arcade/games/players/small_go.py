"""A player of Go, 9 by 9: Monte Carlo tree search on OpenSpiel's board, with games at random that fill no eyes, and
answer the last move where that makes a known pattern.

Moves that win wherever in a game they come are tried first (RAVE: Gelly and Silver 2007, Combining Online and Offline
Knowledge in UCT), and so are those that the player of the large board would choose.
"""

from __future__ import annotations

import math
import random
import time
from functools import cache
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from agents.engines.komi import komi_of
from arcade.games.players import go
from arcade.games.players.budget import LONGEST_MOVE
from arcade.games.players.go_patterns import ALL_ONES, BORDER, CIRCLE, known_patterns
from arcade.games.players.mistakes import BEGINNER, level_now

SIMULATIONS = {BEGINNER: 3, "easy": 12, "normal": 80, "hard": 500, "expert": 5000}
"""Games at random for a move, by level; the most take about four seconds."""

LONGEST = 3
"""Turns of a game at random, as a multiple of the board's points."""

BIAS = 0.01
"""How much sooner values by RAVE give way to those by visits."""
EXPLORATION = 0.05
PRIOR = 12.0
"""Visits that what a move promises counts for."""
PROMISED_AFTER = 12
"""Visits of a position after which it is worked out what its moves promise: that takes as long as ten games."""

_EMPTY = -1  # a stone is the number of its player: 0 black, 1 white

Stones = list[int]
"""By OpenSpiel's points: row by row from below."""


def play(
    observation: NDArray[Any], action_mask: Any, rng: np.random.Generator, *, level: str = "expert", mistakes: float = 0
) -> int:
    """Return the point to play, 0 at the top left, or the pass, for an observation (size, size, 17)."""
    board = go.board_of(observation)
    passes = board.size**2
    if go.is_passed(observation) and go.is_ahead(board, observation):
        return passes  # agree that it is over
    shape, side = shape_of(board.size), int(observation[0, 0, 16])  # plane 16: white is to move
    search = Search(shape, _state(shape, board, side), random.Random(int(rng.integers(2**32))))
    search.look(SIMULATIONS[level_now(level, mistakes, rng)])
    for move in search.ranked():
        action = shape.flipped(move)
        if action_mask[action]:
            return action
    return int(rng.choice(np.flatnonzero(action_mask)))


class Shape:
    """The points of a board, their neighbours, and OpenSpiel's game on it."""

    def __init__(self, size: int) -> None:
        self.size, self.points = size, size * size
        self.near = [self._at(point, ((-1, 0), (1, 0), (0, -1), (0, 1))) for point in range(self.points)]
        self.around = [self._around(point) for point in range(self.points)]
        self.corners = [self._at(point, ((-1, -1), (-1, 1), (1, -1), (1, 1))) for point in range(self.points)]
        longest = (LONGEST + 4) * self.points  # the moves that set up a board count too
        settings = {"board_size": size, "komi": komi_of(size), "max_game_length": longest}
        self.game = pyspiel.load_game("go", settings)

    def flipped(self, point: int) -> int:
        """The point counted from the top for one from below, or the other way round; a pass is a pass."""
        row, column = divmod(point, self.size)
        return point if row == self.size else (self.size - 1 - row) * self.size + column

    def is_eye(self, stones: Stones, point: int, side: int) -> bool:
        """Whether own stones are all around it and on most corners."""
        for near in self.near[point]:
            if stones[near] != side:
                return False
        corners, lost = self.corners[point], 0
        for corner in corners:
            lost += stones[corner] == 1 - side
        return lost < (1 if len(corners) < 4 else 2)

    def pattern_move(self, stones: Stones, last: int, draw: Any) -> int:
        """A point beside the stone just played that makes a known pattern, -1 for none."""
        around, is_known = self.around, known_patterns()
        beside = around[last]
        first = int(draw() * 8)
        for place in range(first, first + 8):
            point = beside[place & 7]
            if stones[point] == _EMPTY:
                a, b, c, d, e, f, g, h = around[point]
                high = 64 * stones[a] + 16 * stones[b] + 4 * stones[c] + stones[d]
                if is_known[256 * high + 64 * stones[e] + 16 * stones[f] + 4 * stones[g] + stones[h] + ALL_ONES]:
                    return point
        return -1

    def _around(self, point: int) -> tuple[int, ...]:
        """The eight points around, in a circle; `points` for those off the board."""
        row, column = divmod(point, self.size)
        places = [(row + down, column + right) for down, right in CIRCLE]
        return tuple(r * self.size + c if 0 <= r < self.size and 0 <= c < self.size else self.points for r, c in places)

    def _at(self, point: int, steps: tuple[tuple[int, int], ...]) -> list[int]:
        row, column = divmod(point, self.size)
        places = ((row + down, column + right) for down, right in steps)
        return [r * self.size + c for r, c in places if 0 <= r < self.size and 0 <= c < self.size]


@cache
def shape_of(size: int) -> Shape:
    """The board of a size."""
    return Shape(size)


class Node:
    """A position; of each move the visits and wins of the side to move, and those where the move came later."""

    __slots__ = ("children", "is_promised", "late_visits", "late_wins", "moves", "place", "total", "visits", "wins")

    def __init__(self, moves: list[int], passes: int) -> None:
        self.moves = moves
        self.place = {move: place for place, move in enumerate(moves)}
        self.visits, self.wins = np.zeros(len(moves)), np.zeros(len(moves))
        self.late_visits, self.late_wins = np.full(len(moves), PRIOR), np.full(len(moves), PRIOR / 2)
        self.late_wins[self.place[passes]] = PRIOR / 10
        self.children: dict[int, Node] = {}
        self.total, self.is_promised = 0, False

    def choose(self) -> int:
        """The place of the move to look at next."""
        visits, late = self.visits, self.late_visits
        share = late / (late + visits + BIAS * late * visits)
        worth = (1 - share) * self.wins / np.maximum(visits, 1) + share * self.late_wins / late
        return int((worth + EXPLORATION * np.sqrt(math.log(self.total + 1) / (visits + 1))).argmax())

    def add(self, place: int, side: int, firsts: Stones, won: float) -> None:
        """Count a game after a move, in which `firsts` says whose the first stone on each point was."""
        self.visits[place] += 1
        self.wins[place] += won
        self.total += 1
        later = [self.place[point] for point, first in enumerate(firsts) if first == side and point in self.place]
        self.late_visits[later] += 1
        self.late_wins[later] += won


class Search:
    """Grows a tree from one position."""

    def __init__(self, shape: Shape, state: Any, rng: random.Random) -> None:
        self._shape, self._state, self._rng = shape, state, rng
        self.root = self._node(state, _stones(shape, state))

    def look(self, games: int) -> None:
        """Play so many games from the position, fewer where they take long."""
        end = time.monotonic() + LONGEST_MOVE
        for _ in range(games):
            self._look()
            if time.monotonic() > end:
                return

    def ranked(self) -> list[int]:
        """The moves, those with the most visits first."""
        return [self.root.moves[place] for place in np.argsort(-self.root.visits, kind="stable")]

    def _look(self) -> None:
        state, node = self._state.clone(), self.root
        path: list[tuple[Node, int, int]] = []
        firsts = [_EMPTY] * self._shape.points
        while not state.is_terminal():
            if node.total >= PROMISED_AFTER and not node.is_promised:
                self._promise(node, state)
            place, side = node.choose(), state.current_player()
            path.append((node, place, side))
            state.apply_action(node.moves[place])
            if (child := node.children.get(place)) is None:
                if not state.is_terminal():
                    stones = _stones(self._shape, state)
                    node.children[place] = self._node(state, stones)
                    self._play_out(state, stones, firsts)
                break
            node = child
        won = 0.5 + 0.5 * state.returns()[0] if state.is_terminal() else 0.5
        for node, place, side in reversed(path):
            if (move := node.moves[place]) < self._shape.points:
                firsts[move] = side
            node.add(place, side, firsts, won if side == 0 else 1 - won)

    def _node(self, state: Any, stones: Stones) -> Node:
        side, passes = state.current_player(), self._shape.points
        is_eye = self._shape.is_eye
        return Node(
            [move for move in state.legal_actions() if move == passes or not is_eye(stones, move, side)], passes
        )

    def _promise(self, node: Node, state: Any) -> None:
        """Let the tactics of the large board's player count as some visits."""
        node.is_promised = True
        board = _board(self._shape, _stones(self._shape, state), state.current_player())
        for place, move in enumerate(node.moves):
            if move < self._shape.points:
                worth = go.worth_of(board, self._shape.flipped(move), "hard")
                node.late_wins[place] += PRIOR * (0.45 * worth / (worth + 4) - 0.12 if worth > 0 else -0.35)

    def _play_out(self, state: Any, stones: Stones, firsts: Stones) -> None:
        """Play at random to the end, without filling own eyes; written for speed, a turn takes microseconds."""
        draw, is_eye, near, passes = self._rng.random, self._shape.is_eye, self._shape.near, self._shape.points
        pattern_move, side, last = self._shape.pattern_move, state.current_player(), passes
        stones.append(BORDER)
        for _ in range(LONGEST * passes):
            moves = state.legal_actions()
            left, move = len(moves) - 1, passes  # the pass is the last of them
            for place in range(left):
                stones[moves[place]] = _EMPTY  # where stones were taken
            if last < passes and (found := pattern_move(stones, last, draw)) >= 0 and found in moves:
                left, move = 0, found
            while left:
                place = int(draw() * left)
                found = moves[place]
                if stones[near[found][0]] != side or not is_eye(stones, found, side):
                    move = found
                    break
                left -= 1
                moves[place] = moves[left]
            state.apply_action(move)
            if state.is_terminal():
                return
            last = move
            if move < passes:
                stones[move] = side
                if firsts[move] == _EMPTY:
                    firsts[move] = side
            side = 1 - side


def _state(shape: Shape, board: go.Board, side: int) -> Any:
    """OpenSpiel's state with these stones, as seen by the side to move.

    Stones in any order take nothing on the way to a position in which all have liberties.
    """
    own, other = (
        [shape.flipped(point) for point in range(shape.points) if board.points[go.point_at(point, shape.size)] == kind]
        for kind in (go.OWN, go.OTHER)
    )
    black, white = (own, other) if side == 0 else (other, own)
    state = shape.game.new_initial_state()
    if side == 1:
        state.apply_action(black.pop() if black else shape.points)
    first, second = (black, white) if side == 0 else (white, black)
    while first or second:  # a pass each only where the other has a stone: two in a row end the game
        for stones in (first, second):
            state.apply_action(stones.pop() if stones else shape.points)
    return state


def _stones(shape: Shape, state: Any) -> Stones:
    """The stones on OpenSpiel's board, which it shows as text with the top row first."""
    rows = [line[-shape.size :] for line in str(state).split("\n") if line[:2].strip().isdigit()]
    return [{"X": 0, "O": 1}.get(letter, _EMPTY) for row in reversed(rows) for letter in row]


def _board(shape: Shape, stones: Stones, side: int) -> go.Board:
    """The board as the player of the large one sees it."""
    board = go.empty_board(shape.size)
    for point, stone in enumerate(stones):
        if stone != _EMPTY:
            board.points[go.point_at(shape.flipped(point), shape.size)] = go.OWN if stone == side else go.OTHER
    return board
