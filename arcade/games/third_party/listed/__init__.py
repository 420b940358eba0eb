"""Games of other packages that PettingZoo lists, known by name before they are installed.

``third-party/gobblet`` is found at all times, and says how to install it where its package is missing; the catalogue
lists the installed ones.  A module here has the specs of one package, and adapts what differs from the present
PettingZoo.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import metadata

from arcade.games.spec import GameSpec
from arcade.games.third_party.listed.battlesnake import battlesnake_games
from arcade.games.third_party.listed.cathedral import cathedral_games
from arcade.games.third_party.listed.cooking import cooking_games
from arcade.games.third_party.listed.drone_search import drone_search_games
from arcade.games.third_party.listed.drones import drone_games
from arcade.games.third_party.listed.fanorona import fanorona_games
from arcade.games.third_party.listed.gobblet import gobblet_games
from arcade.games.third_party.listed.hungry_geese import hungry_geese_games
from arcade.games.third_party.listed.magent import magent_games
from arcade.games.third_party.listed.neural_mmo import neural_mmo_games
from arcade.games.third_party.listed.pogema import pogema_games
from arcade.games.third_party.listed.skyjo import skyjo_games
from arcade.games.third_party.listed.traffic import traffic_games

PACKAGES: Mapping[str, Callable[[], tuple[GameSpec, ...]]] = {
    "gobblet-rl": gobblet_games,
    "cathedral-rl": cathedral_games,
    "fanorona-aec": fanorona_games,
    "rlskyjo": skyjo_games,
    "pypzbattlesnake": battlesnake_games,
    "kaggle-environments": hungry_geese_games,
    "pogema": pogema_games,
    "DSSE": drone_search_games,
    "sumo-rl": traffic_games,
    "momaland": drone_games,
    "gym-cooking-lipo": cooking_games,
    "nmmo": neural_mmo_games,
    "magent2": magent_games,
}
"""The name of each distribution on PyPI, and its games."""


@cache
def listed_games() -> tuple[GameSpec, ...]:
    """Return the specs of all of them, installed or not; no package is imported."""
    return tuple(spec for games in PACKAGES.values() for spec in games())


@cache
def installed_listed_games() -> tuple[GameSpec, ...]:
    """Return those whose package is installed."""
    return tuple(spec for package, games in PACKAGES.items() if _is_installed(package) for spec in games())


def _is_installed(package: str) -> bool:
    try:
        metadata.distribution(package)
    except metadata.PackageNotFoundError:
        return False
    return True
