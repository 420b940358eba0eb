"""Turn-based choices: the words are the game's own, and the directions go where one would expect."""

from __future__ import annotations

import chess
import numpy as np
import pytest
from gymnasium.spaces import Discrete
from pettingzoo.classic.chess import chess_utils

from agents.seats.controller import SeatSpec
from arcade.controls.cursor import Cursor

PROMOTIONS = {"queen": "q", "knight": "n", "bishop": "b", "rook": "r"}


def make_cursor(game: str, space: Discrete, *, names: tuple[str, ...] = (), seat: str = "player_0") -> Cursor:
    cursor = Cursor(names)
    cursor.reset(SeatSpec(game=game, agent=seat, observation_space=None, action_space=space))
    return cursor


def options_of(board: chess.Board):
    """The cursor's options at a position, and the position's moves in UCI."""
    mask = np.zeros(8 * 8 * 73, np.int8)
    mask[chess_utils.legal_moves(board)] = 1
    seat = "player_0" if board.turn == chess.WHITE else "player_1"
    cursor = make_cursor("classic/chess_v6", Discrete(len(mask)), seat=seat)
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
    named = {uci(option.label) for option in options_of(board).options}
    assert named == {move.uci() for move in board.legal_moves}


@pytest.mark.parametrize("turn", ["w", "b"])
def test_every_chess_move_is_played_by_pressing_its_squares(turn):
    board = chess.Board(f"r3k2r/P6P/8/8/8/8/p6p/RN2K1NR {turn} KQkq - 0 1")
    cursor = options_of(board)
    for option in cursor.options:
        *before, last = option.path
        for place in before:
            assert cursor.press(place) is True
        assert cursor.press(last) == option
        cursor.cancel(), cursor.cancel(), cursor.cancel()
        assert cursor.path == ()


def test_a_chess_piece_is_let_go_or_swapped_for_another_and_its_squares_are_lit():
    cursor = options_of(chess.Board())
    assert cursor.at == (4, 6), "White begins on the king's pawn"
    cursor.press((4, 6))
    assert cursor.lit == {(4, 5), (4, 4)}
    cursor.press((6, 7))
    assert cursor.lit == {(5, 5), (7, 5)}, "the knight instead"
    assert cursor.press((6, 3)) is False, "no knight goes there"
    assert cursor.path == ((6, 7),)
    cursor.press((6, 7))
    assert cursor.path == (), "pressed again it is let go"
    assert cursor.press((4, 4)) is False, "nothing stands there"
    assert cursor.press((0, 0)) is False, "Black's"


def test_what_a_pawn_becomes_is_asked_and_may_be_taken_back():
    cursor = options_of(chess.Board("4k3/P7/8/8/8/8/8/4K3 w - - 0 1"))
    cursor.press((0, 1))
    cursor.press((0, 0))
    assert cursor.asking
    assert cursor.options[cursor.index].label == "a7 a8 queen"
    cursor.move("right")
    assert cursor.options[cursor.index].label == "a7 a8 rook"
    cursor.move("left"), cursor.move("left")
    assert cursor.options[cursor.index].label == "a7 a8 knight"
    cursor.press((5, 5))
    assert (cursor.path, cursor.at) == (((0, 1),), (0, 0)), "a press beside the answers takes the square back"


def test_directions_follow_a_board_that_is_turned():
    cursor = options_of(chess.Board("4k3/8/8/8/8/8/8/4K3 b - - 0 1"))
    cursor.turned = True
    cursor.move("up")
    cursor.move("right")
    assert cursor.at == (3, 2), "Black looks down the board, the a file on the right"


def test_pass_lies_below_the_go_board():
    cursor = make_cursor("classic/go_v5", Discrete(362), names=(*(str(i) for i in range(361)), "pass"))
    cursor.show(None)
    assert cursor.at == (9, 9)
    for _ in range(10):
        cursor.move("down")
    assert cursor.options[cursor.index].label == "pass"
    cursor.move("up")
    assert cursor.options[cursor.index].label == str(18 * 19 + 9)
    cursor.cancel()
    assert cursor.options[cursor.index].label == "pass", "b is the short way"
    cursor.cancel()
    assert cursor.at == (9, 9)
    assert cursor.press((4, 19)).label == "pass", "the whole row below the board is the button"
    cursor.show(None)
    assert cursor.at == (9, 9), "the next press passes no second time"


def test_a_column_is_one_place_and_a_full_one_is_refused():
    cursor = make_cursor("classic/connect_four_v3", Discrete(7))
    cursor.show(np.array([1, 0, 1, 1, 1, 1, 1], np.int8))
    assert cursor.press((1, 5)) is False
    assert cursor.press((2, 5)).action == 2


def test_without_a_board_the_row_goes_round():
    cursor = make_cursor("my:game", Discrete(3, start=5))
    cursor.show(None)
    cursor.move("left")
    assert cursor.options[cursor.index].action == 7
    cursor.move("down")
    assert cursor.options[cursor.index].action == 5
    cursor.move("b")
    assert cursor.options[cursor.index].label == "action 0"


def test_a_turn_without_any_legal_action_offers_none():
    cursor = make_cursor("my:game", Discrete(2))
    cursor.show(np.zeros(2, np.int8))
    cursor.move("right")
    assert cursor.options == ()


def test_a_press_too_many_does_not_fold() -> None:
    names = ("fold", "check or call", "raise", "raise more", "all in")
    cursor = make_cursor("classic/texas_holdem_no_limit_v6", Discrete(5), names=names)
    cursor.show(np.array([1, 1, 0, 1, 1], np.int8))
    assert cursor.options[cursor.index].label == "check or call"


def test_the_buttons_of_limit_poker_keep_their_order_and_each_turn_begins_on_check_or_call() -> None:
    cursor = make_cursor("classic/texas_holdem_v4", Discrete(4), names=("call", "raise", "fold", "check"))
    places: dict[str, set[int]] = {}
    for legal, default in (((1, 1, 1, 0), "call"), ((0, 1, 1, 1), "check"), ((1, 0, 1, 0), "call")):
        cursor.show(np.array(legal, np.int8))
        assert cursor.options[cursor.index].label == default
        for option in cursor.options:
            places.setdefault(option.label, set()).add(option.path[0][0])
        cursor.move("left")
        assert cursor.options[cursor.index].label == "fold"
    assert places == {"fold": {0}, "call": {1}, "check": {1}, "raise": {2}}
