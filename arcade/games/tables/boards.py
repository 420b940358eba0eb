"""Tic-tac-toe, Connect Four, Go and chess, in which every seat knows everything."""

from __future__ import annotations

from typing import Any

from agents.seats.controller import AgentID

_GO_COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
_STONES = {-1: "w", 0: ".", 1: "b"}


def view_tictactoe(env: Any, agent: AgentID | None) -> dict[str, Any]:
    """The position; a cell is its index in `marks`, row by row from the upper left.

    - `marks`: a letter a cell: "x" for player_1, "o" for player_2, "." if empty
    - `turn`: the agent to move, "" when the game is over; `line`: the cells of three in a row, [] without one
    """
    game = env.unwrapped
    cells = "".join(".xo"[mark] for mark in game.board.squares)  # the env counts column by column
    marks = "".join(cells[column * 3 + row] for row in range(3) for column in range(3))
    return {"marks": marks, "turn": _turn(game), "line": _complete_line(marks, columns=3, length=3)}


def view_connect_four(env: Any, agent: AgentID | None) -> dict[str, Any]:
    """The position; a hole is its index in `discs`, row by row from the upper left.

    - `discs`: a letter a hole: "0" and "1" for the players' discs, "." if empty
    - `turn`: the agent to move, "" when the game is over; `line`: the holes of four in a row, [] without one
    """
    game = env.unwrapped
    discs = "".join(".01"[disc] for disc in game.board)
    return {"discs": discs, "turn": _turn(game), "line": _complete_line(discs, columns=7, length=4)}


def view_go(env: Any, agent: AgentID | None) -> dict[str, Any]:
    """The position; a point is its index in `stones`, row by row from the upper left, as the actions count.

    - `size`: lines a side; `stones`: a letter a point, "b", "w" or "."
    - `turn`: the agent to move, "" when the game is over; `last`: the newest stone's point, -1 for none
    - `moves`: all moves as Go players write them, "Q16" and "pass", Black's first
    - `passed`: whether the newest move was a pass; `ko`: the point that may not be retaken at once, -1 for none
    - `captured`: by player, the stones it took; `komi`: points given to White
    - `score`: Black's area less White's and komi once the game is over, 0.0 before
    """
    game = env.unwrapped
    position, size = game._go, game._N
    newest = position.recent[-1].move if position.recent else None
    over = position.is_game_over()
    black, white = game.possible_agents
    return {
        "size": size,
        "stones": "".join(_STONES[int(stone)] for stone in position.board.flat),
        "turn": "" if over else game.agent_selection,
        "last": -1 if newest is None else newest[0] * size + newest[1],
        "moves": [_go_name(move.move, size) for move in position.recent],
        "passed": bool(position.recent) and newest is None,
        "ko": -1 if position.ko is None else position.ko[0] * size + position.ko[1],
        "captured": {black: int(position.caps[0]), white: int(position.caps[1])},
        "komi": float(position.komi),
        "score": float(position.score()) if over else 0.0,
    }


def _go_name(point: tuple[int, int] | None, size: int) -> str:
    """Name a point by its column, without I, and its row from below."""
    return "pass" if point is None else f"{_GO_COLUMNS[point[1]]}{size - point[0]}"


def _complete_line(cells: str, *, columns: int, length: int) -> list[int]:
    """Return the indices of `length` equal letters in a row, in any direction; [] without one."""
    rows = len(cells) // columns
    for start, letter in enumerate(cells):
        row, column = divmod(start, columns)
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            last_row, last_column = row + down * (length - 1), column + right * (length - 1)
            if letter == "." or not (0 <= last_row < rows and 0 <= last_column < columns):
                continue
            line = [start + step * (down * columns + right) for step in range(length)]
            if all(cells[index] == letter for index in line):
                return line
    return []


def _turn(game: Any) -> str:
    agent = str(game.agent_selection)
    return "" if game.terminations.get(agent, True) or game.truncations.get(agent, True) else agent


_SIDES = {True: "player_0", False: "player_1"}  # python-chess's WHITE and BLACK
_START = {"p": 8, "n": 2, "b": 2, "r": 2, "q": 1}


def view_chess(env: Any, agent: AgentID | None) -> dict[str, Any]:
    """The position; a square is its index in `pieces`: 0 is a8, 7 is h8, 63 is h1.

    - `pieces`: 64 letters as in FEN, rows from the 8th rank down, "." for an empty square
    - `turn`: the agent to move, "" when the game is over; `last`: [from, to] of the newest move, [] before the first
    - `moves`: all moves in algebraic notation, "Nf3", White's first, "…" where Black begins
    - `said`: the newest move, "" before the first
    - `names`: the legal moves in that notation by their squares: "g1 f3" → "Nf3", "e7 e8 queen" → "e8=Q"
    - `check`: the square of a king in check, -1 for none
    - `exposing`: [from, to] of each move that would leave the own king in check
    - `captured`: by player, the letters of the pieces it took; `ending`: how the game ended, "" before
    """
    board = env.unwrapped.board
    outcome = board.outcome(claim_draw=True)
    moves, names = board.move_stack, chess_names(board)
    return {
        "pieces": "".join(_letter(board, square) for square in range(64)),
        "turn": "" if outcome else _SIDES[board.turn],
        "last": [moves[-1].from_square ^ 56, moves[-1].to_square ^ 56] if moves else [],
        "moves": names if board.root().turn else ["…", *names],
        "said": names[-1] if names else "",
        "names": {} if outcome else _legal_names(board),
        "check": board.king(board.turn) ^ 56 if board.is_check() else -1,
        "exposing": [] if outcome else _exposing(board),
        "captured": {_SIDES[white]: _missing(board, not white) for white in (True, False)},
        "ending": outcome.termination.name.lower().replace("_", " ") if outcome else "",
    }


def _letter(board: Any, index: int) -> str:
    piece = board.piece_at(index ^ 56)  # python-chess counts from a1, rank by rank
    return piece.symbol() if piece else "."


def chess_names(board: Any) -> list[str]:
    """Return the moves that led to a position of python-chess, in algebraic notation."""
    before = board.root()
    return [str(before.san_and_push(move)) for move in board.move_stack]


def _legal_names(board: Any) -> dict[str, str]:
    return {_squares(move): str(board.san(move)) for move in board.legal_moves}


def _squares(move: Any) -> str:
    """Name a move by its squares, and the piece that a pawn becomes."""
    import chess

    squares = f"{chess.square_name(move.from_square)} {chess.square_name(move.to_square)}"
    return f"{squares} {chess.piece_name(move.promotion)}" if move.promotion else squares


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
