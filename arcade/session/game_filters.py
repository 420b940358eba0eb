"""Filters of the games screen: players, together or against, real time or turns, AI with difficulty levels."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from arcade.games.spec import GameSpec
from arcade.language import N_

Levelled = Collection[str]
"""Ids of games with AI of difficulty levels."""


@dataclass(frozen=True, slots=True)
class FilterOption:
    """One choice of a filter."""

    name: str
    label: str
    fits: Callable[[GameSpec, Levelled], bool]


@dataclass(frozen=True, slots=True)
class GameFilter:
    """A filter with its options, of which one or none is chosen."""

    name: str
    label: str
    options: tuple[FilterOption, ...]

    def option(self, name: str) -> FilterOption:
        """Return the option with that name; raises ValueError for an unknown one."""
        for one in self.options:
            if one.name == name:
                return one
        names = ", ".join(one.name for one in self.options)
        raise ValueError(f"expected an option of {self.name} among {names}, got: {name!r}")


FILTERS: tuple[GameFilter, ...] = (
    GameFilter("players", N_("Players"), (
        FilterOption("1", N_("1 player"), lambda spec, levelled: spec.seats == 1),
        FilterOption("2", N_("2 players"), lambda spec, levelled: spec.seats == 2),
        FilterOption("3", N_("3 players"), lambda spec, levelled: spec.seats == 3),
        FilterOption("4", N_("4 players"), lambda spec, levelled: spec.seats == 4),
        FilterOption("more", N_("5 or more players"), lambda spec, levelled: spec.seats > 4),
    )),
    GameFilter("sides", N_("Together or against"), (
        FilterOption("together", N_("Together"), lambda spec, levelled: len(spec.teams) == 1),
        FilterOption("against", N_("Against each other"), lambda spec, levelled: len(spec.teams) > 1),
    )),
    GameFilter("pace", N_("Pace"), (
        FilterOption("real time", N_("Real time"), lambda spec, levelled: not spec.turn_based),
        FilterOption("turns", N_("Turn by turn"), lambda spec, levelled: spec.turn_based),
    )),
    GameFilter("ai", N_("Opponents"), (
        FilterOption("levels", N_("AI from easy to expert"), lambda spec, levelled: spec.id in levelled),
        FilterOption("no levels", N_("No AI levels"), lambda spec, levelled: spec.id not in levelled),
    )),
)  # fmt: skip


def filtered(games: Iterable[GameSpec], chosen: Mapping[str, str], levelled: Levelled = ()) -> list[GameSpec]:
    """Return the games that fit every chosen option, in order; `chosen`: filter → option, "" for none.

    Raises ValueError for an unknown filter or option.
    """
    known = {one.name: one for one in FILTERS}
    if unknown := sorted(set(chosen) - set(known)):
        raise ValueError(f"expected filters among {', '.join(known)}, got: {', '.join(unknown)}")
    options = [known[name].option(option) for name, option in chosen.items() if option]
    return [spec for spec in games if all(option.fits(spec, levelled) for option in options)]


def counts(
    games: Collection[GameSpec], chosen: Mapping[str, str], name: str, levelled: Levelled = ()
) -> dict[str, int]:
    """Return option → the number of games it would leave, for the filter `name` beside the others that are chosen."""
    others = {other: option for other, option in chosen.items() if other != name}
    options = next(one.options for one in FILTERS if one.name == name)
    return {option.name: len(filtered(games, {**others, name: option.name}, levelled)) for option in options}
