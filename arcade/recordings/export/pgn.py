"""PGN: recorded chess matches as text for chess programs, with python-chess (https://www.chessclub.com/help/PGN-spec)."""

from __future__ import annotations

from typing import ClassVar

import chess
import chess.pgn

from agents.engines.uci import action_of
from agents.errors import UserError
from arcade.games.positions import read_position
from arcade.match.playback.replay import Replay
from arcade.recordings.card import RecordingCard
from arcade.recordings.export.matches import MatchWriter, result_of

_RESULTS = {(1.0, 0.0): "1-0", (0.0, 1.0): "0-1", (0.5, 0.5): "1/2-1/2", None: "*"}
_TERMINATIONS = {
    "out_of_time": "time forfeit",
    "forfeit": "rules infraction",
    "failed": "abandoned",
    "quit": "abandoned",
}


class PgnWriter(MatchWriter):
    """Games are separated by an empty line; labels of the players are their names."""

    games: ClassVar = ("classic/chess_v6",)
    suffix: ClassVar = ".pgn"

    @staticmethod
    def text(replay: Replay, card: RecordingCard) -> str:
        agents = replay.spec().agents
        board, game = read_position(replay.start) if replay.start else chess.Board(), chess.pgn.Game()
        game.setup(board)
        node: chess.pgn.GameNode = game
        for actions in replay.actions:
            for action in actions.values():
                move = move_of(action, board)
                node = node.add_variation(move)
                board.push(move)
        result = _RESULTS[result_of(replay, agents)]
        game.headers.update(_headers(replay, card) | {"Result": result})
        game.headers["White"], game.headers["Black"] = (replay.lineup.get(str(agent), "?") for agent in agents)
        return f"{game}\n\n"


def move_of(action: object, board: chess.Board) -> chess.Move:
    """Return the move of an action of PettingZoo's chess; raises UserError for an illegal one."""
    black = board.turn == chess.BLACK
    found = next((move for move in board.legal_moves if action_of(move, black=black) == action), None)
    if found is None:
        raise UserError(f"expected a legal move after {board.ply()} plies, got the action {action!r:.40}")
    return found


def _headers(replay: Replay, card: RecordingCard) -> dict[str, str]:
    ended = (replay.result or {}).get("ended", "quit")
    headers = {
        "Event": card.name or "PettingZoo Arcade", "Date": f"{card.created:%Y.%m.%d}", "Round": "-",
        "Termination": _TERMINATIONS.get(str(ended), "normal"),
    }  # fmt: skip
    minutes, plus, increment = str(replay.head["settings"].get("clock", "")).partition("+")
    try:
        return headers | ({"TimeControl": f"{60 * float(minutes):g}+{float(increment):g}"} if plus else {})
    except ValueError:  # of another program
        return headers
