"""Library: a package with so many games that the catalogue lists none; they are found by the family and their name."""

from __future__ import annotations

import difflib
from collections.abc import Collection
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from agents.errors import did_you_mean
from arcade.games.spec import GameError, not_installed

LONGEST = 80
"""Characters of an unknown name that are shown and compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """The facts of a library, known before it is imported."""

    games: str  # what it has, for people: "a game of OpenSpiel"
    family: str  # before the name of a game, "openspiel/"
    module: str
    pip: str  # the package to install

    def load(self) -> Any:
        """Import its module; raises GameError with the pip command."""
        try:
            return import_module(self.module)
        except ImportError as error:
            raise not_installed(error, self.pip, self.module) from error

    def check_name(self, name: str, known: Collection[str]) -> None:
        """Raise GameError, with near matches, unless it is one of the known names."""
        if name in known:
            return
        shown = name[:LONGEST]
        near = [self.family + one for one in difflib.get_close_matches(shown, known, n=3)]
        raise GameError(f"expected {self.games}, got: {self.family}{shown}{did_you_mean(near)}", code="not_found")
