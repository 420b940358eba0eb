"""The catalogue: every game that the arcade can play, as a GameSpec."""

from arcade.games.catalogue import facts_of, find_game, game_row, games, list_rows, missing, open_game
from arcade.games.spec import GameError, GameSpec

__all__ = ["GameError", "GameSpec", "facts_of", "find_game", "game_row", "games", "list_rows", "missing", "open_game"]
