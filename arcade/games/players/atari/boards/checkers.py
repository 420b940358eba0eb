"""A player of Video Checkers: searches some half-moves ahead, then carries the piece with the cursor."""

from __future__ import annotations

from collections import deque

import numpy as np

from arcade.games.players.atari.boards.checkers_rules import (
    SQUARES,
    WIN,
    Board,
    Move,
    after,
    is_square,
    legal_moves,
    value,
)
from arcade.games.players.atari.boards.thinking import Thought, Value
from arcade.games.players.atari.play import Memory, Play
from arcade.games.players.atari.skill import Skill

_CURSOR, _CARRIES, _TARGET, _TURN = 0x2B, 0x67, 0x69, 0x3B
_KEYS = {4: "up right", 5: "up left", -4: "down left", -5: "down right"}
_DEPTHS = ((0.9, 0), (0.5, 1), (0.2, 3))  # half-moves behind the own one, by the least error of the skill
_ASTRAY = 40  # how far a beginner misjudges a move
_POSITIONS, _TICKS = 60, 150  # searched in a tick, about 3 ms in Python, and ticks that a move takes at most
_ORANGE, _WHITE = 0x10, 0x90  # men; what kings have more is 0x10
_PRESS, _PAUSE = 4, 12  # ticks of a press of the button, and from one to the next
_PATIENCE = 400  # ticks until a move that the console refuses is given up


class CheckersPlay(Play):
    """Thinks a few positions a tick, then plays the first jump or step of its move."""

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._depth = next((depth for least, depth in _DEPTHS if skill.error > least), 64)
        self._board: Board | None = None
        self._thought: Thought[Move] | None = None
        self._since = self._tick = 0

    def decide(self, now: Memory, seen: Memory) -> str:
        self._tick += 1
        if (now[_TURN] >= _WHITE - _ORANGE) != bool(self.place):
            self._thought = None
            return "nothing"
        board = read_board(now, is_up=not self.place)
        if self._thought is None or board != self._board:
            self._board, self._thought, self._since = board, self._begin(board), self._tick
        if self._thought.goes_on(_POSITIONS) or not self._thought.ranked:
            self._since = self._tick
            return "nothing"
        if self._tick - self._since > _PATIENCE:
            self._thought.ranked.append(self._thought.ranked.pop(0))
            self._since = self._tick
        return self._carry(now, self._thought.ranked[0])

    def _begin(self, board: Board) -> Thought[Move]:
        errors = {move: 2 * float(self.rng.random()) + self.misjudged(_ASTRAY) for move in legal_moves(board)}

        def search(move: Move, depth: int, low: float, high: float) -> Value:
            return value(after(board, move), depth, low, high)

        return Thought(errors, search, depth=self._depth, ticks=_TICKS, win=WIN)

    def _carry(self, now: Memory, move: Move) -> str:
        start, end = move.start.bit_length() - 1, move.landing.bit_length() - 1
        if not now[_CARRIES]:
            return self._press() if now[_CURSOR] == start else self._walk(now[_CURSOR], start)
        if now[_CURSOR] != start:  # it carries another piece: put that down
            return self._press()
        step = end - start if abs(end - start) <= 5 else (end - start) // 2
        return self._press() if now[_TARGET] in (end, start + step) else _KEYS[step]

    def _press(self) -> str:
        return "fire" if self._tick % _PAUSE < _PRESS else "nothing"

    @staticmethod
    def _walk(start: int, goal: int) -> str:
        """The key of the first step of a shortest way of the cursor."""
        found, waiting = {goal: ""}, deque([goal])
        while waiting:
            at = waiting.popleft()
            for way, key in _KEYS.items():
                before = at - way
                if is_square(before) and before not in found:
                    found[before] = key
                    waiting.append(before)
        return found.get(start) or "nothing"


def read_board(memory: Memory, *, is_up: bool) -> Board:
    """The board for the side whose men play upwards, Orange, or for White."""
    pieces = [(1 << index, memory[index]) for index in range(SQUARES) if is_square(index)]
    white = sum(square for square, piece in pieces if piece >= _WHITE)
    orange = sum(square for square, piece in pieces if 0 < piece < _WHITE)
    kings = sum(square for square, piece in pieces if piece & 0x7F > _ORANGE)
    return Board(orange, white, kings, True) if is_up else Board(white, orange, kings, False)
