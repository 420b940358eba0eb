"""The games that ship with the arcade: our own and PettingZoo's families."""

from __future__ import annotations

from functools import cache

from arcade.games.atari import atari_games
from arcade.games.butterfly import butterfly_games
from arcade.games.classic import classic_games
from arcade.games.house_games import house_games
from arcade.games.mpe import mpe_games
from arcade.games.sisl import sisl_games
from arcade.games.spec import GameSpec


@cache
def built_in_games() -> tuple[GameSpec, ...]:
    """Return the specs of all of them; no game is imported."""
    families = (house_games, butterfly_games, atari_games, mpe_games, sisl_games, classic_games)
    return tuple(spec for family in families for spec in family())
