"""The catalogue: every game that the arcade can play, as a GameSpec; ``arcade.games()`` lists it.

Example::

    >>> import arcade
    >>> arcade.games()[0].id
    'house/volley'
"""

import sys
from types import ModuleType

from arcade.games.catalogue import facts_of, find_game, game_row, games, missing, open_game
from arcade.games.spec import GameError, GameSpec
from arcade.games.third_party.listed import listed_games

__all__ = [
    "GameError", "GameSpec", "facts_of", "find_game", "game_row", "games", "listed_games", "missing", "open_game",
]  # fmt: skip


class _Games(ModuleType):
    """A package of the public API that is also a function of it."""

    def __call__(self) -> tuple[GameSpec, ...]:
        """Return the catalogue, with the games of installed packages."""
        return games()


sys.modules[__name__].__class__ = _Games
