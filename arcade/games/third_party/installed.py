"""Games of installed packages (entry points) and of ``module:function`` words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from arcade.games.spec import GameError, GameSpec
from arcade.games.third_party.probe import probe_in_child

GROUP = "arcade.games"
"""The entry-point group: each value is a GameSpec, a list of them, or a function that makes an env."""


@cache
def probe_game(word: str) -> GameSpec:
    """Return the GameSpec that ``module:function`` names or whose env it makes; raises GameError for neither."""
    module, _, function = word.partition(":")
    if not module or not function:
        raise GameError(f"expected MODULE:FUNCTION, as in my_game:parallel_env, got: {word!r}")
    return probe_in_child(word)


def installed_games(taken: Iterable[str] = ()) -> tuple[GameSpec, ...]:
    """Return the games of installed packages, sorted by name; one that fails to load is listed as broken.

    `taken` are the ids that the catalogue already has.
    """
    seen = set(taken)
    found: list[GameSpec] = []
    for point in _points():
        for spec in _specs_of(point):
            if spec.id in seen:
                spec = _broken(point, f"expected an id that no other game has, got: {spec.id}")
            seen.add(spec.id)
            found.append(spec)
    return tuple(found)


@cache
def _points() -> tuple[EntryPoint, ...]:
    """Return the entry points by name; once a process, since it reads the metadata of every installed package."""
    return tuple(sorted(entry_points(group=GROUP), key=lambda point: point.name))


@cache
def _specs_of(point: EntryPoint) -> tuple[GameSpec, ...]:
    try:
        return _read_point(point)
    except Exception as error:  # noqa: BLE001  (a third-party package may fail in any way; the other games still work)
        return (_broken(point, f"{type(error).__name__}: {error}"),)


def _read_point(point: EntryPoint) -> tuple[GameSpec, ...]:
    value: Any = point.load()
    if isinstance(value, GameSpec):
        return (value,)
    if isinstance(value, (list, tuple)) and all(isinstance(item, GameSpec) for item in value):
        return tuple(value)
    if not callable(value):
        raise GameError(f"expected a GameSpec, a list of them or a function that makes an env, got: {value!r}")
    word = f"{point.module}:{point.attr}"
    return (replace(probe_in_child(word), id=point.name if "/" in point.name else word),)


def _broken(point: EntryPoint, reason: str) -> GameSpec:
    package = point.dist.name if point.dist is not None else "an installed package"
    return GameSpec(
        id=point.value if point.value.count(":") == 1 else f"{point.value}:{point.name}",
        title=point.name,
        entry=point.value,
        agents=(),
        teams=(),
        turn_based=False,
        fps=1,
        summary=f"From {package}, but cannot be loaded.",
        broken=reason,
    )
