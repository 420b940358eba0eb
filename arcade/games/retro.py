"""Games of consoles by name, ``retro/MortalKombatII-Genesis-v0``, for two: https://stable-retro.farama.org

Stable-Retro knows a thousand games and brings the ROM of few: those of others are imported from your own by
``python -m stable_retro.import FOLDER``.  They are not listed in the catalogue.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from typing import Any

from arcade.games.libraries import Library
from arcade.games.naming import NOOP
from arcade.games.spec import GameError, GameSpec

LIBRARY = Library(games="a game of Stable-Retro", family="retro/", module="stable_retro", pip="stable-retro")
AGENTS = ("player_1", "player_2")
WAYS = ("", "up", "down", "left", "right", "up left", "up right", "down left", "down right")
CROSS = ("UP", "DOWN", "LEFT", "RIGHT")
MENU = ("START", "SELECT", "MODE", "COIN")
MOST = 6  # other buttons that a seat has


@cache
def retro_game(id: str) -> GameSpec:
    """Return the spec of ``retro/NAME``; raises GameError for an unknown game, or one without its ROM."""
    name, retro = id.removeprefix(LIBRARY.family), LIBRARY.load()
    LIBRARY.check_name(name, retro.data.list_games(retro.data.Integrations.ALL))
    try:
        system = retro.get_romfile_system(retro.data.get_romfile_path(name, retro.data.Integrations.ALL))
    except FileNotFoundError as error:
        raise GameError(
            f"expected the ROM of {id}, got none; import yours: python -m stable_retro.import FOLDER",
            code="not_installed",
        ) from error
    names = action_names(buttons_of(retro.get_system_info(system)["buttons"]))
    return GameSpec(
        id=id,
        title=re.sub(r"(?<=[a-z])(?=[A-Z0-9])", " ", name.partition("-")[0]),
        entry="arcade.games.retro_env:parallel_env",
        kwargs={"name": name},
        agents=AGENTS,
        teams=tuple((agent,) for agent in AGENTS),
        turn_based=False,
        fps=60,
        outcome="mixed",
        summary=f"{name}, of Stable-Retro, for two.",
        requires=(LIBRARY.module,),
        pip=LIBRARY.pip,
        sees_picture=True,
        action_names=names,
    )


def buttons_of(all_buttons: list[Any]) -> tuple[str, ...]:
    """Return the buttons beside the cross and the menu, in the console's order."""
    found = [name for name in all_buttons if name and name not in (*CROSS, *MENU)]
    return tuple(found[:MOST])


def action_names(buttons: tuple[str, ...]) -> tuple[str, ...]:
    """Return a name for each direction of the cross with no button or one."""
    words = ("", *(f"button {name.lower()}" if len(name) > 1 else name.lower() for name in buttons))
    return tuple(f"{way} {word}".strip() or NOOP for way, word in product(WAYS, words))
