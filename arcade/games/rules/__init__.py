"""How each game is played: a module a family."""

from __future__ import annotations

from arcade.games.rules import atari, butterfly, classic, house, mpe, sisl
from arcade.games.rules.rules import Rules

_FAMILIES = {
    "atari": atari.RULES, "butterfly": butterfly.RULES, "classic": classic.RULES, "house": house.RULES,
    "mpe": mpe.RULES, "sisl": sisl.RULES,
}  # fmt: skip


def rules_of(id: str) -> Rules | None:
    """Return the rules of a built-in game by its id "family/name"; None where they are not known."""
    family, _slash, name = id.partition("/")
    return _FAMILIES.get(family, {}).get(name)


__all__ = ["Rules", "rules_of"]
