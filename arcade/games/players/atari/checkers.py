"""A player of Video Checkers: searches one move a tick, then carries the piece with the cursor."""

from __future__ import annotations

from collections import deque

import numpy as np

from arcade.games.players.atari.checkers_rules import (
    ORANGE,
    SQUARES,
    WHITE,
    Board,
    Move,
    after,
    is_square,
    legal_moves,
    value,
)
from arcade.games.players.atari.play import Memory, Play
from arcade.games.players.atari.skill import Skill

_CURSOR, _CARRIES, _TARGET, _TURN = 0x2B, 0x67, 0x69, 0x3B
_KEYS = {4: "up right", 5: "up left", -4: "down left", -5: "down right"}
_DEPTHS = ((0.9, 0), (0.5, 1), (0.2, 2))  # half-moves behind the own one, by the least error of the skill
_EXPERT_DEPTH = 4
_PRESS, _PAUSE = 4, 12  # ticks of a press of the button, and from one to the next
_PATIENCE = 400  # ticks until a move that the console refuses is given up


class CheckersPlay(Play):
    """Plays the best move found, the first square after another."""

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._side = (ORANGE, WHITE)[place]
        self._depth = next((depth for least, depth in _DEPTHS if skill.error > least), _EXPERT_DEPTH)
        self._board: Board = ()
        self._left: list[Move] = []  # to look at
        self._ranked: list[tuple[float, Move]] = []
        self._since = self._tick = 0

    def decide(self, now: Memory, seen: Memory) -> str:
        self._tick += 1
        if (now[_TURN] >= 128) != (self._side == WHITE):
            self._board = ()
            return "nothing"
        board = tuple(now[index] if is_square(index) else 0 for index in range(SQUARES))
        if board != self._board:
            self._board, self._ranked, self._since = board, [], self._tick
            self._left = legal_moves(board, self._side)
        if self._left:
            self._weigh(self._left.pop())
            return "nothing"
        if not self._ranked:
            return "nothing"
        if self._tick - self._since > _PATIENCE:
            self._ranked.append(self._ranked.pop(0))
            self._since = self._tick
        return self._carry(now, self._ranked[0][1])

    def _weigh(self, move: Move) -> None:
        other = WHITE if self._side == ORANGE else ORANGE
        found = -value(after(self._board, move), other, self._depth)
        found += self.misjudged(40) + 2 * float(self.rng.random())
        self._ranked = sorted([*self._ranked, (found, move)], reverse=True)

    def _carry(self, now: Memory, move: Move) -> str:
        start, end = move[0], move[1]
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
