"""Fanorona: https://github.com/AbhijeetKrishnan/fanorona-aec"""

from __future__ import annotations

from itertools import product
from typing import Any

from arcade.games.spec import GameSpec
from arcade.games.third_party.listed.adapters import select_by_class

_FIELDS = tuple(f"{column}{row}" for row, column in product(range(1, 6), "ABCDEFGHI"))
_WAYS = ("down left", "down", "down right", "left", "right", "up left", "up", "up right")
_KINDS = ("", ", capture in front", ", capture behind")


def fanorona_games() -> tuple[GameSpec, ...]:
    names = tuple(f"{field} {way}{kind}" for field, way, kind in product(_FIELDS, _WAYS, _KINDS))
    return (
        GameSpec(
            id="third-party/fanorona",
            title="Fanorona",
            entry="arcade.games.third_party.listed.fanorona:env",
            agents=("player_0", "player_1"),
            teams=(("player_0",), ("player_1",)),
            turn_based=True,
            fps=10,
            summary="Capture whole lines of stones by moving towards them or away from them.",
            requires=("env",),  # the name that its package gives its only module
            pip="fanorona-aec",
            render_mode="ansi",
            action_names=(*names, "End the turn"),
            seat_titles={"player_0": "White", "player_1": "Black"},
        ),
    )


def env(render_mode: str | None = None) -> Any:
    from env import fanorona_env as game

    return select_by_class(game).env(render_mode="ansi")
