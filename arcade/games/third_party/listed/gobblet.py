"""Gobblet: https://github.com/elliottower/gobblet-rl"""

from __future__ import annotations

from itertools import product
from typing import Any

from arcade.games.spec import GameSpec
from arcade.games.third_party.listed.adapters import select_by_class

_PIECES = tuple(f"{size} {number}" for size, number in product(("Small", "Medium", "Large"), (1, 2)))
_FIELDS = tuple(f"{column}{row}" for column, row in product("ABC", (3, 2, 1)))  # down each column, from the left


def gobblet_games() -> tuple[GameSpec, ...]:
    return (
        GameSpec(
            id="third-party/gobblet",
            title="Gobblet",
            entry="arcade.games.third_party.listed.gobblet:env",
            agents=("player_1", "player_2"),
            teams=(("player_1",), ("player_2",)),
            turn_based=True,
            fps=10,
            summary="Tic-tac-toe with pieces of three sizes: larger ones cover smaller ones.",
            requires=("gobblet_rl",),
            pip="--no-deps gobblet-rl",
            action_names=tuple(f"{piece} to {field}" for piece, field in product(_PIECES, _FIELDS)),
        ),
    )


def env(render_mode: str | None = None) -> Any:
    import gobblet_rl.game.gobblet as game

    return select_by_class(game).env(render_mode=render_mode)
