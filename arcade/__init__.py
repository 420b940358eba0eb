"""PettingZoo Arcade: play, evaluate and record any PettingZoo game.

The public functions are those of `arcade.api` and `arcade.learning.api`; each is imported when it is first used, so
``import arcade`` is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import arcade.seats  # noqa: F401  # adds its kind of seat to the table
from agents.snapshots.games import register as _register_catalogue

if TYPE_CHECKING:
    from arcade.api import evaluate, ladder, make, play, replay, tournament, verify, video
    from arcade.frames import ladder_frame
    from arcade.learning.api import match_env, opponent_env, opponent_vector_env, register_games

__version__ = "0.2.0"
__project__ = "pettingzoo-arcade"
__all__ = [
    "evaluate", "games", "ladder", "ladder_frame", "make", "match_env", "opponent_env", "opponent_vector_env", "play",
    "recordings", "register_games", "replay", "tournament", "verify", "video",
]  # fmt: skip

_PACKAGES = ("games", "recordings")
"""Packages that can be called: ``arcade.games()`` and ``from arcade.games import find_game`` both work."""

_ELSEWHERE = {
    "ladder_frame": "arcade.frames",
    **dict.fromkeys(("match_env", "opponent_env", "opponent_vector_env", "register_games"), "arcade.learning.api"),
}
"""Functions of other modules than `arcade.api`."""

_register_catalogue("arcade.learning.freezing")


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return import_module(f"arcade.{name}")
    if name in __all__:
        return getattr(import_module(_ELSEWHERE.get(name, "arcade.api")), name)
    raise AttributeError(f"expected one of {', '.join(__all__)} in arcade, got: {name!r}")
