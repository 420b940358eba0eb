"""GameList: the games of the games screen, searched, filtered and sorted."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import reduce

from agents.seats.controller import SeatChoice
from arcade.games.spec import GameSpec
from arcade.language import N_, _, ngettext
from arcade.session.game_filters import filtered
from arcade.session.player_names import PlayerNames
from arcade.session.seating import RANDOM

FAMILIES = ("house", "atari", "butterfly", "classic", "mpe", "sisl")
"""The order of families; others follow by name."""


KINDS = (N_("one against one"), N_("teams"), N_("each against all"), N_("together"), N_("alone"))
"""Kinds of games, in the order of the list."""

OTHER_WORDS = {"together": N_("cooperative co-op coop")}
"""Other words for a kind that people search for."""


def kind_of(spec: GameSpec) -> str:
    """Return one of KINDS."""
    if len(spec.teams) == 1:
        return "together" if spec.seats > 1 else "alone"
    if len(spec.teams) == spec.seats:
        return "one against one" if spec.seats == 2 else "each against all"
    return "teams"


def facts(spec: GameSpec) -> str:
    """Return players, sides and pace in one line."""
    sides = _(kind_of(spec))
    if kind_of(spec) == "teams":
        sizes = [str(len(team)) for team in spec.teams]
        sides = reduce(lambda one, other: _("{one} against {other}").format(one=one, other=other), sizes)
    return "  ·  ".join((players_of(spec), sides, pace_of(spec)))


def short_facts(spec: GameSpec) -> str:
    """Return players and pace, for a tile."""
    return "  ·  ".join((players_of(spec), pace_of(spec)))


def pace_of(spec: GameSpec) -> str:
    """Return "turn by turn" or "real time"."""
    return _("turn by turn") if spec.turn_based else _("real time")


def players_of(spec: GameSpec) -> str:
    """Return "1 player", "2 players" …"""
    return ngettext("{count} player", "{count} players", spec.seats).format(count=spec.seats)


MEET, MEET_RANDOM = N_("You meet: {opponent}"), N_("You meet: Random bot, which plays random moves")
PARTNER, PARTNER_RANDOM = (
    N_("You play with: {opponent}"),
    N_("You play with: Random bot, which plays random moves"),
)


def opponent_text(names: PlayerNames, choice: SeatChoice) -> str:
    """Return a sentence on `choice`, whom one meets in the game or plays with; "" for a game alone."""
    spec = names.spec
    if spec.seats == 1:
        return ""
    together = len(spec.teams) == 1
    if choice == RANDOM:
        return _(PARTNER_RANDOM if together else MEET_RANDOM)
    return _(PARTNER if together else MEET).format(opponent=names.of_choice(choice))


def _family_rank(spec: GameSpec) -> tuple[int, str]:
    rank = FAMILIES.index(spec.family) if spec.family in FAMILIES else len(FAMILIES)
    return rank, spec.family


@dataclass(frozen=True, slots=True)
class GameOrder:
    """A way to sort games."""

    name: str
    label: str
    rank: Callable[[GameSpec], tuple[int, str]]


ORDERS = (
    GameOrder("family", N_("By family"), _family_rank),
    GameOrder("players", N_("By players"), lambda spec: (spec.seats, "")),
    GameOrder("kind", N_("By kind"), lambda spec: (KINDS.index(kind_of(spec)), "")),
)


class GameList:
    """The games whose title, summary, id, players or kind contains every word of `query`, one of them selected.

    `filters` maps the names of filters to options, see `game_filters`; `levelled` has the ids of games with AI levels.
    """

    def __init__(self, games: Sequence[GameSpec], *, selected: str = "") -> None:
        self.order = ORDERS[0]
        self.filters: dict[str, str] = {}
        self.shelf: Collection[str] | None = None  # ids of the only games to list, in that order; None: all
        self.levelled: Collection[str] = ()
        self._games = sorted(games, key=self.order.rank)
        self.query = ""
        self._selected = selected or (self._games[0].id if self._games else "")

    def sort(self, order: GameOrder) -> None:
        """Sort the games another way; the selected one stays."""
        self.order = order
        self._games.sort(key=lambda spec: (*order.rank(spec), *_family_rank(spec)))

    @property
    def found(self) -> tuple[GameSpec, ...]:
        """The matching games, sorted; in a search those whose titles fit best come first."""
        words = plain(self.query).split()
        fitting = filtered(self._on_shelf(), self.filters, self.levelled)
        found = [spec for spec in fitting if all(word in search_text(spec) for word in words)]
        return tuple(sorted(found, key=lambda spec: closeness(spec, self.query)) if words else found)

    def _on_shelf(self) -> Sequence[GameSpec]:
        if self.shelf is None:
            return self._games
        places = {game: place for place, game in enumerate(self.shelf)}
        return sorted((spec for spec in self._games if spec.id in places), key=lambda spec: places[spec.id])

    @property
    def index(self) -> int:
        """The place of the selected game in `found`; 0 where it does not match."""
        ids = [spec.id for spec in self.found]
        return ids.index(self._selected) if self._selected in ids else 0

    @property
    def selected(self) -> GameSpec | None:
        """The selected game, or None when nothing matches."""
        found = self.found
        return found[self.index] if found else None

    def select(self, game: str) -> None:
        """Select the game with this id."""
        self._selected = game

    def search(self, query: str) -> None:
        """List the games that match; a longer search selects the best match."""
        is_longer, self.query = len(query) > len(self.query), query
        if is_longer and (found := self.found):
            self._selected = found[0].id


def plain(text: str) -> str:
    """Return `text` in small letters without accents: "pokémon" and "Pokemon" are the same to a search."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def closeness(spec: GameSpec, query: str) -> int:
    """Return 0 where a title of the game is the query, 1 where one begins with it, 2 where one contains it, else 3."""
    wanted = " ".join(plain(query).split())
    titles = {plain(spec.title), plain(_(spec.title))}
    if wanted in titles:
        return 0
    if any(title.startswith(wanted) for title in titles):
        return 1
    return 2 if any(wanted in title for title in titles) else 3


def search_text(spec: GameSpec) -> str:
    """Return the text that a search looks through."""
    shown = f"{_(spec.title)} {_(spec.summary)} {players_of(spec)} {_(kind_of(spec))}"
    text = f"{spec.title} {spec.summary} {spec.id} {spec.family} {kind_of(spec)} {shown}"
    if other := OTHER_WORDS.get(kind_of(spec)):
        text += f" {other} {_(other)}"
    return f"{plain(text).replace('_', ' ')} {spec.id.lower()}"
