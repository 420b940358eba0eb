"""Chess, in which every seat knows everything.

A square is its index in `pieces`: 0 is a8, 7 is h8, 63 is h1.
"""

from __future__ import annotations

from typing import Any

from agents.seats.controller import AgentID

_SIDES = {True: "player_0", False: "player_1"}  # python-chess's WHITE and BLACK
_START = {"p": 8, "n": 2, "b": 2, "r": 2, "q": 1}


def view(env: Any, agent: AgentID | None) -> dict[str, Any]:
    """The position.

    - `pieces`: 64 letters as in FEN, rows from the 8th rank down, "." for an empty square
    - `turn`: the agent to move, "" when the game is over; `last`: [from, to] of the newest move, [] before the first
    - `said`: the newest move in algebraic notation, "Nf3"; `check`: the square of a king in check, -1 for none
    - `exposing`: [from, to] of each move that would leave the own king in check
    - `captured`: by player, the letters of the pieces it took; `ending`: how the game ended, "" before
    """
    board = env.unwrapped.board
    outcome = board.outcome(claim_draw=True)
    moves = board.move_stack
    return {
        "pieces": "".join(_letter(board, square) for square in range(64)),
        "turn": "" if outcome else _SIDES[board.turn],
        "last": [moves[-1].from_square ^ 56, moves[-1].to_square ^ 56] if moves else [],
        "said": _newest_move(board),
        "check": board.king(board.turn) ^ 56 if board.is_check() else -1,
        "exposing": [] if outcome else _exposing(board),
        "captured": {_SIDES[white]: _missing(board, not white) for white in (True, False)},
        "ending": outcome.termination.name.lower().replace("_", " ") if outcome else "",
    }


def _letter(board: Any, index: int) -> str:
    piece = board.piece_at(index ^ 56)  # python-chess counts from a1, rank by rank
    return piece.symbol() if piece else "."


def _newest_move(board: Any) -> str:
    if not board.move_stack:
        return ""
    before = board.copy(stack=1)
    return str(before.san(before.pop()))


def _exposing(board: Any) -> list[list[int]]:
    moves = [move for move in board.pseudo_legal_moves if not board.is_legal(move)]
    return [[move.from_square ^ 56, move.to_square ^ 56] for move in moves]


def _missing(board: Any, white: bool) -> str:
    """Return the captured pieces of one side, cheapest first; a promoted pawn is not captured."""
    letters = [piece.symbol() for piece in board.piece_map().values() if piece.color is white]
    have = {kind: sum(letter.lower() == kind for letter in letters) for kind in _START}
    promoted = sum(max(0, have[kind] - count) for kind, count in _START.items())
    gone = {kind: max(0, count - have[kind]) for kind, count in _START.items()}
    gone["p"] = max(0, gone["p"] - promoted)
    words = "".join(kind * count for kind, count in gone.items())
    return words.upper() if white else words
