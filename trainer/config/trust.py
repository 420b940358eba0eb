"""Settings files may name code, programs and other machines only if the user trusts them.

Training with such a word runs or calls what it names, and a file may come from anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from arcade.games import GameError, find_game
from trainer.config import ConfigError

RUNNING = ("python", "uci", "gtp", "remote")
"""Kinds of seat words."""


def check_trust(settings: Mapping[str, Any], *, typed: Any) -> None:
    """Raises ConfigError for words in `settings` that run code and are not among the `typed` settings.

    A game's module:function passes where it was opened on this machine before; see `arcade.games.third_party.opened`.
    """
    known = {word for _, word in _running(typed)}
    found = {f"{key} = {word!r}": None for key, word in _running(settings) if word not in known}
    if found:
        raise ConfigError(
            "expected settings files that name no code, program or remote opponent, got: "
            f"{', '.join(found)}; if you trust what that runs: --trust"
        )


def _running(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """(dotted key, word) of all words that run code, at any depth."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _running(inner, f"{key}.{name}" if key else str(name))
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _running(inner, key)
    elif isinstance(value, str):
        word = value.strip()
        is_game = "game" in key.split(".") and ":" in word and not _is_known(word)
        if is_game or (":" in word and word.partition(":")[0] in RUNNING):
            yield key, word


def _is_known(game: str) -> bool:
    try:
        find_game(game)
    except GameError:
        return False
    return True
