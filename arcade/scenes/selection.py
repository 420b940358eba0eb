"""Which game: the list that the select screen shows, searched by typing, with no picture of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from arcade.games.spec import GameSpec

FAMILIES = ("house", "atari", "butterfly", "classic", "mpe", "sisl")
"""Families in the order people find them in; any other follows, by name."""


def _rank(spec: GameSpec) -> tuple[int, str]:
    rank = FAMILIES.index(spec.family) if spec.family in FAMILIES else len(FAMILIES)
    return rank, spec.family


class Selection:
    """The games whose title or id holds every typed word, one of them selected."""

    def __init__(self, games: Sequence[GameSpec], *, selected: str = "") -> None:
        self._games = sorted(games, key=_rank)
        self.query = ""
        self._selected = selected or (self._games[0].id if self._games else "")

    @property
    def found(self) -> tuple[GameSpec, ...]:
        """The games that match, families together."""
        words = self.query.lower().split()
        return tuple(spec for spec in self._games if all(word in _text(spec) for word in words))

    @property
    def families(self) -> tuple[tuple[str, tuple[GameSpec, ...]], ...]:
        """What was found, grouped: (family, its games)."""
        return tuple((family, tuple(specs)) for family, specs in groupby(self.found, key=lambda s: s.family))

    @property
    def index(self) -> int:
        """Place of the selected game in `found`; 0 where it was filtered away."""
        ids = [spec.id for spec in self.found]
        return ids.index(self._selected) if self._selected in ids else 0

    @property
    def selected(self) -> GameSpec | None:
        """The selected game, or None when nothing matches."""
        found = self.found
        return found[self.index] if found else None

    def move(self, by: int) -> None:
        """Select `by` games further down, stopping at both ends."""
        found = self.found
        if found:
            self._selected = found[max(0, min(len(found) - 1, self.index + by))].id

    def move_family(self, by: int) -> None:
        """Select the first game of the family `by` further on, around the ends."""
        families = self.families
        if not families or self.selected is None:
            return
        at = next(i for i, (family, _) in enumerate(families) if family == self.selected.family)
        self._selected = families[(at + by) % len(families)][1][0].id

    def select(self, game: str) -> None:
        """Select the game with this id."""
        self._selected = game

    def type(self, text: str) -> None:
        """Add `text` to the query."""
        self.query += text

    def rub_out(self) -> None:
        """Take the last letter of the query back."""
        self.query = self.query[:-1]


def _text(spec: GameSpec) -> str:
    return f"{spec.title} {spec.id} {spec.family}".lower().replace("_", " ") + " " + spec.id.lower()
