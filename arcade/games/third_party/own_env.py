"""Games from an env object or a function that makes one, instead of a catalogue id."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from arcade.games.catalogue import open_game
from arcade.games.spec import GameError, GameSpec, make_env
from arcade.games.third_party.probe import look_at


@dataclass(frozen=True, kw_only=True)
class OwnEnvSpec(GameSpec):
    """A game whose env is made by an object of this process; other processes can't make it."""

    make_own: Callable[[str | None], Any]  # render mode → env, not yet reset

    def make(self, *, render_mode: str | None = None) -> Any:
        return self.make_own(render_mode)


def game_of(game: object) -> GameSpec:
    """Return the GameSpec of a GameSpec, a word for `open_game`, an env function, or an env.

    A function of a module becomes ``module:function``, which any process can import.  Raises GameError for other
    objects.
    """
    if isinstance(game, GameSpec):
        return game
    if isinstance(game, str):
        return open_game(game)
    if not callable(game):
        return _own(game, type(game), lambda render_mode: game)
    module, name = game.__module__, getattr(game, "__qualname__", "")
    if module != "__main__" and name.isidentifier():
        return open_game(f"{module}:{name}")
    return _own(make_env(game), game, lambda render_mode: make_env(game, render_mode=render_mode))


def check_is_importable(spec: GameSpec) -> None:
    """Raise GameError for a game that only this process can make; the window plays games in another process."""
    if isinstance(spec, OwnEnvSpec):
        raise GameError(
            f"expected a game that another process can make, got the object {spec.id}; "
            "for a window, put a function that makes the env into a module"
        )


def _own(env: Any, source: Any, make: Callable[[str | None], Any]) -> OwnEnvSpec:
    word = f"{source.__module__}:{source.__qualname__}".replace("<", "").replace(">", "")
    known = look_at(env, word=word)
    return OwnEnvSpec(**{field.name: getattr(known, field.name) for field in fields(known)}, make_own=make)
