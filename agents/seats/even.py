"""Seat word ``level:even``: finds the opponent whose predicted win probability is closest to one half, by the ladder.

It is resolved for the people on the other side.  Uncertainty counts as unevenness: of two
opponents with equal predictions the one with the smaller deviation is chosen, and an unrated one only where all rated
opponents are clearly too weak or too strong.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from agents.engines.engine import label_of, present_seats
from agents.ladder.ratings.online import UNKNOWN, Rating, chances
from agents.seats.controller import LEVELS, AgentID, SeatChoice
from agents.seats.limits import limits_of, snapshot_of
from agents.snapshots.store import SnapshotError, SnapshotStore


@dataclass(frozen=True, slots=True)
class Opponent:
    """An AI player that can take the seat."""

    choice: SeatChoice
    label: str  # its name on the ladder


@dataclass(frozen=True, slots=True)
class EvenMatch:
    """The opponent that was found, with the reason."""

    opponent: Opponent
    why: str  # a sentence for people


def opponents(
    game: str,
    agent: AgentID,
    store: SnapshotStore,
    *,
    turn_based: bool,
    scripted: bool,
    rated: Callable[[str], bool],
    has_levels: bool = False,
) -> list[Opponent]:
    """The levels and installed engines, weakest first, then the rated snapshots, at full strength or with the limits of
    a level, then the scripted player; random moves where there is no other opponent.

    With `has_levels` the levels are those of the scripted player."""
    found = list(_levels(game, agent, store, turn_based=turn_based))
    if has_levels:
        found = [Opponent(SeatChoice("level", level), f"AI, {level}") for level in LEVELS]
    found += [Opponent(choice, label_of(choice)) for choice in present_seats(game)]
    names = [card.name for card in store.list(game) if card.plays(agent) and card.name not in store.refused]
    held = {level: limits_of(level, turn_based=turn_based) for level in LEVELS}
    for name in names:
        for level, limits in held.items():
            one = Opponent(SeatChoice("snapshot", name, limits.as_options()), _label(name, level, limits.any))
            found += [one] if rated(one.label) else []
    found += [Opponent(SeatChoice("scripted"), "scripted")] if scripted and not has_levels else []
    first = {one.label: one for one in reversed(found)}
    return [one for one in found if first[one.label] is one] or [Opponent(SeatChoice("random"), "random")]


def find_even(
    people: Sequence[str], others: Sequence[Opponent], ratings: Mapping[str, Rating], *,
    own: Callable[[str], str] = str, its: Callable[[str], str] = str,
) -> EvenMatch:  # fmt: skip
    """The most even match for `people`, who are one team, among `others`, weakest first where none is rated.

    `own` and `its` turn labels into names of `ratings`, on their side and on the opponent's.
    """
    team = " and ".join(people) or "you"
    known = [ratings[own(name)] for name in people if own(name) in ratings]
    if not known:
        return EvenMatch(others[0], f"No rated match of {team} yet: the easiest first")
    expected = chances(_combined(known), [ratings.get(its(one.label), UNKNOWN) for one in others])
    best = int(expected.unevenness.argmin())
    found = others[best]
    if its(found.label) not in ratings:
        return EvenMatch(found, f"Not rated yet; no rated opponent is even with {team}")
    share, low, high = (f"{100 * float(part[best]):.0f}" for part in (expected.mean, expected.low, expected.high))
    return EvenMatch(found, f"By the ladder, {team} should win {share} % ({low} to {high})")


def seated_as(choice: SeatChoice, found: Opponent) -> SeatChoice:
    """The seat word of the opponent that was found, with the limits of ``level:even`` added."""
    return replace(found.choice, options=tuple((dict(found.choice.options) | dict(choice.options)).items()))


def _levels(game: str, agent: AgentID, store: SnapshotStore, *, turn_based: bool) -> Iterator[Opponent]:
    for level in LEVELS:
        try:
            name = snapshot_of(level, game, agent, store).card.name
        except SnapshotError:
            return  # there are none for the seat
        limits = limits_of(level, turn_based=turn_based)
        yield Opponent(SeatChoice("level", level), _label(name, level, limits.any))


def _label(name: str, level: str, limited: bool) -> str:
    """As `LimitedController` has it."""
    return f"{name} ({level})" if limited else name


def _combined(ratings: Collection[Rating]) -> Rating:
    """One player with the strength of all, as uncertain as they are."""
    mu = sum(rating.mu for rating in ratings) / len(ratings)
    return Rating("", mu, math.sqrt(sum(rating.sigma**2 for rating in ratings) / len(ratings)))
