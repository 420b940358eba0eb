"""Finding a game by the words that a user types, and telling what a machine lacks to play it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from typing import TypedDict

from agents.ladder.ratings.rows import GameFacts
from agents.seats.controller import AgentID
from arcade.games.atari import atari_games
from arcade.games.butterfly import butterfly_games
from arcade.games.classic import classic_games
from arcade.games.exact import exactness_of
from arcade.games.house_games import house_games
from arcade.games.mpe import mpe_games
from arcade.games.opened import opened_word, remember
from arcade.games.sisl import sisl_games
from arcade.games.spec import GameError, GameSpec
from arcade.games.third_party import installed_games, probe_game

_VERSION = re.compile(r"_v\d+$")
_THIRD_PARTY = re.compile(r"[A-Za-z_][\w.]{0,150}:[A-Za-z_][\w.]{0,50}", re.ASCII)
"""What may be offered to be typed: a word with other signs could be a command of its own."""

_LONGEST = 200
"""Of words that are shown and compared."""


class GameRow(TypedDict):
    """One line of the listing, as plain data."""

    id: str
    family: str
    title: str
    summary: str
    seats: int
    agents: list[AgentID]
    teams: list[list[AgentID]]
    turn_based: bool
    fps: float
    outcome: str
    available: bool
    human_playable: bool  # people can take every seat
    devices: list[str]  # with which of keyboard, gamepad and mouse
    pip: str  # what to run where packages are missing, "" where none is
    reason: str  # why it cannot be played, "" where it can
    exact: bool  # a seed and the actions bring the same episode again, as measured
    exactness: str  # what was measured, in words; "" where nothing was


@cache
def built_in_games() -> tuple[GameSpec, ...]:
    """The games of the arcade itself and of PettingZoo's families; nothing is imported for it."""
    return (
        *house_games(),
        *butterfly_games(),
        *atari_games(),
        *mpe_games(),
        *sisl_games(),
        *classic_games(),
    )


def games() -> tuple[GameSpec, ...]:
    """The whole catalogue, with what installed packages add to it."""
    own = built_in_games()
    return (*own, *installed_games(spec.id for spec in own))


def find_game(word: str) -> GameSpec:
    """The game that a word means, whoever it comes from, by any of these, the first that fits::

        atari/pong_v3    atari/pong    pong_v3    pong    my_module:parallel_env

    The last only where `open_game` had it here before: what a file or a machine elsewhere names is never imported.
    Raises GameError, naming near matches, for none or for more than one.
    """
    name = word.strip()
    if found := _listed(name):
        return found
    opened = opened_word(name)
    if opened is not None:
        return probe_game(opened)
    raise GameError(_not_opened(name) if _THIRD_PARTY.fullmatch(name) else _unknown(name))


def open_game(word: str) -> GameSpec:
    """The game that somebody at this machine asks for: as `find_game`, and any MODULE:FUNCTION, which is remembered."""
    name = word.strip()
    if ":" not in name or _listed(name):
        return find_game(name)
    spec = probe_game(name)
    remember(name, spec.id)
    return spec


def facts_of(game: str) -> GameFacts | None:
    """What the ladder must know of the game of that id; None where nobody here knows it, then a row tells what it can.

    No code of a game is imported that was not opened here.
    """
    try:
        return find_game(game).facts()
    except GameError:
        return None


def _listed(name: str) -> GameSpec | None:
    """Of the catalogue, None where it has none such."""
    matches: list[GameSpec] = []
    for known in (built_in_games, games):  # installed packages are loaded only where our own games do not fit
        if matches := _matches(name, known()):
            break
    if len(matches) > 1:
        raise GameError(f"expected one game, got: {name!r}, which may be {', '.join(spec.id for spec in matches)}")
    return matches[0] if matches else None


def missing(spec: GameSpec) -> str:
    """What stands between this machine and the game: "" where nothing does, else the pip line, or what is broken."""
    if spec.broken:
        return spec.broken
    lacking = [module for module in spec.requires if not _is_importable(module.partition(".")[0])]
    if not lacking:
        return ""
    return f"pip install {spec.pip}" if spec.pip else f"expected the modules {', '.join(lacking)}, got none such"


def devices_of(spec: GameSpec) -> list[str]:
    """What people can play every seat with, each alone: of keyboard, gamepad and mouse; [] where they cannot."""
    seats = [spec.controls_of(agent) for agent in spec.agents]
    if spec.broken or not all(controls.rows for controls in seats):
        return []
    return ["keyboard", "gamepad", *(["mouse"] if all(controls.mouse for controls in seats) else [])]


def game_row(spec: GameSpec) -> GameRow:
    """The game as the listing shows it."""
    reason, devices, measured = missing(spec), devices_of(spec), exactness_of(spec.id)
    return GameRow(
        id=spec.id,
        family=spec.family,
        title=spec.title,
        summary=spec.summary,
        seats=spec.seats,
        agents=list(spec.agents),
        teams=[list(team) for team in spec.teams],
        turn_based=spec.turn_based,
        fps=float(spec.fps),
        outcome=spec.outcome,
        available=not reason,
        human_playable=bool(devices),
        devices=devices,
        pip=reason if reason.startswith("pip install") else "",
        reason=reason,
        exact=measured is not None and measured.exact,
        exactness=measured.words if measured is not None else "",
    )


def list_rows() -> list[GameRow]:
    """Every game's row, for printing."""
    return [game_row(spec) for spec in games()]


def _matches(word: str, known: Iterable[GameSpec]) -> list[GameSpec]:
    """Those that fit the word best: by id, by id without version, by name, by name without version."""
    specs, wanted = list(known), word.casefold()
    for reading in (_full, _unversioned, _bare, lambda spec: _bare_of(_unversioned(spec))):
        if found := [spec for spec in specs if reading(spec).casefold() == wanted]:
            return found
    return []


def _full(spec: GameSpec) -> str:
    return spec.id


def _unversioned(spec: GameSpec) -> str:
    return _VERSION.sub("", spec.id)


def _bare(spec: GameSpec) -> str:
    return _bare_of(spec.id)


def _bare_of(name: str) -> str:
    return name.rpartition("/")[2]


def _not_opened(word: str) -> str:
    return (
        f"expected a game of the catalogue, or one that was opened on this machine, got: {word}, which is code that "
        f"nobody here asked for; if you have it and trust it, open it once: arcade play {word}"
    )


def _unknown(word: str) -> str:
    names = {form: spec.id for spec in games() for form in (spec.id, _unversioned(spec), _bare_of(_unversioned(spec)))}
    shown = word[:_LONGEST]
    near = difflib.get_close_matches(shown.casefold(), names, n=5, cutoff=0.55)
    suggestions = list(dict.fromkeys(names[form] for form in near))
    hint = f"; did you mean {' or '.join(suggestions)}?" if suggestions else ""
    return f"expected a game of the catalogue (`arcade games` lists them) or MODULE:FUNCTION, got: {shown!r}{hint}"


@cache
def _is_importable(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):
        return False
