"""Tables: boards and cards drawn by us from what a seat may know; a module a game, found by its catalogue id."""

from __future__ import annotations

from collections.abc import Mapping

from arcade.games.spec import GameSpec, load_entry
from arcade.scenes.tables.table import GameTable

_TABLES: Mapping[str, str] = {
    "arcade.games.tables.chess:view": "arcade.scenes.tables.chess:ChessTable",
    "arcade.games.tables.lines:view_connect_four": "arcade.scenes.tables.connect_four:ConnectFourTable",
    "arcade.games.tables.go:view": "arcade.scenes.tables.go:GoTable",
    "arcade.games.tables.hanabi:view": "arcade.scenes.tables.hanabi:HanabiTable",
    "arcade.games.tables.poker:view_holdem": "arcade.scenes.tables.holdem:HoldemTable",
    "arcade.games.tables.poker:view_leduc": "arcade.scenes.tables.leduc:LeducTable",
    "arcade.games.tables.rps:view": "arcade.scenes.tables.rps:RpsTable",
    "arcade.games.tables.lines:view_tictactoe": "arcade.scenes.tables.tictactoe:TicTacToeTable",
}
"""What ``GameSpec.table`` says → who draws it; modules are imported when their game is shown."""


def make_table(spec: GameSpec) -> GameTable | None:
    """The drawing of the game's table; None where it has none, or one that nobody here can draw."""
    entry = _TABLES.get(spec.table)
    return load_entry(entry)(spec) if entry else None


__all__ = ["GameTable", "make_table"]
