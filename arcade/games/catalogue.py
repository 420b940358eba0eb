"""Finds games by id in the catalogue, and reports missing packages."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.util import find_spec
from typing import Any

from agents.errors import did_you_mean
from agents.ladder.ratings.rows import GameFacts
from arcade.games import meltingpot, openspiel, retro
from arcade.games.built_in import built_in_games
from arcade.games.controls import SeatControls
from arcade.games.exact import exactness_of
from arcade.games.spec import GameError, GameSpec, NotOpenedError
from arcade.games.third_party.installed import installed_games, probe_game
from arcade.games.third_party.listed import installed_listed_games, listed_games
from arcade.games.third_party.opened import opened_word, remember
from arcade.games.third_party.registered import registered_entry

_VERSION = re.compile(r"_v\d+$")
_REGISTERED_VERSION = re.compile(r"-v(?=\d+$)")
_THIRD_PARTY = re.compile(r"[A-Za-z_][\w.]{0,150}:[A-Za-z_][\w.]{0,50}", re.ASCII)
"""Names that an error may suggest typing: other characters could form a shell command."""

BY_NAME: Mapping[str, Callable[[str], GameSpec]] = {
    openspiel.LIBRARY.family: openspiel.openspiel_game,
    retro.LIBRARY.family: retro.retro_game,
    meltingpot.LIBRARY.family: meltingpot.meltingpot_game,
}
"""Families of libraries with so many games that the catalogue lists none; each makes a spec from an id."""

_LONGEST = 200
"""Characters of a name that are shown and compared."""


def games() -> tuple[GameSpec, ...]:
    """Return the whole catalogue, including games of installed packages."""
    own = (*built_in_games(), *installed_listed_games())
    return (*own, *installed_games(spec.id for spec in own))


def find_game(word: str) -> GameSpec:
    """Return the game that a word names, from any source; the first of these forms that fits::

        atari/pong_v3    atari/pong    pong_v3    pong    my_module:parallel_env

    The last form works only after `open_game`: code named by a file or another machine is never imported.
    Raises GameError, with near matches, for no game or for more than one.
    """
    name = word.strip()
    if found := _listed(name):
        return found
    opened = opened_word(name)
    if opened is not None:
        return probe_game(opened)
    raise NotOpenedError(name) if _THIRD_PARTY.fullmatch(name) else GameError(_unknown(name), code="not_found")


def open_game(word: str) -> GameSpec:
    """Return the game that a user of this machine names: as `find_game`, and any MODULE:FUNCTION, which is stored.

    So are ids that this process has registered with PettingZoo for a MODULE:FUNCTION.
    """
    name = word.strip()
    if _listed(name):
        return find_game(name)
    name = registered_entry(name) or name
    if ":" not in name:
        return find_game(name)
    spec = probe_game(name)
    remember(name, spec.id)
    return spec


def facts_of(game: str) -> GameFacts | None:
    """Return the facts that ratings depend on, None for an unknown game.

    Imports no code of a game that was not opened here.
    """
    try:
        return find_game(game).facts()
    except GameError:
        return None


def _listed(name: str) -> GameSpec | None:
    """Return the catalogue's game of that name, or None; versions may also be written as in PettingZoo's registry."""
    for family, make in BY_NAME.items():
        if name.startswith(family):
            return make(name)
    name = _REGISTERED_VERSION.sub("_v", name)
    matches: list[GameSpec] = []
    for known in (built_in_games, listed_games, games):  # installed packages are loaded only where no other game fits
        if matches := _matches(name, known()):
            break
    if len(matches) > 1:
        raise GameError(f"expected one game, got: {name!r}, which may be {', '.join(spec.id for spec in matches)}")
    return matches[0] if matches else None


def missing(spec: GameSpec) -> str:
    """Return why the game cannot run here: "" if it can, else the pip command or the error."""
    if spec.broken:
        return spec.broken
    lacking = [module for module in spec.requires if not _is_importable(module.partition(".")[0])]
    if not lacking:
        return ""
    return f"pip install {spec.pip}" if spec.pip else f"expected the modules {', '.join(lacking)}, got none such"


def devices_of(spec: GameSpec) -> list[str]:
    """Return the devices that alone can play every seat, of keyboard, gamepad and mouse."""
    seats = [spec.controls_of(agent) for agent in spec.agents]
    if spec.broken or not all(controls.rows for controls in seats):
        return []
    return ["keyboard", "gamepad", *(["mouse"] if all(controls.mouse for controls in seats) else [])]


def game_row(spec: GameSpec) -> dict[str, Any]:
    """Return the game as one row of the listing, plain data."""
    reason, devices, measured = missing(spec), devices_of(spec), exactness_of(spec.id)
    names = ("id", "family", "title", "summary", "seats", "turn_based", "outcome")
    return {
        **{name: getattr(spec, name) for name in names},
        "agents": list(spec.agents),
        "teams": [list(team) for team in spec.teams],
        "fps": float(spec.fps),
        "available": not reason,
        "human_playable": bool(devices),  # people can play every seat
        "devices": devices,
        "controls": {str(agent): _controls_row(spec.controls_of(agent)) for agent in spec.agents},
        "pip": reason if reason.startswith("pip install") else "",  # installs missing packages
        "reason": reason,  # why it cannot be played
        "exact": measured is not None and measured.exact,  # a seed and actions repeat an episode, as measured
        "exactness": measured.text if measured is not None else "",
    }


def _controls_row(controls: SeatControls) -> dict[str, Any]:
    """Return a seat's controls as plain data: how they are used, and a row for each action."""
    rows = [{"words": row.words, "controls": list(row.controls), "action": row.action} for row in controls.rows]
    return {"style": controls.style, "mouse": controls.mouse, "rows": rows}


def _matches(word: str, known: Iterable[GameSpec]) -> list[GameSpec]:
    """Return the best matches: by id, by id without version, by name, by name without version."""
    specs, wanted = list(known), word.casefold()
    for form in range(4):
        if found := [spec for spec in specs if _forms(spec)[form].casefold() == wanted]:
            return found
    return []


def _forms(spec: GameSpec) -> tuple[str, str, str, str]:
    unversioned = _VERSION.sub("", spec.id)
    return spec.id, unversioned, spec.id.rpartition("/")[2], unversioned.rpartition("/")[2]


def _unknown(word: str) -> str:
    names = {form: spec.id for spec in games() for form in _forms(spec)}
    shown = word[:_LONGEST]
    near = difflib.get_close_matches(shown.casefold(), names, n=5, cutoff=0.55)
    suggestions = list(dict.fromkeys(names[form] for form in near))
    expected = "expected a game of the catalogue (`arcade games` lists them) or MODULE:FUNCTION"
    return f"{expected}, got: {shown!r}{did_you_mean(suggestions)}"


@cache
def _is_importable(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):
        return False
