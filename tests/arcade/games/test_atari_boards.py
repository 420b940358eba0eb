"""The players of the board games of Atari: their rules are the known ones, and they search little in a tick."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from arcade.games.players.atari.boards import checkers_rules, othello
from arcade.games.players.atari.boards.checkers import CheckersPlay, read_board
from arcade.games.players.atari.boards.othello import OthelloPlay
from arcade.games.players.atari.play import Play
from arcade.games.players.atari.skill import SKILLS


def test_the_rules_of_othello_and_draughts_are_the_known_ones() -> None:
    """Positions after so many half-moves: https://oeis.org/A124004 and https://oeis.org/A133046."""

    def discs(own: int, other: int, depth: int) -> int:
        count = 0
        for square in othello.squares(othello.moves(own, other)) if depth else ():
            turned = othello.flipped(own, other, square)
            count += discs(other & ~turned, own | square | turned, depth - 1)
        return count if depth else 1

    def men(board: checkers_rules.Board, depth: int) -> int:
        if not depth:
            return 1
        moves = checkers_rules.legal_moves(board)
        return sum(men(checkers_rules.after(board, move), depth - 1) for move in moves)

    assert [discs(1 << 28 | 1 << 35, 1 << 27 | 1 << 36, depth) for depth in (1, 2, 3, 4, 5)] == [4, 12, 56, 244, 1396]
    assert [men(read_board(draughts("o" * 12 + "." * 8 + "w" * 12), is_up=True), depth) for depth in (1, 2, 3, 4)] == [
        7, 49, 302, 1469,
    ]  # fmt: skip


def draughts(pieces: str, *, cursor: int = 0, turn: str = "o") -> list[int]:
    """The memory of Video Checkers: o and w for men, O and W for kings, from the lowest row on."""
    memory = [0] * 128
    squares = [index for index in range(checkers_rules.SQUARES) if checkers_rules.is_square(index)]
    for square, piece in zip(squares, pieces, strict=True):
        memory[square] = {".": 0, "o": 0x10, "O": 0x20, "w": 0x90, "W": 0xA0}[piece]
    memory[0x2B], memory[0x3B] = cursor, 0x80 if turn == "w" else 0
    return memory


def keys_of(play: Play, memory: list[int]) -> Iterator[str]:
    """The keys of a player in memory that the caller changes as the console would."""
    for _ in range(2000):
        key = play.decide(memory, memory)
        if key != "nothing":
            yield key
    raise AssertionError("no key in 2000 ticks")


def test_the_expert_of_draughts_gives_a_man_for_two() -> None:
    memory = draughts("oooo.o.o...o.owo....www..w.w.www", cursor=14)
    keys = keys_of(CheckersPlay(0, np.random.default_rng(1), SKILLS["expert"]), memory)
    assert next(keys) == "fire", "the cursor is on the man"
    memory[0x67], memory[0x69] = 1, 14  # it is taken up, and not moved yet
    assert next(keys) == "up left", "to 19, where White must jump over it"


def endgames(empty: int) -> Iterator[tuple[int, int]]:
    """Positions of Othello with so many empty squares, from random moves; the side to move first."""
    for seed in range(12):
        rng = np.random.default_rng(seed)
        own, other = 1 << 28 | 1 << 35, 1 << 27 | 1 << 36
        while (own | other).bit_count() < 64 - empty and (othello.moves(own, other) or othello.moves(other, own)):
            legal = list(othello.squares(othello.moves(own, other)))
            if legal:
                square = legal[rng.integers(len(legal))]
                turned = othello.flipped(own, other, square)
                own, other = own | square | turned, other & ~turned
            own, other = other, own
        if len(list(othello.squares(othello.moves(own, other)))) > 1:
            yield own, other


def lead(own: int, other: int) -> int:
    """The discs that the side to move wins by, by exhaustive search."""
    ends = [-lead(other & ~turned, own | square | turned) for square, turned in replies(own, other)]
    if ends:
        return max(ends)
    return -lead(other, own) if othello.moves(other, own) else own.bit_count() - other.bit_count()


def replies(own: int, other: int) -> list[tuple[int, int]]:
    return [(square, othello.flipped(own, other, square)) for square in othello.squares(othello.moves(own, other))]


def othello_memory(own: int, other: int) -> list[int]:
    """The memory of Othello for White to move."""
    memory = [255 if own >> i & 1 else 1 if other >> i & 1 else 0 for i in range(64)] + [0] * 64
    memory[0x40] = 255
    return memory


def put_square(memory: list[int]) -> int:
    """The square, a bit, where the expert puts its disc; the cursor follows its keys."""
    for key in keys_of(OthelloPlay(0, np.random.default_rng(1), SKILLS["expert"]), memory):
        row, column = divmod(memory[0x4F], 8)
        if key == "fire":
            return 1 << memory[0x4F]
        row += {"up": 1, "down": -1}.get(key, 0)
        column = (column + {"left": 1, "right": -1}.get(key, 0)) % 8
        memory[0x4F] = 8 * row + column
    raise AssertionError


def test_the_expert_of_othello_plays_the_last_squares_perfectly() -> None:
    positions = list(endgames(6))
    assert len(positions) > 5
    for own, other in positions:
        ends = {square: -lead(other & ~turned, own | square | turned) for square, turned in replies(own, other)}
        assert ends[put_square(othello_memory(own, other))] == max(ends.values())


@pytest.mark.parametrize("game", ["othello", "draughts"])
def test_no_tick_searches_many_positions(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    searched = 0
    rules, name = (othello, "moves") if game == "othello" else (checkers_rules, "legal_moves")
    moves = getattr(rules, name)

    def counting(*board: Any) -> Any:
        nonlocal searched
        searched += 1
        return moves(*board)

    monkeypatch.setattr(rules, name, counting)
    start = othello_memory(1 << 28 | 1 << 35, 1 << 27 | 1 << 36)
    memory = start if game == "othello" else draughts("o" * 12 + "." * 8 + "w" * 12)
    play = (OthelloPlay if game == "othello" else CheckersPlay)(0, np.random.default_rng(1), SKILLS["expert"])
    ticks, total = 0, 0
    while play.decide(memory, memory) == "nothing":
        assert searched < 400
        ticks, total, searched = ticks + 1, total + searched, 0
    assert ticks > 50
    assert total > 2000
