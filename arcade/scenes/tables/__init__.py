"""Tables: boards and cards drawn from the view of one seat, found by the entry ``GameSpec.table``."""

from __future__ import annotations

from collections.abc import Mapping

from arcade.games.spec import GameSpec, load_entry
from arcade.scenes.tables.table import GameTable

_TABLES: Mapping[str, str] = {  # imported when their game is shown
    "arcade.games.tables.boards:view_chess": "arcade.scenes.tables.chess:ChessTable",
    "arcade.games.tables.boards:view_connect_four": "arcade.scenes.tables.in_a_row:ConnectFourTable",
    "arcade.games.tables.boards:view_go": "arcade.scenes.tables.go:GoTable",
    "arcade.games.tables.hanabi:view": "arcade.scenes.tables.hanabi:HanabiTable",
    "arcade.games.tables.poker:view_holdem": "arcade.scenes.tables.poker:PokerTable",
    "arcade.games.tables.poker:view_leduc": "arcade.scenes.tables.poker:PokerTable",
    "arcade.games.tables.rps:view": "arcade.scenes.tables.rps:RpsTable",
    "arcade.games.tables.boards:view_tictactoe": "arcade.scenes.tables.in_a_row:TicTacToeTable",
}


def make_table(spec: GameSpec) -> GameTable | None:
    """Make the game's table; None for a game without one, or with one from elsewhere."""
    entry = _TABLES.get(spec.table)
    return load_entry(entry)(spec) if entry else None
