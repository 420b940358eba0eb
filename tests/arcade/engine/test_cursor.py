"""Turn-based choices: the words are the game's own, and the directions go where one would expect."""

from __future__ import annotations

import chess
import numpy as np
import pytest
from gymnasium.spaces import Discrete
from pettingzoo.classic.chess import chess_utils

from arcade.engine.cursor import Cursor

PROMOTIONS = {"knight": "n", "bishop": "b", "rook": "r"}


def options_of(board: chess.Board):
    """The cursor's options at a position, and the position's moves in UCI."""
    mask = np.zeros(8 * 8 * 73, np.int8)
    mask[chess_utils.legal_moves(board)] = 1
    cursor = Cursor("classic/chess_v6", seat="player_0" if board.turn == chess.WHITE else "player_1")
    cursor.reset(Discrete(len(mask)))
    cursor.show(mask)
    return cursor


def uci(words: str) -> str:
    start, end, *promotion = words.split()
    return start + end + (PROMOTIONS[promotion[0]] if promotion else "")


@pytest.mark.parametrize(
    "fen",
    [
        chess.STARTING_FEN,
        "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R b KQkq - 0 1",
        "4k3/P6P/8/8/8/8/p6p/1N2K1N1 w - - 0 1",
        "4k3/P6P/8/8/8/8/p6p/1N2K1N1 b - - 0 1",
    ],
)
def test_chess_moves_are_named_by_their_squares(fen):
    board = chess.Board(fen)
    named = {uci(option.words) for option in options_of(board).options}
    assert named == {move.uci().removesuffix("q") for move in board.legal_moves}


def test_in_chess_up_and_down_choose_the_piece_left_and_right_its_move():
    cursor = options_of(chess.Board())
    first = cursor.options[cursor.index].words
    cursor.move("right")
    second = cursor.options[cursor.index].words
    assert first.split()[0] == second.split()[0]
    assert first != second
    cursor.move("down")
    assert cursor.options[cursor.index].words.split()[0] != first.split()[0]


def test_pass_lies_below_the_go_board():
    cursor = Cursor("classic/go_v5", (*(str(i) for i in range(361)), "pass"))
    cursor.reset(Discrete(362))
    cursor.show(None)
    for _ in range(19):
        cursor.move("down")
    assert cursor.options[cursor.index].words == "pass"
    cursor.move("up")
    assert cursor.options[cursor.index].words == str(18 * 19)


def test_without_a_board_the_row_goes_round():
    cursor = Cursor("my:game")
    cursor.reset(Discrete(3, start=5))
    cursor.show(None)
    cursor.move("left")
    assert cursor.options[cursor.index].action == 7
    cursor.move("down")
    assert cursor.options[cursor.index].action == 5
    cursor.move("b")
    assert cursor.options[cursor.index].words == "action 0"


def test_a_turn_without_any_legal_action_offers_none():
    cursor = Cursor("my:game")
    cursor.reset(Discrete(2))
    cursor.show(np.zeros(2, np.int8))
    cursor.move("right")
    assert cursor.options == ()
