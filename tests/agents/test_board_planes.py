"""Positions out of PettingZoo's observation planes against the boards that its games keep, at every turn."""

from __future__ import annotations

from collections import Counter

import chess
import numpy as np
import pytest
from pettingzoo.classic import chess_v6, go_v5
from pettingzoo.classic.go import coords, go_base

from agents.engines.gtp import action_at, other, read_view, stones, vertex
from agents.engines.uci import action_of, read_board


def chess_turns(seed: int, *, plies: int = 140):
    """(observation, mask, the game's board, whether black moves, move by action), moves at random, rare ones first."""
    env, rng = chess_v6.env(), np.random.default_rng(seed)
    env.reset(seed=seed)
    for _ in range(plies):
        if not env.agents or env.terminations[env.agent_selection]:
            return
        seen, board = env.observe(env.agent_selection), env.unwrapped.board
        moves = {action_of(move, black=not board.turn): move for move in board.legal_moves}
        yield seen["observation"], seen["action_mask"], board.copy(), moves
        rare = [a for a, m in moves.items() if m.promotion or board.is_en_passant(m) or board.is_castling(m)]
        pawns = [a for a, m in moves.items() if board.pawns & chess.BB_SQUARES[m.from_square]]
        env.step(int(rng.choice(rare or (rng.random() < 0.5 and pawns) or sorted(moves))))


def test_a_chess_board_is_read_from_its_planes() -> None:
    met: Counter[str] = Counter()
    for seed in range(5):
        before: dict[bool, chess.Board] = {}
        for observation, mask, board, moves in chess_turns(seed):
            assert set(moves) == set(np.flatnonzero(mask).tolist())
            read = read_board(observation, before.get(board.turn))
            assert read.fen() == board.fen()
            assert read.move_stack == board.move_stack
            before[board.turn] = read
            met.update(str(move.promotion or "") for move in moves.values())
            met.update(f"passing {board.turn}" for move in moves.values() if board.is_en_passant(move))
            met.update(f"castling {board.turn}" for move in moves.values() if board.is_castling(move))
    rare = ["2", "3", "4", "5", *(f"{what} {side}" for what in ("passing", "castling") for side in (True, False))]
    assert all(met[one] for one in rare), met


def test_a_chess_board_is_read_by_who_sits_down_in_the_middle() -> None:
    """No more than the number of moves is lost, and one half-move of the clock."""
    for observation, _, board, _ in chess_turns(9, plies=120):
        read = read_board(observation)
        known = board.copy()
        if board.ply() >= 8:
            known.fullmove_number, known.halfmove_clock = 1, board.halfmove_clock // 2 * 2
        assert read.fen() == known.fen()


def test_a_chess_board_of_another_game_is_not_followed() -> None:
    *_, (observation, _, board, _) = chess_turns(3, plies=41)
    read = read_board(observation, chess.Board())
    assert read.board_fen() == board.board_fen()
    assert not read.move_stack


def test_the_action_of_every_chess_move_is_pettingzoos() -> None:
    """Promotions of both sides, to every piece, straight and by taking."""
    from pettingzoo.classic.chess.chess_utils import action_to_move, legal_moves

    for fen in ("1n1q1k2/P1P5/8/8/8/8/p1p5/1N1Q1K2 w - - 0 1", "r3k2r/8/8/3pP3/3Pp3/8/8/R3K2R w KQkq d6 0 1"):
        for board in (chess.Board(fen), chess.Board(fen).mirror()):
            black = not board.turn
            actions = {action_of(move, black=black): move for move in board.legal_moves}
            assert sorted(actions) == sorted(legal_moves(board))
            assert all(action_to_move(board, action, int(black)) == move for action, move in actions.items())


@pytest.mark.parametrize("size", [5, 9])
def test_a_go_board_and_its_moves_are_read_from_the_planes(size: int) -> None:
    env, rng = go_v5.env(board_size=size), np.random.default_rng(size)
    env.reset(seed=0)
    for _ in range(150):
        if env.terminations[env.agent_selection]:
            break
        seen, game = env.observe(env.agent_selection), env.unwrapped._go
        view = read_view(seen["observation"])
        assert view.colour == ("black" if game.to_play == go_base.BLACK else "white")
        assert np.array_equal(view.positions[-1], game.board)
        moves = [("black" if m.color > 0 else "white", coords.to_gtp(m.move)) for m in game.recent[-7:]]
        assert view.moves[len(view.moves) - len(moves) :] == moves
        rebuilt = go_base.Position(board=None)
        for colour, where in [*stones(view.positions[0]), *view.moves]:
            rebuilt.to_play = go_base.BLACK if colour == "black" else go_base.WHITE
            rebuilt.play_move(coords.from_gtp(where), mutate=True)
        rebuilt.to_play = game.to_play
        assert np.array_equal(rebuilt.board, game.board)
        assert np.array_equal(rebuilt.all_legal_moves(), seen["action_mask"])  # ko is part of it
        legal = np.flatnonzero(seen["action_mask"])
        env.step(int(legal[-1] if rng.random() < 0.05 else rng.choice(legal)))


def test_vertices() -> None:
    for size in (5, 9, 19):
        assert [action_at(vertex(action, size), size) for action in range(size * size + 1)] == list(
            range(size * size + 1)
        )
    assert [vertex(action, 19) for action in (0, 8, 360, 361)] == ["A19", "J19", "T1", "pass"]
    assert other("black") == "white"
    for word in ("I5", "K5", "A0", "A10", "", "A", "5", "Z1", "resign"):
        with pytest.raises(ValueError, match="expected a vertex from A1 to J9"):
            action_at(word, 9)
