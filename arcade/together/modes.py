"""Modes: how a match travels between machines, the first of MODES that fits the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from arcade.games.spec import GameSpec
from arcade.language import N_


@dataclass(frozen=True)
class Mode:
    """One way; `name` goes over the wire."""

    name: str
    fits: Callable[[GameSpec], bool]
    has_views: bool = False  # the host alone runs the game, and sends each machine what its seats may know
    is_secret: bool = False  # only the host knows seed and actions before the end
    words: str = ""  # for the lobby


SECRETS = Mode(
    "secrets", lambda spec: spec.secret, has_views=True, is_secret=True,
    words=N_("The game runs at the host alone, with the AI that the host chooses. "
             "The other machines get what their own seats may see, and the whole match at its end."),
)  # fmt: skip
PICTURES = Mode(
    "pictures", lambda spec: not spec.exact, has_views=True,
    words=N_("The game runs at the host alone, with the AI that the host chooses. "
             "The other machines get pictures, and send what their players do. The host alone has a recording."),
)  # fmt: skip
INPUTS = Mode("inputs", lambda spec: True)

MODES = (SECRETS, PICTURES, INPUTS)


def mode_of(spec: GameSpec, *, by_views: bool = False) -> Mode:
    """The mode of a game; `by_views`: the host alone runs it, also where each machine could."""
    found = next(mode for mode in MODES if mode.fits(spec))
    return PICTURES if by_views and not found.has_views else found


def mode_named(name: str) -> Mode | None:
    """The mode of a host's offer; None for one that is unknown here."""
    return next((mode for mode in MODES if mode.name == name), None)
