"""Start positions of chess other than its own: checks FEN and EPD, and puts a position on PettingZoo's board.

FEN and EPD: https://www.chessprogramming.org/Forsyth-Edwards_Notation, …/Extended_Position_Description
"""

from __future__ import annotations

from typing import Any

import chess
import numpy as np

MAX_LENGTH = 120
"""Characters of a FEN in a recording: more than any has."""


def read_position(text: str) -> chess.Board:
    """Return the board of a FEN, or of an EPD with its operations; raises ValueError for one that cannot be played."""
    words = text.split()
    is_fen = len(words) == 6 and words[4].isdecimal() and words[5].isdecimal()
    if is_fen or len(words) < 4:
        board = chess.Board(text)
    else:
        board, _ = chess.Board.from_epd(text)
    if status := board.status():
        flags = ", ".join(str(flag.name).lower().replace("_", " ") for flag in chess.Status if flag & status)
        raise ValueError(f"an impossible position: {flags}")
    if outcome := board.outcome(claim_draw=True):
        raise ValueError(f"the game is over there: {outcome.termination.name.lower().replace('_', ' ')}")
    return board


def name_position(board: chess.Board) -> str:
    """Return the start position as FEN, "" for the initial one."""
    text = board.fen(en_passant="fen")
    return "" if text == chess.STARTING_FEN else text


def set_chess(env: Any, text: str) -> None:
    """Put a position on the board of a newly reset ``classic/chess_v6``; raises ValueError for an impossible one.

    Seats observe it as after any move: the planes of the newest board show it, those of older boards are empty.
    """
    from pettingzoo.classic.chess import chess_utils

    if len(text) > MAX_LENGTH:
        raise ValueError(f"longer than {MAX_LENGTH} characters")
    game = env.unwrapped
    game.board = read_position(text)
    newest = chess_utils.get_observation(game.board, player=0)[:, :, 7:]  # as the env's own `step` keeps it
    game.board_history = np.dstack((newest, np.zeros_like(game.board_history[:, :, : -newest.shape[2]])))
    if game.board.turn == chess.BLACK:
        game.agent_selection = game._agent_selector.next()
